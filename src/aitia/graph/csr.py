"""Adjacency as arrays (compressed sparse rows), and gathers over it without a Python loop an edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Out-edges of ``n`` nodes: those of node i stand at ``indptr[i]:indptr[i + 1]``.

    ``neighbours[p]`` is the other end and ``edges[p]`` the edge's id; a node's edges stand in id order.
    """

    indptr: Indices
    neighbours: Indices
    edges: Indices

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1

    def positions(self, nodes: Indices) -> tuple[Indices, Indices]:
        """Positions of all edges of the given nodes, and for each the index into ``nodes`` it came from."""
        counts = self.indptr[nodes + 1] - self.indptr[nodes]
        owner = np.repeat(np.arange(len(nodes)), counts)
        before = np.cumsum(counts) - counts
        return np.arange(len(owner)) - before[owner] + self.indptr[nodes][owner], owner


def adjacency(sources: Indices, targets: Indices, nodes: int) -> Adjacency:
    """Adjacency by source. Swap the arguments for the reverse. Ids are positions in the arrays."""
    order = np.argsort(sources, kind="stable")
    counts = np.bincount(sources, minlength=nodes)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Adjacency(indptr, np.asarray(targets, np.int64)[order], order.astype(np.int64))


def group_min(values: NDArray[np.float64], indptr: Indices, empty: float) -> NDArray[np.float64]:
    """Minimum of each group ``values[indptr[i]:indptr[i + 1]]``, shape (groups,); ``empty`` for none."""
    result = np.full(len(indptr) - 1, empty, np.float64)
    filled = np.flatnonzero(np.diff(indptr) > 0)
    if len(filled):
        result[filled] = np.minimum.reduceat(values, indptr[filled])
    return result
