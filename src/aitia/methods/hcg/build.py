"""The HCG-RAG build: stage 1, stage 2, evidence links, thresholds, arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.analyst.protocols import Analyst
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import reading_windows
from aitia.corpus.sentences import sentence_spans
from aitia.graph.calibrate import random_cosine
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence
from aitia.graph.link import QuoteFinder, merge_evidence, nearest_chunks
from aitia.methods.build import BuildRequest, Built
from aitia.methods.hcg.candidates import Mentions, collect_mentions, metric_pairs, shared_sentences
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.generate import generate_spec
from aitia.methods.hcg.judge import Judged, judge_edges
from aitia.methods.hcg.wording import edge_text, metric_text, variable_text
from aitia.retrieval.dense import pool, unit_rows
from aitia.spec.model import DomainSpec
from aitia.spec.tiers import tier

Vectors = NDArray[np.float32]

CALIBRATION_SAMPLE = 400
"""Edges, and sentences in the place of questions, that are embedded to set the thresholds."""

MENTION_WEIGHT = 0.5
"""Share of its mentions' mean in a variable's vector; the rest is its wording (measured, docs/benchmarks)."""


def build(request: BuildRequest, settings: BuildSettings) -> Built:
    """Build the graph. Deterministic for the same request, settings and analyst."""
    level = replace(tier(settings.tier), max_variables=settings.max_variables)
    chunks_of: dict[str, list[Chunk]] = {}
    for chunk in request.chunks:
        chunks_of.setdefault(chunk.document_id, []).append(chunk)
    windows = reading_windows(
        request.corpus.documents, lambda document: chunks_of.get(document.id, []), level.reading_tokens
    )
    stage1 = generate_spec(windows, request.analyst, level, request.outcomes, request.report)
    spec = stage1.spec
    mentions = collect_mentions(
        spec.variables, stage1.quotes, {c.id: row for row, c in enumerate(request.chunks)}
    )
    request.report("edges")
    judged = _judge(spec, mentions, request.analyst, request.embedder, settings)
    request.report("evidence")
    variable_vectors = _variable_vectors(spec, mentions, request)
    graph, facts = _link(spec, mentions, judged, request, settings)
    facts |= {
        "tau_min": _tau_min(request, variable_vectors, settings.seed),
        "effort": asdict(judged.effort),
        "windows": len(windows),
    }
    arrays = graph.arrays()
    named = {f"graph_{name}": getattr(arrays, name) for name in arrays.__dataclass_fields__}
    return Built(
        arrays={**named, "variable_vectors": variable_vectors},
        facts=facts,
        dimensions=spec.dimensions,
        graph=graph,
        spec=spec,
        outcomes=stage1.outcomes,
        rejected=(*stage1.rejected, *judged.rejected),
    )


def _judge(
    spec: DomainSpec, mentions: Mentions, analyst: Analyst, embedder: Embedder, settings: BuildSettings
) -> Judged:
    count = len(spec.metrics)
    similar = np.ones((count, count), bool)
    if not settings.exhaustive:
        vectors = embedder.embed([metric_text(metric) for metric in spec.metrics])
        scores = vectors @ vectors.T
        np.fill_diagonal(scores, -np.inf)
        near = np.argsort(-scores, axis=1, kind="stable")[:, : settings.similar_metrics]
        similar = np.zeros((count, count), bool)
        np.put_along_axis(similar, near, values=True, axis=1)
    candidates = metric_pairs(spec.metrics, spec.variables, mentions, spec.relations, similar)
    return judge_edges(spec, mentions, candidates, analyst, settings)


def _variable_vectors(spec: DomainSpec, mentions: Mentions, request: BuildRequest) -> Vectors:
    """The wording of each variable, and the mean of the chunks that mention it."""
    metric_of = {metric.name: metric for metric in spec.metrics}
    texts = [variable_text(variable, metric_of[variable.metric]) for variable in spec.variables]
    wording = request.embedder.embed(texts)
    if not len(wording):
        return wording
    places = csr_array(mentions.chunks, dtype=np.float32)
    return unit_rows(
        (1 - MENTION_WEIGHT) * wording + MENTION_WEIGHT * pool(places, request.text.chunk_vectors)
    )


def _tau_min(request: BuildRequest, variables: Vectors, seed: int) -> float:
    """The 99th percentile of random cosines, with sentences of the corpus in the place of questions."""
    generator = np.random.default_rng(seed)
    rows = generator.permutation(len(request.chunks))[:CALIBRATION_SAMPLE]
    sentences = []
    for row in np.sort(rows):
        text = request.chunks[row].text
        spans = sentence_spans(text)
        start, end = spans[int(generator.integers(len(spans)))] if spans else (0, len(text))
        sentences.append(text[start:end])
    return random_cosine(request.embedder.embed(sentences), variables, 99.0, seed)


def _link(
    spec: DomainSpec, mentions: Mentions, judged: Judged, request: BuildRequest, settings: BuildSettings
) -> tuple[CausalGraph, dict[str, Any]]:
    """Edges with their evidence: quotes first, then shared mentions, then the nearest chunks."""
    row_of = {variable.key: row for row, variable in enumerate(spec.variables)}
    chunk_row = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    finder = QuoteFinder(request.corpus.documents, request.chunks, settings.prefix_characters)
    pairs = np.array(
        [(row_of[one.source], row_of[one.target]) for one in judged.relations], np.int64
    ).reshape(-1, 2)
    evidence: list[list[EdgeEvidence]] = []
    for relation, columns in zip(judged.relations, shared_sentences(mentions, pairs), strict=True):
        found = [
            item
            for quote in relation.quotes
            if quote.chunk_id in chunk_row
            for item in finder.find(quote.text, chunk_row[quote.chunk_id], "quote")
        ]
        for column in columns:
            quote = mentions.quotes[column]
            found += finder.find(quote.text, chunk_row[quote.chunk_id], "mention")
        evidence.append(found)
    texts = [edge_text(relation) for relation in judged.relations]
    verbatim = [any(item.found_by == "quote" for item in found) for found in evidence]
    tau_e = _add_nearest(texts, verbatim, evidence, request, settings)
    edges = [
        CausalEdge(int(source), int(target), relation.mechanism, relation.confidence, relation.polarity,
                   merge_evidence(found))
        for (source, target), relation, found in zip(pairs, judged.relations, evidence, strict=True)
    ]  # fmt: skip
    ordered = tuple(sorted(edges, key=lambda edge: (edge.source, edge.target)))
    return CausalGraph(spec.metrics, spec.variables, judged.templates, ordered), {"tau_e": tau_e}


def _add_nearest(
    texts: Sequence[str],
    verbatim: Sequence[bool],
    evidence: Sequence[list[EdgeEvidence]],
    request: BuildRequest,
    settings: BuildSettings,
) -> float:
    """Link the nearest chunks to edges without verbatim evidence, or to all; return tau_e."""
    rows = np.sort(np.random.default_rng(settings.seed).permutation(len(texts))[:CALIBRATION_SAMPLE])
    chunks = request.text.chunk_vectors
    tau_e = random_cosine(request.embedder.embed([texts[row] for row in rows]), chunks, 99.9, settings.seed)
    wanted = [row for row, known in enumerate(verbatim) if settings.link_all or not known]
    vectors = request.embedder.embed([texts[row] for row in wanted])
    for row, near in zip(
        wanted, nearest_chunks(vectors, chunks, tau_e, settings.semantic_chunks), strict=True
    ):
        evidence[row].extend(
            EdgeEvidence(chunk, request.chunks[chunk].start, request.chunks[chunk].end, "", "cosine")
            for chunk in near
        )
    return tau_e
