"""Thresholds for an embedder, from the cosines of unrelated pairs (design 2.3, **D**).

The published thresholds hold for text-embedding-3-small. For any other embedder tau_e and tau_min are
high percentiles of random cosines, set once a build and then frozen in the index.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAIRS = 200_000


def random_cosine(
    left: NDArray[np.float32], right: NDArray[np.float32], percentile: float, seed: int, pairs: int = PAIRS
) -> float:
    """The percentile of ``pairs`` seeded random cosines between rows of two matrices of unit vectors.

    Rounded to four digits, so that it reads the same everywhere. 1.0 when either has no rows.
    """
    if not len(left) or not len(right):
        return 1.0
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, len(left), pairs)
    columns = generator.integers(0, len(right), pairs)
    cosines = np.concatenate(
        [
            np.einsum("ij,ij->i", left[rows[first : first + 20_000]], right[columns[first : first + 20_000]])
            for first in range(0, pairs, 20_000)
        ]
    )
    return round(float(np.percentile(cosines, percentile)), 4)
