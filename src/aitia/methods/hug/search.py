"""The search of HugRAG for one question: seeds of every level, gated best-first expansion (papers.md 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aitia.graph.best_first import EdgeType, Expansion, Search, best_first
from aitia.graph.csr import Adjacency, adjacency
from aitia.graph.order import Indices, descending
from aitia.methods.hug.config import Ablation, QuerySettings
from aitia.methods.hug.nodes import NodeGraph
from aitia.retrieval.dense import Vectors, cosines
from aitia.retrieval.diversify import diversify
from aitia.retrieval.fuse import Scores

CANDIDATES = 20
"""Best nodes of a level that seeds are chosen from."""
RELEVANCE = 0.7
"""Lambda of MMR."""
RELEVANT = 0.5
"""Share of the best seed's similarity that a seed needs for chains to begin at it."""
NEAR = 0.4
"""Least cosine of a node to the question from which on it is spoken of without a word in common.

Of the bundled embedder: the nearest names to questions of other fields have 0.15 to 0.31, those to questions in
other words than the corpus's 0.5 to 0.8.
"""
TELLING = Search(gamma=0.9, weights=(0.5, 0.3, 1.0), floor=1e-9)
"""How chains are looked for in what was reached: causal edges count most, and to share a module least."""


@dataclass(frozen=True)
class Walk:
    """What a search reached: similarities of all nodes, seeds, the expansion, and scores of the chunks.

    ``chunks`` is of shape (chunks,), 0 for a chunk that was not reached. ``widened`` says that the first
    budget ended before any passage. ``asked`` are the nodes that share a word with the question or are near it.
    """

    similarities: NDArray[np.float64]
    seeds: Indices
    expansion: Expansion
    chunks: Scores
    widened: bool
    asked: NDArray[np.bool_]


