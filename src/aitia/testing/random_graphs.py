"""Seeded graphs of any size, for tests that compare two implementations and for measuring speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aitia.graph.causal import ROLES, GraphArrays


@dataclass(frozen=True, slots=True)
class Size:
    """How large a random graph is. ``evidence`` counts chunks an edge."""

    variables: int
    edges: int
    metrics: int
    chunks: int
    evidence: int = 2


def random_graph(generator: np.random.Generator, size: Size) -> GraphArrays:
    """A graph without self-loops, its edges in order of source and target and its evidence in edge order.

    Targets are skewed (a few variables receive most edges), as in graphs made from text. An eighth of
    the metrics are terminal and emit nothing, a quarter outcomes. Two edges may join the same pair.
    """
    metric_of = np.sort(generator.integers(0, size.metrics, size.variables))
    share = generator.random(size.metrics)
    roles = np.where(
        share < 0.125, ROLES.index("terminal"), np.where(share < 0.375, ROLES.index("outcome"), 0)
    )
    emitting = np.flatnonzero(roles[metric_of] != ROLES.index("terminal"))
    edges = size.edges if len(emitting) and size.variables > 1 else 0
    sources = emitting[generator.integers(0, max(len(emitting), 1), edges)]
    order = generator.permutation(size.variables)
    targets = order[(size.variables * generator.random(edges) ** 2).astype(np.int64)]
    loops = sources == targets
    targets[loops] = (targets[loops] + 1) % size.variables
    pairs = np.lexsort((targets, sources))
    return GraphArrays(
        sources=sources[pairs],
        targets=targets[pairs],
        metric_of=metric_of,
        roles=roles.astype(np.int64),
        edge_of=np.repeat(np.arange(edges), size.evidence),
        chunk_of=generator.integers(0, max(size.chunks, 1), edges * size.evidence),
    )
