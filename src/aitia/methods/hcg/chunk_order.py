"""The order of the evidence inside the cones: which chunks a walk offers, best first (design 2.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices, ascending, descending
from aitia.methods.hcg.cones import Cones, cone_ranks
from aitia.methods.hcg.config import Ablation
from aitia.methods.hcg.match import Scores
from aitia.methods.hcg.reach import UNREACHED, Reach

OUTSIDE = 2**29
"""Stands for no hops and for no rank; an int32 holds the sum of both."""

Keys = NDArray[np.int32]


def order_chunks(
    reached: Reach, cones: Cones, chunk_cosines: Scores, ablation: Ablation
) -> tuple[Indices, Indices]:
    """Chunks linked to the edges inside the kept cones, best first, and their (cone rank, hops).

    A chunk takes the smallest (cone rank, hops) of its edges; then its cosine to the question decides,
    then its position. Hops of an edge are its source's from the nearest match, plus 1; by the order
    ``nearest`` they are those of its nearer end, and cones count for nothing. The keys have the shape
    (chunks, 2).
    """
    evidence = reached.graph.evidence_by_chunk
    if not len(evidence.chunks):
        return np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
    by_cone = ablation.cones and ablation.order == "cones"
    ranks = cone_ranks(reached, cones) if by_cone else np.where(reached.inside, 0, -1)
    levels = int(reached.hops.max(initial=0)) + 2
    best = np.minimum.reduceat(_keys(reached, ranks, levels, ablation), evidence.starts)
    _add_isolated(best, reached, ranks, levels, ablation)
    found = np.flatnonzero(best < OUTSIDE)
    found = found[descending(chunk_cosines[evidence.chunks[found]])]
    found = found[ascending(best[found])]
    return evidence.chunks[found], np.stack(np.divmod(best[found].astype(np.int64), levels), axis=1)


def _keys(reached: Reach, ranks: Indices, levels: int, ablation: Ablation) -> Keys:
    """``rank * levels + hops`` of the edge of each piece of evidence, in order of chunks.

    An edge of G_q is in a cone if its target is; those into isolated matches are left out here.
    """
    evidence = reached.graph.evidence_by_chunk
    place = np.where(reached.reached & (ranks >= 0), ranks * levels, OUTSIDE).astype(np.int32)
    if ablation.order == "nearest":
        leave = np.where(reached.emitting, reached.hops, OUTSIDE).astype(np.int32)
        enter = np.where(reached.hops == UNREACHED, OUTSIDE, reached.hops).astype(np.int32)
        near = leave[evidence.sources]
        return place[evidence.targets] + np.where(
            near < OUTSIDE, np.minimum(near, enter[evidence.targets]), near
        )
    leave = np.where(reached.emitting, reached.hops + 1, OUTSIDE).astype(np.int32)
    keys: Keys = place[evidence.targets]
    keys += leave[evidence.sources]
    return keys


def _add_isolated(best: Keys, reached: Reach, ranks: Indices, levels: int, ablation: Ablation) -> None:
    """Lower the keys of the chunks that are evidence of edges into isolated matches."""
    if not len(reached.into_isolated):
        return
    graph = reached.graph
    edges = graph.backward.edges[reached.into_isolated]
    edges = edges[ranks[graph.targets[edges]] >= 0]
    first, last = np.searchsorted(graph.edge_of, edges), np.searchsorted(graph.edge_of, edges, side="right")
    counts = last - first
    rows = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    hops = 0 if ablation.order == "nearest" else 1
    keys = np.repeat(ranks[graph.targets[edges]] * levels + hops, counts).astype(np.int32)
    chunks = np.searchsorted(graph.evidence_by_chunk.chunks, graph.chunk_of[rows])
    np.minimum.at(best, chunks, keys)
