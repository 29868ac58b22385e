"""Definition 4: outcome cones, their order, and the order of the evidence inside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.graph.causal import GraphArrays
from aitia.graph.csr import Indices
from aitia.graph.traverse import spread_labels
from aitia.methods.hcg.config import Ablation
from aitia.methods.hcg.match import Match, Scores
from aitia.methods.hcg.reach import Reach

NO_OUTCOME = -1
"""The metric of the one cone that stands for all of G_q when it reaches no outcome."""


@dataclass(frozen=True, slots=True)
class Cone:
    """The part of G_q that reaches the outcomes of one metric.

    ``convergence`` counts the matched variables inside (the rank's first key), ``nearness`` and
    ``similarity`` break ties (design 2.4); ``members[variable]`` tells who is inside.
    """

    metric: int
    convergence: int
    nearness: float
    similarity: float
    members: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cones:
    """The kept cones, best first; how many were found; how many tied with a neighbour on convergence."""

    kept: tuple[Cone, ...]
    found: int
    tied: int


def outcome_cones(graph: GraphArrays, match: Match, reached: Reach, cosines: Scores, limit: int) -> Cones:
    """The best ``limit`` cones. One reverse reach serves all outcomes of a metric together."""
    inside = reached.hops >= 0
    inside[graph.sources[reached.edges]] = inside[graph.targets[reached.edges]] = True
    outcomes = np.flatnonzero(inside & graph.is_outcome)
    if not len(outcomes):
        everything = Cone(NO_OUTCOME, len(match.variables), 0.0, 0.0, inside)
        return Cones((everything,), 1, 0)
    metrics, group = np.unique(graph.metric_of[outcomes], return_inverse=True)
    convergence, nearness = _convergence(graph, match, reached, outcomes, group)
    similarity = np.full(len(metrics), -np.inf, np.float32)
    np.maximum.at(similarity, group, cosines[outcomes])
    order = np.lexsort((metrics, -similarity, -nearness, -convergence))
    kept = order[:limit]
    members = _members(graph, reached, outcomes, group, kept)
    cones = tuple(
        Cone(int(metrics[row]), int(convergence[row]), float(nearness[row]), float(similarity[row]), inner)
        for row, inner in zip(kept, members, strict=True)
    )
    counts = np.unique(convergence, return_counts=True)[1]
    return Cones(cones, len(metrics), int(counts[counts > 1].sum()))


def _convergence(
    graph: GraphArrays, match: Match, reached: Reach, outcomes: Indices, group: Indices
) -> tuple[Indices, NDArray[np.float64]]:
    """For each metric: |K ∩ V_q|, and the sum over K ∩ V_q of cos(q, v) / (1 + hops to an outcome).

    Walks forward from the matched variables, a bit each, which finds the same pairs as a reverse walk
    from every metric's outcomes: there are at most K * P = 15 of the former and up to |M| of the latter.
    """
    metrics = int(group.max()) + 1
    convergence = np.zeros(metrics, np.int64)
    nearness = np.zeros(metrics, np.float64)
    for first in range(0, len(match.variables), 64):
        variables = match.variables[first : first + 64]
        bits = np.uint64(1) << np.arange(len(variables), dtype=np.uint64)
        labels = np.zeros(graph.nodes, np.uint64)
        labels[variables] = bits
        known = np.zeros(metrics, np.uint64)
        for hop, gained in enumerate(spread_labels(graph.forward, graph.backward, labels, reached.edges)):
            arrived = np.zeros(metrics, np.uint64)
            np.bitwise_or.at(arrived, group, gained[outcomes])
            arrived &= ~known
            known |= arrived
            present = (arrived[:, None] & bits) != 0
            convergence += present.sum(axis=1)
            nearness += present @ match.cosines[first : first + 64].astype(np.float64) / (1 + hop)
    return convergence, nearness


def _members(
    graph: GraphArrays, reached: Reach, outcomes: Indices, group: Indices, kept: Indices
) -> list[NDArray[np.bool_]]:
    """Who reaches the outcomes of each kept metric inside G_q, the outcomes included."""
    members: list[NDArray[np.bool_]] = []
    for first in range(0, len(kept), 64):
        rows = kept[first : first + 64]
        labels = np.zeros(graph.nodes, np.uint64)
        for bit, row in enumerate(rows):
            labels[outcomes[group == row]] |= np.uint64(1) << np.uint64(bit)
        levels = spread_labels(graph.backward, graph.forward, labels, reached.edges)
        known = np.bitwise_or.reduce(levels)
        members += [(known >> np.uint64(bit) & np.uint64(1)).astype(bool) for bit in range(len(rows))]
    return members


def order_chunks(
    graph: GraphArrays, reached: Reach, cones: Cones, chunk_cosines: Scores, ablation: Ablation
) -> tuple[Indices, NDArray[np.float64]]:
    """Chunks linked to the edges inside the kept cones, best first, and their sort keys.

    A chunk takes the smallest (cone rank, hops) of its edges; then its cosine to the question decides,
    then its position. Hops of an edge are its source's from the nearest match, plus 1; by the order
    ``nearest`` they are those of its nearer end, and cones count for nothing. The keys, shape
    (chunks, 2), hold cone rank and hops.
    """
    far = len(reached.hops) + 2.0
    hops = np.maximum(reached.hops[graph.sources], 0) + 1.0
    if ablation.order == "nearest":
        ends = np.stack([reached.hops[graph.sources], reached.hops[graph.targets]])
        hops = np.where(ends < 0, far - 1, ends).min(axis=0) + 0.0
    if ablation.cones and ablation.order == "cones":
        rank = np.full(len(graph.sources), np.inf)
        for position in range(len(cones.kept) - 1, -1, -1):
            rank[reached.edges & cones.kept[position].members[graph.targets]] = position
    else:
        rank = np.where(reached.edges, 0.0, np.inf)
    order, starts = graph.evidence_by_chunk
    if not len(order):
        return np.zeros(0, np.int64), np.zeros((0, 2))
    chunk_key = np.minimum.reduceat((rank * far + hops)[graph.edge_of[order]], starts)
    chunks = graph.chunk_of[order][starts]
    found = np.isfinite(chunk_key)
    chunks, chunk_key = chunks[found], chunk_key[found]
    best = np.lexsort((chunks, -chunk_cosines[chunks], chunk_key))
    keys = np.stack(np.divmod(chunk_key[best], far), axis=1)
    return chunks[best], keys
