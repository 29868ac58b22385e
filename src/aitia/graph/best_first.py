"""Best-first expansion from seeds by gain, over edges of several types (HugRAG's traversal, its equation 3).

The queue holds the best edge left of each expanded node and not every edge, so that the work in Python is
in proportion to the nodes taken and not to their edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.csr import Adjacency
from aitia.graph.order import Indices


class EdgeType(IntEnum):
    """What an edge of a unified graph says."""

    STRUCTURAL = 0
    HIERARCHICAL = 1
    CAUSAL = 2


Stop = Literal["exhausted", "nodes", "tokens", "gain"]
"""What kept the next node out: there was none, a budget, or the gain floor."""


@dataclass(frozen=True, slots=True)
class Search:
    """How gain falls with hops, what the edge types weigh (structural, hierarchical, causal), and the limits.

    ``tokens`` None is no limit. ``floor`` is the least gain that is still expanded.
    """

    gamma: float = 0.7
    weights: tuple[float, float, float] = (0.8, 1.0, 1.2)
    nodes: int = 200
    tokens: int | None = None
    floor: float = 0.0


@dataclass(frozen=True, slots=True)
class Expansion:
    """One row for each expansion, in order; all arrays are of shape (rows,).

    A node that a better way reaches later stands again with it, and what hangs on its first row stays there:
    so ``depths`` are the lengths of the ways that ``parents`` (rows, -1 at a seed) tell, and no way passes a
    node twice. ``edges`` are edge ids, -1 at a seed. ``final`` marks the last row of each node.
    """

    nodes: Indices
    gains: NDArray[np.float64]
    depths: Indices
    parents: Indices
    edges: Indices
    final: NDArray[np.bool_]
    stopped: Stop

    def path(self, row: int) -> list[int]:
        """The rows from a seed's to this one."""
        rows = [row]
        while self.parents[rows[-1]] >= 0:
            rows.append(int(self.parents[rows[-1]]))
        return rows[::-1]


class _Way(NamedTuple):
    """A way to a node, in the order in which ways are followed: ``loss`` is the gain, negated."""

    loss: float
    node: int
    depth: int
    parent: int
    edge: int


def best_first(
    graph: Adjacency,
    edge_types: NDArray[np.integer],
    similarities: NDArray[np.floating],
    seeds: Indices,
    search: Search,
    tokens: NDArray[np.integer] | None = None,
) -> Expansion:
    """Follow the way of greatest gain until a limit keeps the next node out.

    gain(v) = similarity(v) * gamma ** depth * weight(type of the edge taken); a seed's is its similarity.
    Depth is the number of edges from the seed. ``edge_types`` are `EdgeType` by edge id, ``similarities``
    and ``tokens`` by node. A node that is expanded already is expanded again by a way of greater gain that
    does not pass it, at no cost to the budgets. Ties: smaller node, depth, row of the parent, edge id.
    """
    frontier = _Frontier(graph, edge_types, similarities, search)
    rows: list[_Way] = []
    spent = 0
    stopped: Stop = "exhausted"
    for way in frontier.ways(seeds):
        if frontier.gains[way.node] >= -way.loss or _passes(rows, way):
            continue
        if -way.loss < search.floor:
            stopped = "gain"
            break
        if frontier.gains[way.node] == -np.inf:
            cost = int(tokens[way.node]) if tokens is not None else 0
            if frontier.count == search.nodes:
                stopped = "nodes"
                break
            if search.tokens is not None and spent + cost > search.tokens:
                stopped = "tokens"
                break
            spent += cost
        frontier.expand(way, len(rows))
        rows.append(way)
    return _expansion(rows, stopped)


class _Frontier:
    """The ways that lead on from what was expanded."""

    def __init__(
        self,
        graph: Adjacency,
        edge_types: NDArray[np.integer],
        similarities: NDArray[np.floating],
        search: Search,
    ) -> None:
        self.gains = np.full(graph.nodes, -np.inf)
        """The gain by which each node was expanded last."""
        self.count = 0
        """Nodes expanded, each once."""
        self._graph, self._types, self._similarities = graph, edge_types, similarities
        self._gamma, self._weights = search.gamma, np.array(search.weights, np.float64)
        self._queue: list[tuple[_Way, Iterator[_Way]]] = []

    def ways(self, seeds: Indices) -> Iterator[_Way]:
        """Ways in order of gain; what `expand` adds meanwhile is among them."""
        none: Iterator[_Way] = iter(())
        self._queue = [
            (_Way(-float(self._similarities[seed]), seed, 0, -1, -1), none)
            for seed in np.unique(seeds).tolist()
        ]
        heapify(self._queue)
        while self._queue:
            way, more = heappop(self._queue)
            yield way
            self._push(more)

    def expand(self, way: _Way, row: int) -> None:
        """Open a node's edges: those of them that would reach a node better than before."""
        self.count += self.gains[way.node] == -np.inf
        self.gains[way.node] = -way.loss
        here = slice(self._graph.indptr[way.node], self._graph.indptr[way.node + 1])
        nodes, edges = self._graph.neighbours[here], self._graph.edges[here]
        gains = np.asarray(self._similarities[nodes], np.float64) * self._gamma ** (way.depth + 1)
        gains *= self._weights[self._types[edges]]
        better = (gains > self.gains[nodes]).nonzero()[0]
        losses, nodes, edges = -gains[better], nodes[better], edges[better]
        order = np.lexsort((nodes, losses))  # stable: a node's edges stand in id order
        ways = zip(losses[order].tolist(), nodes[order].tolist(), edges[order].tolist(), strict=True)
        self._push(_Way(loss, node, way.depth + 1, row, edge) for loss, node, edge in ways)

    def _push(self, ways: Iterator[_Way]) -> None:
        way = next(ways, None)
        if way is not None:
            heappush(self._queue, (way, ways))


def _passes(rows: list[_Way], way: _Way) -> bool:
    """Whether a way comes through the node that it leads to."""
    row = way.parent
    while row >= 0:
        if rows[row].node == way.node:
            return True
        row = rows[row].parent
    return False


def _expansion(rows: list[_Way], stopped: Stop) -> Expansion:
    table = np.array([way[1:] for way in rows], np.int64).reshape(-1, 4)
    nodes, depths, parents, edges = table.T
    final = np.zeros(len(rows), bool)
    final[len(rows) - 1 - np.unique(nodes[::-1], return_index=True)[1]] = True
    return Expansion(nodes, np.array([-way.loss for way in rows]), depths, parents, edges, final, stopped)
