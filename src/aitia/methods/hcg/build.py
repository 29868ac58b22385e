"""The HCG-RAG build: stage 1, stage 2, evidence links, thresholds, arrays."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.analyst.protocols import Analyst
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import reading_windows
from aitia.graph.calibrate import random_cosine
from aitia.methods.build import BuildRequest, Built
from aitia.methods.hcg.candidates import Mentions, collect_mentions, metric_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.generate import generate_spec
from aitia.methods.hcg.judge import Judged, judge_edges
from aitia.methods.hcg.link import link_evidence
from aitia.methods.hcg.wording import metric_text, variable_text
from aitia.retrieval.dense import pool, unit_rows
from aitia.spec.model import DomainSpec
from aitia.spec.tiers import tier

Vectors = NDArray[np.float32]

TAU_MIN_PERCENTILE = 95.0
"""Of random cosines to variables. Sentences of the corpus stand in for questions and are nearer to its
variables than questions are, which made the 99th percentile refuse a tenth of them (docs/decisions/0007)."""

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
    graph, tau_e = link_evidence(spec, mentions, judged, request, settings)
    facts = {
        "tau_e": tau_e,
        "tau_min": random_cosine(request.questions, variable_vectors, TAU_MIN_PERCENTILE, settings.seed),
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
