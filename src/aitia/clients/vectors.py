"""What every embedder does to a text before, and to its rows after, the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.clients.protocols import Vectors
from aitia.errors import EmbedderError


def encodable(text: str) -> str:
    """The text as UTF-8 can carry it: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: NDArray[Any], source: str) -> Vectors:
    """Rows of any float type scaled to length 1, as float32.

    Raises EmbedderError, naming ``source``, for a row with NaN or infinity and for a row of zeros.
    """
    exact: NDArray[np.float64] = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(exact, axis=1, keepdims=True)
    unusable = np.flatnonzero(~np.isfinite(norms[:, 0]) | (norms[:, 0] == 0))
    if unusable.size:
        fault = "zeros only" if norms[unusable[0], 0] == 0 else "NaN or infinity"
        raise EmbedderError(
            f"{source}: vector {unusable[0] + 1} of {len(exact)} holds {fault}; expected finite numbers. "
            "Check the model, or choose another with --embedder"
        )
    vectors: Vectors = (exact / norms).astype(np.float32)
    return vectors
