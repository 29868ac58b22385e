"""How sure is one flag among many? The false discovery rate within a family of comparisons.

Benjamini and Hochberg, Controlling the False Discovery Rate (1995), equation 1, as adjusted p values: of the
flags with q at most 0.05, at most a twentieth is expected to be false.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray


def adjust(p: Sequence[float], families: Sequence[Hashable]) -> NDArray[np.float64]:
    """The q of each p within its own family, in the order given, shape (comparisons,).

    ``families`` names the family of each p; a family of one keeps its p.
    """
    from scipy.stats import false_discovery_control

    values = np.asarray(p, dtype=np.float64)
    numbers = {family: number for number, family in enumerate(dict.fromkeys(families))}
    member = np.array([numbers[family] for family in families], dtype=np.int64)
    q = np.empty_like(values)
    for number in numbers.values():
        q[member == number] = false_discovery_control(values[member == number])
    return q
