"""Which ways through what a search reached are worth telling as chains."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.best_first import EdgeType, Expansion
from aitia.methods.hug.nodes import NodeGraph
from aitia.methods.hug.search import TELLING

LONGEST = 8
"""Most edges of a chain that is shown."""
THROUGH_GATE = 2
"""Most chains through one gate."""


class Way(NamedTuple):
    """Nodes from a seed on, and the ids of the edges between them; see `NodeGraph.both_ways`."""

    nodes: list[int]
    edges: list[int]


def best_ways(expansion: Expansion, graph: NodeGraph, limit: int) -> list[Way]:
    """The best ways between two entities, at least one edge long; those with a causal edge first.

    A way that is part of a better one is left out, and so is the third through one gate.
    """
    ends = np.flatnonzero(
        expansion.final
        & (expansion.depths > 0)
        & (expansion.depths <= LONGEST)
        & (graph.levels[expansion.nodes] == 0)
    )
    causal, strength = _strengths(expansion, graph)
    order = ends[np.lexsort((ends, -strength[ends], ~causal[ends]))]
    chosen: list[Way] = []
    passed: set[int] = set()
    gates: Counter[int] = Counter()
    for row in order.tolist():
        if len(chosen) == limit:
            break
        rows = expansion.path(row)
        edges = expansion.edges[rows[1:]]
        through = [
            edge for edge in (edges % len(graph.types)).tolist() if graph.types[edge] == EdgeType.CAUSAL
        ]
        if row in passed or any(gates[edge] >= THROUGH_GATE for edge in through):
            continue
        passed.update(rows)
        gates.update(through)
        chosen.append(Way(expansion.nodes[rows].tolist(), edges.tolist()))
    return chosen


def _strengths(expansion: Expansion, graph: NodeGraph) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether the way to each row has a causal edge, and its seed's gain times the weights of its edges."""
    if not len(graph.sources):
        return np.zeros(len(expansion.nodes), bool), expansion.gains.copy()
    edges = np.maximum(expansion.edges, 0) % len(graph.sources)
    is_causal = (graph.stated | (graph.types == EdgeType.CAUSAL))[edges] & (expansion.edges >= 0)
    types = np.where(is_causal, int(EdgeType.CAUSAL), graph.types[edges])
    strength = TELLING.gamma * np.array(TELLING.weights)[types]
    for row, parent in enumerate(expansion.parents.tolist()):
        strength[row] = strength[row] * strength[parent] if parent >= 0 else expansion.gains[row]
        is_causal[row] |= parent >= 0 and is_causal[parent]
    return is_causal, strength
