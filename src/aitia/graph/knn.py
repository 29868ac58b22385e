"""The graph of nearest neighbours by cosine, exact, without a matrix of all pairs in memory.

Fast float32 products only propose candidates; what is returned is recomputed in float64 over each pair, so
that neither the size of blocks nor the library that multiplies can change a neighbour, an order or a bit. (faiss
took more than twice as long for the same result: docs/decisions/0011.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices
from aitia.graph.tiles import best_by_tiles

Vectors = NDArray[np.float32]

SPARE = 4
"""Candidates beyond k: with them nearly every row shows by itself that nothing better was left out."""

PAIRS = 2048
"""Pairs recomputed at a time (few, so that they stay in the cache)."""


class Neighbours(NamedTuple):
    """The nearest neighbours of each node, best first, ties by id; both of shape (nodes, k).

    Where a node has fewer, ids are -1 and cosines 0.
    """

    ids: Indices
    cosines: NDArray[np.float32]


def knn_graph(
    vectors: Vectors,
    k: int,
    *,
    groups: NDArray[np.integer] | None = None,
    block: int = 2048,
) -> Neighbours:
    """The k rows of highest cosine to each row of ``vectors``, shape (nodes, dimensions), of length 1.

    Directed: a neighbour need not have the node as its neighbour. No node is its own; with ``groups``,
    shape (nodes,), neighbours come from another group only (QCG-RAG's edges across chunks). Cosines are
    sums in float64 rounded to float32, and what is equal after rounding is a tie. ``block`` rows by
    ``block`` rows are multiplied at a time; it does not change the result.
    """
    nodes = len(vectors)
    kinds = np.arange(nodes) if groups is None else np.unique(groups, return_inverse=True)[1].ravel()
    if k < 1 or nodes < 2:
        return Neighbours(np.full((nodes, max(k, 0)), -1), np.zeros((nodes, max(k, 0)), np.float32))
    rows = np.ascontiguousarray(vectors, np.float32)
    found = best_by_tiles(rows, min(k + SPARE, nodes - 1), kinds, block)
    # The error of a float32 sum of d products, twice: of the pair left out and of the one kept.
    slack = 2 * (rows.shape[1] + 2) * 2.0**-24 * float(np.einsum("ij,ij->i", rows, rows).max())
    result = _ranked(rows, np.arange(nodes), found.ids, k)
    kth = np.sort(found.scores, axis=1)[:, -min(k, found.ids.shape[1])]
    unsure = np.flatnonzero((found.bound > -np.inf) & (kth <= found.bound + slack))
    for start in range(0, len(unsure), 64):
        some = unsure[start : start + 64]
        better = _ranked(rows, some, _near(rows, some, kinds, k, slack), k)
        result.ids[some], result.cosines[some] = better
    return result


def _near(rows: Vectors, some: Indices, kinds: Indices, k: int, slack: float) -> Indices:
    """Every node that may be among the k nearest of some nodes, as a table filled up with -1."""
    scores = rows[some] @ rows.T
    scores[kinds[some][:, None] == kinds] = -np.inf
    kth = np.partition(scores, -k, axis=1)[:, -k] if k <= len(rows) else np.full(len(some), -np.inf)
    places, ids = np.nonzero((scores >= (kth - slack)[:, None]) & (scores > -np.inf))
    counts = np.bincount(places, minlength=len(some))
    table = np.full((len(some), counts.max(initial=0)), -1)
    table[places, np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)] = ids
    return table


def _ranked(rows: Vectors, nodes: Indices, table: Indices, k: int) -> Neighbours:
    """The k best of each node's candidates by their exact cosines."""
    cosines = np.full(table.shape, -np.inf, np.float32)
    places, columns = np.nonzero(table >= 0)
    for start in range(0, len(places), PAIRS):
        part = places[start : start + PAIRS], columns[start : start + PAIRS]
        left, right = rows[nodes[part[0]]].astype(np.float64), rows[table[part]].astype(np.float64)
        cosines[part] = np.einsum("ij,ij->i", left, right)
    order = np.lexsort((table, -cosines), axis=1)[:, :k]
    ids, best = np.full((len(nodes), k), -1), np.zeros((len(nodes), k), np.float32)
    ids[:, : order.shape[1]] = np.take_along_axis(table, order, axis=1)
    best[:, : order.shape[1]] = np.take_along_axis(cosines, order, axis=1)
    best[ids < 0] = 0
    return Neighbours(ids, best)
