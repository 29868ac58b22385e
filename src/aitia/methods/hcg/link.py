"""Edges with their evidence: quotes, then sentences and chunks that name both ends, then the nearest chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aitia.graph.calibrate import random_cosine
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence
from aitia.graph.link import QuoteFinder, merge_evidence, nearest_chunks
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.candidates import Mentions, shared_chunks, shared_sentences
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.judge import Judged
from aitia.methods.hcg.wording import edge_text
from aitia.spec.model import DomainSpec, Relation

SAMPLE = 400
"""Edges that are embedded to set tau_e."""


def link_evidence(
    spec: DomainSpec,
    mentions: Mentions,
    judged: Judged,
    request: BuildRequest,
    settings: BuildSettings,
    tau_e: float | None = None,
) -> tuple[CausalGraph, float]:
    """The graph with phi: E -> 2^C (design 2.3), and the threshold that its cosine links passed.

    Without ``tau_e`` it is set by these edges and chunks.
    """
    row_of = {variable.key: row for row, variable in enumerate(spec.variables)}
    ends = [(row_of[one.source], row_of[one.target]) for one in judged.relations]
    pairs = np.array(ends, np.int64).reshape(-1, 2)
    evidence = _verbatim(judged.relations, shared_sentences(mentions, pairs), mentions, request, settings)
    for found, rows in zip(evidence, shared_chunks(mentions, pairs, settings.mention_chunks), strict=True):
        known = {item.chunk for item in found}
        found += [_whole(request, int(row), "chunk") for row in rows if int(row) not in known]
    if tau_e is None:
        tau_e = _calibrate(judged.relations, request, settings)
    _add_nearest(judged.relations, evidence, request, settings, tau_e)
    edges = [
        CausalEdge(source, target, one.mechanism, one.confidence, one.polarity, merge_evidence(found))
        for (source, target), one, found in zip(ends, judged.relations, evidence, strict=True)
    ]
    ordered = tuple(sorted(edges, key=lambda edge: (edge.source, edge.target)))
    return CausalGraph(spec.metrics, spec.variables, judged.templates, ordered), tau_e


def _verbatim(
    relations: Sequence[Relation],
    sentences: Sequence[NDArray[np.int64]],
    mentions: Mentions,
    request: BuildRequest,
    settings: BuildSettings,
) -> list[list[EdgeEvidence]]:
    """For each relation its own quotes, and the sentences that name both ends."""
    chunk_row = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    finder = QuoteFinder(request.corpus.documents, request.chunks, settings.prefix_characters)
    evidence: list[list[EdgeEvidence]] = []
    for relation, columns in zip(relations, sentences, strict=True):
        own = [quote for quote in relation.quotes if quote.chunk_id in chunk_row]
        shared = [mentions.quotes[column] for column in columns]
        found = [item for q in own for item in finder.find(q.text, chunk_row[q.chunk_id], "quote")]
        found += [item for q in shared for item in finder.find(q.text, chunk_row[q.chunk_id], "mention")]
        evidence.append(found)
    return evidence


def _calibrate(relations: Sequence[Relation], request: BuildRequest, settings: BuildSettings) -> float:
    """tau_e: what one in a thousand random pairs of an edge and a chunk exceeds."""
    rows = np.sort(np.random.default_rng(settings.seed).permutation(len(relations))[:SAMPLE])
    vectors = request.embedder.embed([edge_text(relations[row]) for row in rows])
    return random_cosine(vectors, request.text.chunk_vectors, 99.9, settings.seed)


def _add_nearest(
    relations: Sequence[Relation],
    evidence: Sequence[list[EdgeEvidence]],
    request: BuildRequest,
    settings: BuildSettings,
    tau_e: float,
) -> None:
    """Link the nearest chunks to edges without a verbatim quote, or to all."""
    verbatim = [any(item.found_by == "quote" for item in found) for found in evidence]
    wanted = [row for row, known in enumerate(verbatim) if settings.link_all or not known]
    vectors = request.embedder.embed([edge_text(relations[row]) for row in wanted])
    nearest = nearest_chunks(vectors, request.text.chunk_vectors, tau_e, settings.semantic_chunks)
    for row, near in zip(wanted, nearest, strict=True):
        evidence[row].extend(_whole(request, chunk, "cosine") for chunk in near)


def _whole(request: BuildRequest, row: int, found_by: Literal["chunk", "cosine"]) -> EdgeEvidence:
    chunk = request.chunks[row]
    return EdgeEvidence(row, chunk.start, chunk.end, "", found_by)
