"""Cosine similarity and pooling of unit vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Vectors = NDArray[np.float32]


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; a zero row stays zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, np.finfo(np.float32).tiny), np.float32)


def pool(weights: csr_array, blocks: Vectors) -> Vectors:
    """Unit means of block vectors; ``weights[unit, block]`` is the block's words inside the unit.

    Shapes (units, blocks) and (blocks, dimensions) give (units, dimensions).
    """
    return unit_rows(np.asarray(weights @ blocks, np.float32))


def cosines(query: Vectors, vectors: Vectors) -> NDArray[np.float32]:
    """Cosine of a unit query, shape (dimensions,), to unit rows, shape (rows, dimensions).

    Not ``vectors @ query``: BLAS takes two to three times as long, starts threads even for a thousand
    rows, and may give equal rows different cosines.
    """
    return np.asarray(np.einsum("ij,j->i", vectors, query), np.float32)
