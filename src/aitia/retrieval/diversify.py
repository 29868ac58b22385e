"""Maximal marginal relevance (Carbonell and Goldstein 1998): relevant, and unlike what is chosen already."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices
from aitia.retrieval.dense import Vectors, cosines


def diversify(
    ids: Indices, relevance: NDArray[np.floating], vectors: Vectors, k: int, share: float = 0.7
) -> Indices:
    """At most ``k`` of the candidates ``ids``, in the order in which they are chosen.

    Each maximises ``share * relevance - (1 - share) * greatest cosine to one chosen before``; the first has
    the greatest relevance. Ties go to the smaller id, so the order of the candidates does not matter.
    ``relevance`` is of shape (candidates,), ``vectors`` (candidates, dimensions) with rows of length 1.
    """
    order = np.argsort(ids, kind="stable")
    worth = share * np.asarray(relevance, np.float64)[order]
    rows = vectors[order]
    likeness = np.zeros(len(order))
    chosen: list[int] = []
    for _ in range(min(k, len(order))):
        best = int(np.argmax(worth - (1 - share) * likeness))
        if not chosen:
            likeness[:] = -np.inf
        chosen.append(best)
        worth[best] = -np.inf
        np.maximum(likeness, cosines(rows[best], rows), out=likeness)
    return np.asarray(ids, np.int64)[order[chosen]]
