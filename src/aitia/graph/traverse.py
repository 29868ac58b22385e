"""Breadth-first traversal over `Adjacency`, a step at a time, for many starting nodes at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.csr import Adjacency
from aitia.graph.order import Indices

DENSE_SHARE = 0.4
"""A step that touches more than this share of all edges is done over all of them (measured crossover)."""

Labels = NDArray[np.unsignedinteger[Any]]
"""A set of starting nodes for each node, as bits."""

Nodes = NDArray[np.bool_]
"""Which nodes, shape (nodes,)."""


class Level(NamedTuple):
    """The nodes that a step reached, ascending, and the starting nodes that are new to each of them."""

    nodes: Indices
    gained: Labels


def start_labels(seeds: Indices, nodes: int) -> tuple[Labels, Level]:
    """What each node knows before the first step, and level 0: bit b stands for ``seeds[b]``.

    There are at most 64 seeds, all different.
    """
    known: Labels = np.zeros(nodes, np.uint16 if len(seeds) <= 16 else np.uint64)
    known[seeds] = bits(len(seeds), known)
    reached = np.sort(seeds)
    return known, Level(reached, known[reached])


def bits(count: int, labels: Labels) -> Labels:
    """The first bits, one an entry, of the type of labels."""
    places = np.arange(count, dtype=labels.dtype)
    return np.ones_like(places) << places


def spread_labels(
    graph: Adjacency, reverse: Adjacency, known: Labels, level: Level, inside: Nodes | None = None
) -> Level:
    """Carry what the nodes of a level gained one edge further, and add it to ``known`` in place.

    ``reverse`` is ``graph`` by target. Only nodes of ``inside`` are entered. Bit b is gained by a node at
    level h when the way from starting node b to it has h edges. All bits together cost about as much as
    one: the work is in proportion to the edges of the level's nodes, at most all edges.
    """
    if (graph.indptr[level.nodes + 1] - graph.indptr[level.nodes]).sum() > DENSE_SHARE * len(graph.edges):
        gained = _pull(reverse, level, known.dtype)
        gained &= ~known
    else:
        gained = _push(graph, level, known)
    if inside is not None:
        gained[~inside] = 0
    nodes = gained.nonzero()[0]
    known |= gained
    return Level(nodes, gained[nodes])


def _push(graph: Adjacency, level: Level, known: Labels) -> Labels:
    """Along the edges of the level's nodes."""
    positions, counts = graph.positions(level.nodes)
    targets = graph.neighbours[positions]
    labels = np.repeat(level.gained, counts)
    labels &= ~known[targets]
    gained = np.zeros_like(known)
    or_at(gained, targets, labels)
    return gained


def _pull(reverse: Adjacency, level: Level, kind: np.dtype[Any]) -> Labels:
    """The same, asked of every node: one pass over all edges, without scattered writes."""
    gained = np.zeros(reverse.nodes, kind)
    offered = np.zeros(reverse.nodes, kind)
    offered[level.nodes] = level.gained
    entered = np.flatnonzero(np.diff(reverse.indptr))
    gained[entered] = np.bitwise_or.reduceat(offered[reverse.neighbours], reverse.indptr[entered])
    return gained


def or_at(sets: Labels, places: Indices, labels: Labels) -> None:
    """``sets[place] |= label`` for every pair, as `numpy.bitwise_or.at` does it, several times faster.

    Of several labels for one place a plain assignment keeps one; those that lost a bit have another turn.
    """
    left = labels.nonzero()[0]
    places, labels = places[left], labels[left]
    while len(places):
        sets[places] |= labels
        left = (labels & ~sets[places]).nonzero()[0]
        places, labels = places[left], labels[left]


def take_reachable(graph: Adjacency, seeds: Indices, free: Nodes) -> Indices:
    """All ``free`` nodes that are reached from the seeds over free nodes; they are free no longer.

    The seeds themselves need not be free, and are among the result only if they are and were reached.
    """
    found: list[Indices] = [seeds[:0]]
    frontier = seeds
    while len(frontier):
        positions, _ = graph.positions(frontier)
        entered = np.zeros(graph.nodes, bool)
        entered[graph.neighbours[positions]] = True
        entered &= free
        frontier = entered.nonzero()[0]
        free[frontier] = False
        found.append(frontier)
    return np.concatenate(found)
