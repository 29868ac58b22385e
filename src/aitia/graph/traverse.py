"""Breadth-first traversal over `Adjacency`: bounded reach, and reach of up to 64 labels at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aitia.graph.csr import Adjacency, Indices

UNREACHED = -1
DENSE_SHARE = 8
"""A step that touches more than this part of all edges is done over all of them (measured crossover)."""

Labels = NDArray[np.uint64]


def hops_from(
    graph: Adjacency, seeds: Indices, max_hops: int, ends: NDArray[np.bool_] | None = None
) -> NDArray[np.int32]:
    """Hops from the nearest seed to each node, shape (nodes,); `UNREACHED` beyond ``max_hops``.

    Nothing is reached through a node of ``ends``, shape (nodes,), unless it is a seed.
    """
    hops = np.full(graph.nodes, UNREACHED, np.int32)
    hops[seeds] = 0
    frontier = np.unique(seeds)
    for hop in range(1, max_hops + 1):
        positions, _ = graph.positions(frontier)
        found = np.zeros(graph.nodes, bool)
        found[graph.neighbours[positions]] = True
        found &= hops == UNREACHED
        frontier = np.flatnonzero(found)
        if not len(frontier):
            break
        hops[frontier] = hop
        if ends is not None:
            frontier = frontier[~ends[frontier]]
    return hops


def spread_labels(
    graph: Adjacency, reverse: Adjacency, labels: Labels, usable: NDArray[np.bool_]
) -> list[Labels]:
    """Carry bit sets along the usable edges to every node that can be reached, level by level.

    ``reverse`` is ``graph`` by target, ``labels[node]`` the set a node starts with, ``usable[edge]``
    whether an edge id may be walked. Returns the sets *newly* gained at each level, level 0 being
    ``labels``: bit b is in level h of node v when the nearest node that started with b is h edges away
    from v. Up to 64 traversals cost about as much as one.
    """
    levels = [labels]
    known = labels.copy()
    frontier = np.flatnonzero(labels)
    walkable = np.where(usable[reverse.edges], ~np.uint64(0), np.uint64(0))
    while len(frontier):
        reached = int((graph.indptr[frontier + 1] - graph.indptr[frontier]).sum())
        if DENSE_SHARE * reached > len(graph.edges):
            gained = _pull(reverse, levels[-1], walkable)
        else:
            gained = _push(graph, levels[-1], frontier, usable)
        gained &= ~known
        known |= gained
        frontier = np.flatnonzero(gained)
        if len(frontier):
            levels.append(gained)
    return levels


def _push(graph: Adjacency, labels: Labels, frontier: Indices, usable: NDArray[np.bool_]) -> Labels:
    """One step from the frontier outwards: work in proportion to the frontier's edges."""
    positions, owner = graph.positions(frontier)
    walked = usable[graph.edges[positions]]
    gained = np.zeros(graph.nodes, np.uint64)
    np.bitwise_or.at(gained, graph.neighbours[positions[walked]], labels[frontier[owner[walked]]])
    return gained


def _pull(reverse: Adjacency, labels: Labels, walkable: Labels) -> Labels:
    """The same step, asked of every node: one pass over all edges, without scattered writes."""
    gained = np.zeros(reverse.nodes, np.uint64)
    filled = np.flatnonzero(np.diff(reverse.indptr) > 0)
    incoming = labels[reverse.neighbours] & walkable
    gained[filled] = np.bitwise_or.reduceat(incoming, reverse.indptr[filled])
    return gained
