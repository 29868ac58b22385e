"""Definition 3: the subgraph G_q that the matched variables reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aitia.graph.causal import GraphArrays
from aitia.graph.csr import Adjacency
from aitia.graph.order import Indices
from aitia.graph.traverse import Labels, Level, Nodes, spread_labels, start_labels
from aitia.methods.hcg.config import Ablation

UNREACHED = -1
LABELS = 64


@dataclass(frozen=True, slots=True)
class Spread:
    """How at most 64 matched variables, bit 0 the first, reached others: by level, and altogether."""

    matched: Indices
    levels: tuple[Level, ...]
    known: Labels


@dataclass(frozen=True)
class Reach:
    """G_q: an edge is in it if its source is of ``emitting`` and its target was reached, or is isolated.

    ``hops[variable]`` from the nearest match, `UNREACHED` where there is no way. ``isolated`` are the
    matched variables without an edge to or from V_r, which bring in the edges into them (recorded
    fallback, design 2.4); the sources of those edges are outside V_r and lead nowhere else.
    """

    graph: GraphArrays
    hops: Indices
    emitting: Nodes
    isolated: Indices
    spreads: tuple[Spread, ...]

    @cached_property
    def reached(self) -> Nodes:
        """The variables V_r."""
        return np.asarray(self.hops != UNREACHED, bool)

    @cached_property
    def inside(self) -> Nodes:
        """V_r, and the sources of the edges into isolated matches."""
        inside = self.reached.copy()
        inside[self.graph.backward.neighbours[self.into_isolated]] = True
        return inside

    @cached_property
    def into_isolated(self) -> Indices:
        """Positions in the reverse adjacency of the edges into isolated matches."""
        return self.graph.backward.positions(self.isolated)[0]

    @cached_property
    def edges(self) -> Nodes:
        """Which edges are in E_q, shape (edges,)."""
        edges = self.emitting[self.graph.sources] & self.reached[self.graph.targets]
        edges[self.graph.backward.edges[self.into_isolated]] = True
        return np.asarray(edges, bool)

    @property
    def share(self) -> tuple[float, ...]:
        """The part of V within 1, 2, 3 and 4 hops."""
        if not len(self.hops):
            return ()
        within = np.cumsum(np.bincount(np.minimum(self.hops + 1, 6), minlength=7)[1:])
        return tuple(float(count / len(self.hops)) for count in within[1:5])


def reach(graph: GraphArrays, matched: Indices, max_hops: int, ablation: Ablation) -> Reach:
    """Forward reach within ``max_hops``, and all edges of the graph between the variables reached."""
    ends = np.zeros(graph.nodes, bool)
    if ablation.stop_at_outcomes:
        ends = graph.is_outcome.copy()
        ends[matched] = False
    spreads = tuple(_spreads(graph, matched, max_hops, ends))
    hops = np.full(graph.nodes, UNREACHED, np.int64)
    for hop in range(max_hops, -1, -1):
        for spread in spreads:
            if hop < len(spread.levels):
                hops[spread.levels[hop].nodes] = hop
    reached = hops != UNREACHED
    emitting = reached & ~ends
    if ablation.edges == "traversed":
        emitting &= hops < max_hops
    joined = _has_neighbour(graph.forward, matched, reached) | _has_neighbour(
        graph.backward, matched, reached
    )
    return Reach(graph, hops, emitting, np.sort(matched[~joined]), spreads)


def _spreads(graph: GraphArrays, matched: Indices, max_hops: int, ends: Nodes) -> Iterator[Spread]:
    for first in range(0, len(matched), LABELS):
        seeds = matched[first : first + LABELS]
        known, level = start_labels(seeds, graph.nodes)
        levels = [level]
        while len(levels) <= max_hops and len(level.nodes):
            on = np.flatnonzero(~ends[level.nodes])
            level = Level(level.nodes[on], level.gained[on])
            level = spread_labels(graph.forward, graph.backward, known, level)
            levels.append(level)
        yield Spread(seeds, tuple(levels), known)


def _has_neighbour(graph: Adjacency, nodes: Indices, wanted: Nodes) -> Nodes:
    """Which of the nodes have an edge to a wanted node."""
    positions, counts = graph.positions(nodes)
    owner = np.repeat(np.arange(len(nodes)), counts)
    found = np.zeros(len(nodes), bool)
    found[owner[wanted[graph.neighbours[positions]]]] = True
    return found
