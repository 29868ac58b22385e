"""Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import descending

Scores = NDArray[np.float32]


def ranks(scores: Scores) -> NDArray[np.float64]:
    """Rank of each item from 1, best first, ties by position; items of score <= 0 have none (inf)."""
    result = np.empty(len(scores), np.float64)
    result[descending(scores)] = np.arange(1, len(scores) + 1)
    result[scores <= 0] = np.inf
    return result


def reciprocal_rank_fusion(
    lists: Sequence[Scores], k: float, weights: Sequence[float] | None = None
) -> Scores:
    """Sum over the lists of ``weight / (k + rank)``, shape (items,). An item no list ranks gets 0."""
    weights = weights or [1.0] * len(lists)
    total = np.zeros(len(lists[0]), np.float64)
    for scores, weight in zip(lists, weights, strict=True):
        total += weight / (k + ranks(scores))
    return total.astype(np.float32)
