"""The QCG-RAG build: query nodes, their nearest neighbours, their words (QCG-RAG, section 3)."""

from __future__ import annotations

from dataclasses import astuple
from itertools import groupby
from typing import Any

import numpy as np

from aitia.graph.csr import adjacency
from aitia.graph.knn import knn_graph
from aitia.graph.order import Indices
from aitia.methods.build import BuildRequest, Built
from aitia.methods.qcg.config import BuildSettings
from aitia.methods.qcg.nodes import QueryNodes, write_nodes
from aitia.methods.qcg.wording import context_of, matched_texts, words_to_match
from aitia.retrieval.lexical import index_terms
from aitia.retrieval.text_index import terms_arrays
from aitia.storage.contents import Array


def build(request: BuildRequest, settings: BuildSettings) -> Built:
    """Build the graph. Deterministic for the same request, settings and analyst."""
    nodes = write_nodes(request, settings)
    request.report("neighbours")
    groups = nodes.chunk if settings.cross_chunk_only else None
    neighbours = knn_graph(nodes.vectors, settings.neighbours, groups=groups).ids
    if settings.symmetric:
        neighbours = both_ways(neighbours)
    facts: dict[str, Any] = {
        "query_nodes": {
            "written": nodes.written,
            "distinct": nodes.distinct,
            "fragments": nodes.fragments,
            "kept": len(nodes.claims),
            "with_question": nodes.with_question,
            "sentences": len(nodes.claims) - nodes.with_question,
            "edges": int((neighbours >= 0).sum()),
        }
    }
    if not nodes.claims and not request.analyst.unread:
        facts["warnings"] = [_nothing_written(request, settings)]
    arrays: dict[str, Array] = {
        "qcg_node_chunk": nodes.chunk,
        "qcg_node_vectors": nodes.vectors,
        "qcg_node_neighbours": neighbours,
        "qcg_node_relevance": nodes.relevance,
        **terms_arrays("qcg_node", index_terms(_node_words(request, nodes))),
        **terms_arrays("qcg_context", index_terms(_chunk_words(request))),
    }
    records = [
        {
            "chunk": claim.chunk_id,
            "question": claim.question,
            "answer": claim.answer,
            "relevance": round(float(score), 4),
        }
        for claim, score in zip(nodes.claims, nodes.relevance, strict=True)
    ]
    return Built(
        arrays=arrays,
        facts=facts,
        rejected=tuple(request.analyst.rejected),
        records={"query_nodes": records},
        unread=tuple(sorted(request.analyst.unread, key=astuple)),
    )


def _nothing_written(request: BuildRequest, settings: BuildSettings) -> str:
    what = "question" if settings.node == "query" else "pair or sentence that says something"
    count = len(request.chunks)
    chunks = f"{count:,} chunk{'s' * (count != 1)}"
    rules = " (the rules write them for definitions alone)" if request.analyst.name == "rules" else ""
    instead = f"{rules}; use --set node=query+answer or node=sentence" if settings.node == "query" else ""
    return (
        f"the graph of questions is empty: no {what} was found for {chunks}{instead}; "
        "questions are answered from the text alone"
    )


def both_ways(neighbours: Indices) -> Indices:
    """The table with each edge in both directions, rows by id without repeats, filled up with -1."""
    count = len(neighbours)
    sources, places = np.nonzero(neighbours >= 0)
    targets = neighbours[sources, places]
    pairs = np.unique(np.concatenate([sources * count + targets, targets * count + sources]))
    walk = adjacency(pairs // max(count, 1), pairs % max(count, 1), count)
    degrees = np.diff(walk.indptr)
    table = np.full((count, int(degrees.max(initial=0))), -1)
    rows = np.repeat(np.arange(count), degrees)
    table[rows, np.arange(len(pairs)) - walk.indptr[rows]] = walk.neighbours
    return table


def _node_words(request: BuildRequest, nodes: QueryNodes) -> list[str]:
    chunk_of = {chunk.id: chunk for chunk in request.chunks}
    return [
        text
        for chunk_id, claims in groupby(nodes.claims, lambda claim: claim.chunk_id)
        for text in matched_texts(chunk_of[chunk_id], list(claims))
    ]


def _chunk_words(request: BuildRequest) -> list[str]:
    return [words_to_match(f"{context_of(chunk)} {chunk.text}") for chunk in request.chunks]
