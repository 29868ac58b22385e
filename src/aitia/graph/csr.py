"""Adjacency as arrays (compressed sparse rows), and gathers over it without a Python loop an edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aitia.graph.order import Indices, ascending


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
        """Positions of all edges of the given nodes, node by node, and how many each has."""
        first = self.indptr[nodes]
        counts = self.indptr[nodes + 1] - first
        positions = np.repeat(first - np.cumsum(counts) + counts, counts)
        positions += np.arange(len(positions))
        return positions, counts


def adjacency(sources: Indices, targets: Indices, nodes: int) -> Adjacency:
    """Adjacency by source. Swap the arguments for the reverse. Ids are positions in the arrays."""
    order = ascending(sources)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=nodes))]).astype(np.int64)
    return Adjacency(indptr, np.asarray(targets, np.int64)[order], order)
