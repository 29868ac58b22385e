"""From a question to an order of chunks, as published: nodes, hops, chunk scores (QCG-RAG, section 3; design 2.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.graph.hops import expand_hops
from aitia.graph.order import Indices, descending
from aitia.methods.qcg.config import QuerySettings, Score


@dataclass(frozen=True, slots=True)
class Walk:
    """Q*: ``nodes`` with the hop that reached each, 0 for Q_r, and cosines; ``chunks`` with scores, best first."""

    nodes: Indices
    hops: Indices
    cosines: NDArray[np.float32]
    chunks: Indices
    scores: NDArray[np.float32]


def walk_graph(
    cosines: NDArray[np.float32], neighbours: Indices, chunk_of: Indices, settings: QuerySettings
) -> Walk:
    """Q_r, its expansion, and the chunks of both, ties by id.

    ``cosines`` of the question to each node and ``chunk_of`` are of shape (nodes,), ``neighbours`` of shape
    (nodes, k) with -1 for none.
    """
    near = nearest(cosines, settings.nodes)
    seeds = near[cosines[near] >= settings.min_cosine]
    found = expand_hops(neighbours, seeds, settings.hops)
    own = cosines[found.nodes]
    chunks, scores = score_chunks(own, chunk_of[found.nodes], settings.score, settings.top_m)
    order = descending(scores)
    return Walk(found.nodes, found.hops, own, chunks[order], scores[order])


def nearest(scores: NDArray[np.float32], count: int) -> Indices:
    """Positions of the highest scores, best first, ties by position, without sorting the others."""
    if count < len(scores):
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        some = np.flatnonzero(scores >= least)
    else:
        some = np.arange(len(scores))
    return some[descending(scores[some])][:count]


def score_chunks(
    values: NDArray[np.float32], chunk_of: Indices, score: Score, top_m: int
) -> tuple[Indices, NDArray[np.float32]]:
    """The chunks that nodes belong to, by id, and the mean, sum or maximum of their nodes' values.

    ``topm`` is the sum of the best ``top_m``. Both arguments are of shape (nodes,).
    """
    order = np.lexsort((-values, chunk_of))
    chunks, starts, counts = np.unique(chunk_of[order], return_index=True, return_counts=True)
    ranked = values[order].astype(np.float64)
    if not len(chunks):
        return chunks.astype(np.int64), np.zeros(0, np.float32)
    if score == "max":
        result = ranked[starts]
    else:
        if score == "topm":
            ranked[np.arange(len(ranked)) - np.repeat(starts, counts) >= top_m] = 0
        result = np.add.reduceat(ranked, starts)
        if score == "mean":
            result /= counts
    return chunks.astype(np.int64), result.astype(np.float32)