def closeness(
    graph: NodeGraph, question: str, vector: Vectors
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of every node BM25 over its greatest value, and the cosine; neither below 0."""
    lexical = graph.terms.scores(question).astype(np.float64)
    lexical /= max(float(lexical.max(initial=0.0)), 1e-9)
    dense = np.maximum(cosines(vector, graph.vectors), 0).astype(np.float64)
    return lexical, dense


def carry_over(graph: NodeGraph, scores: NDArray[np.float64], fall: float) -> NDArray[np.float64]:
    """Scores with what the gates bring: a module is as relevant as the one behind its gate, times the confidence.

    A cause is seldom worded like its effect, so by its own similarity alone nothing behind a gate would be
    followed. A module is as relevant as itself or the best of what it holds, times ``fall`` a level, and what
    a gate brings to a module it brings to all inside, times ``fall`` a level again. Gates count both ways;
    what is carried is not carried on.
    """
    gates = np.flatnonzero(graph.types == EdgeType.CAUSAL)
    ends = graph.sources[gates], graph.targets[gates]
    inner, outer = (each[graph.types == EdgeType.HIERARCHICAL] for each in (graph.sources, graph.targets))
    levels = int(graph.levels.max(initial=0))
    lifted, carried = scores.copy(), np.zeros(len(scores))
    for _ in range(levels):
        np.maximum.at(lifted, outer, lifted[inner] * fall)
    for here, there in (ends, ends[::-1]):
        np.maximum.at(carried, there, lifted[here] * graph.confidences[gates])
    for _ in range(levels):
        np.maximum.at(carried, inner, carried[outer] * fall)
    return np.maximum(scores, carried)


def search(
    graph: NodeGraph, question: str, vector: Vectors, settings: QuerySettings, ablation: Ablation
) -> Walk:
    """Seeds, expansion, and the passages of what was reached.

    If a budget ends before any passage was reached, once more with twice the budgets and the coarse seeds.
    """
    lexical, dense = closeness(graph, question, vector)
    own = scores = settings.dense_share * dense + (1 - settings.dense_share) * lexical
    if ablation.gates and ablation.hierarchy:
        scores = carry_over(graph, scores, settings.fall)
    edges, types = _edges(graph, _kept(graph, ablation))
    for factor in (1, 2):
        seeds = choose_seeds(graph, own, settings.seeds, settings.seeds * factor, ablation)
        limits = Search(
            settings.fall, settings.weights, settings.nodes * factor, settings.tokens * factor, settings.floor
        )
        expansion = best_first(edges, types, scores, seeds, limits, graph.tokens)
        chunks = chunk_scores(graph, expansion)
        if chunks.any() or expansion.stopped == "exhausted":
            break
    return Walk(own, seeds, expansion, chunks, factor == 2, (lexical > 0) | (dense >= NEAR))


def causal_ways(
    graph: NodeGraph, walk: Walk, ablation: Ablation, allowed: NDArray[np.bool_] | None = None
) -> Expansion:
    """Ways from the seed entities through the nodes that a search reached, causes stated of entities first.

    The search itself need not have taken them: it comes to most members of a module through the module. A link or
    gate is followed only if one of the ``allowed`` chunks states it.
    """
    kept = _kept(graph, ablation)
    if allowed is not None:
        kept &= (graph.types == EdgeType.HIERARCHICAL) | (graph.said @ allowed.astype(np.float32) > 0)
    edges, types = _edges(graph, kept)
    types = np.where(np.tile(graph.stated, 2), int(EdgeType.CAUSAL), types)
    final = walk.expansion.final
    gains = np.zeros(len(graph.levels))
    gains[walk.expansion.nodes[final]] = walk.expansion.gains[final]
    seeds = walk.seeds[graph.levels[walk.seeds] == 0]
    near = walk.similarities[seeds]
    seeds = seeds[near >= RELEVANT * near.max(initial=0.0)]
    return best_first(edges, types, gains, seeds, replace(TELLING, nodes=int(final.sum()) + 1))


def _kept(graph: NodeGraph, ablation: Ablation) -> NDArray[np.bool_]:
    """The edges that an ablation leaves, shape (edges,)."""
    keep = np.ones(len(graph.types), bool)
    if not ablation.gates:
        keep &= graph.types != EdgeType.CAUSAL
    if not ablation.hierarchy:
        keep &= graph.types != EdgeType.HIERARCHICAL
    return keep


def _edges(graph: NodeGraph, keep: NDArray[np.bool_]) -> tuple[Adjacency, Indices]:
    """The edges that are kept both ways, and the types of all."""
    types = np.concatenate([graph.types, graph.types])
    if keep.all():
        return graph.both_ways, types
    rows = np.flatnonzero(np.concatenate([keep, keep]))
    sources = np.concatenate([graph.sources, graph.targets])[rows]
    targets = np.concatenate([graph.targets, graph.sources])[rows]
    part = adjacency(sources, targets, len(graph.levels))
    return Adjacency(part.indptr, part.neighbours, rows[part.edges]), types


def choose_seeds(
    graph: NodeGraph, scores: NDArray[np.float64], fine: int, coarse: int, ablation: Ablation
) -> Indices:
    """The seeds of every level by MMR, ``fine`` entities and ``coarse`` modules a level; none scores 0."""
    seeds = []
    for level in range(int(graph.levels.max(initial=0)) + 1 if ablation.hierarchy else 1):
        nodes = np.flatnonzero((graph.levels == level) & (scores > 0))
        best = nodes[descending(scores[nodes].astype(np.float32))[:CANDIDATES]]
        count = coarse if level else fine
        seeds.append(diversify(best, scores[best], graph.vectors[best], count, RELEVANCE))
    return np.concatenate(seeds)


def chunk_scores(graph: NodeGraph, expansion: Expansion) -> Scores:
    """The squared gains of the entities that a chunk names, each times log(1 + chunks / chunks that name it).

    So one near and rare entity outweighs many far or common ones (measured, docs/methods/hug.md).
    """
    return np.asarray(worths(graph, expansion) @ graph.places, np.float32)


def worths(graph: NodeGraph, expansion: Expansion) -> NDArray[np.float64]:
    """What each node counts for a chunk that names it, shape (nodes,); 0 for modules and what was not reached."""
    gains = np.zeros(len(graph.levels), np.float64)
    rows = expansion.final & (graph.levels[expansion.nodes] == 0)
    gains[expansion.nodes[rows]] = expansion.gains[rows]
    named = np.maximum(np.diff(graph.places.indptr), 1)
    rarity = np.log1p(graph.places.shape[1] / named)
    return np.asarray(gains**2 * rarity, np.float64)
