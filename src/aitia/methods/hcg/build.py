"""The HCG-RAG build: stage 1, stage 2, evidence links, thresholds, arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.corpus.reading import ReadingWindow, reading_windows
from aitia.graph.calibrate import random_cosine
from aitia.graph.causal import CausalGraph
from aitia.methods.build import BuildRequest, Built
from aitia.methods.hcg.candidates import Mentions, collect_mentions, metric_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import Frozen
from aitia.methods.hcg.generate import Stage1, add_entities, generate_spec, read_claims
from aitia.methods.hcg.judge import Judged, judge_edges, judge_pairs
from aitia.methods.hcg.link import link_evidence
from aitia.methods.hcg.wording import metric_text, variable_text
from aitia.retrieval.dense import pool, unit_rows
from aitia.spec.claims import Rejection
from aitia.spec.close import ordered_rejections
from aitia.spec.model import DomainSpec
from aitia.spec.tiers import Tier, tier
from aitia.storage.contents import Array

Vectors = NDArray[np.float32]

TAU_MIN_PERCENTILE = 95.0
"""Of random cosines to variables. Sentences of the corpus stand in for questions and are nearer to its
variables than questions are, which made the 99th percentile refuse a tenth of them (docs/decisions/0007)."""

MENTION_WEIGHT = 0.5
"""Share of its mentions' mean in a variable's vector; the rest is its wording (measured, docs/benchmarks)."""


def build(request: BuildRequest, settings: BuildSettings, frozen: Frozen | None = None) -> Built:
    """Build the graph. Deterministic for the same request, settings and analyst.

    With ``frozen`` the vocabulary, the templates and the thresholds stay: variables and relations are read
    anew, and pairs judged under the templates of then.
    """
    level = replace(tier(settings.tier), max_variables=settings.max_variables)
    windows, order, read_under = read_in_order(request.corpus, request.chunks, level.reading_tokens, frozen)
    stage1 = _stage1(windows, request, level, frozen)
    spec = stage1.spec
    rows = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    mentions = collect_mentions(spec.variables, stage1.quotes, rows, order)
    request.report("edges")
    judged = _judge(spec, mentions, request, settings, frozen)
    request.report("evidence")
    vectors = variable_vectors(spec, mentions, request)
    tau_e = frozen.tau_e if frozen else None
    graph, tau_e = link_evidence(spec, mentions, judged, request, settings, tau_e)
    tau_min = frozen.tau_min if frozen else _tau_min(request, vectors, settings)
    closed = frozen.vocabulary if frozen else stage1.vocabulary
    facts = {
        "tau_e": tau_e,
        "tau_min": tau_min,
        "effort": asdict(judged.effort),
        "windows": len(windows),
        "closed_dimensions": [each.model_dump() for each in closed.dimensions],
        "outcomes": stage1.vocabulary.outcomes.model_dump(),
        "read_under": read_under,
    }
    return Built(
        arrays=graph_arrays(graph, vectors),
        facts=facts,
        dimensions=spec.dimensions,
        graph=graph,
        spec=spec,
        outcomes=stage1.vocabulary.outcomes,
        rejected=(*stage1.rejected, *judged.rejected, *_malformed(request, stage1)),
        unread=tuple(sorted(request.analyst.unread, key=astuple)),
        verdicts=judged.verdicts,
        quotes=stage1.quotes,
    )


def read_in_order(
    corpus: Corpus, chunks: Sequence[Chunk], tokens: int, frozen: Frozen | None = None
) -> tuple[list[ReadingWindow], list[int], dict[str, str]]:
    """The windows, the rank of each chunk in the order of reading, and the documents that were renamed.

    Documents are read in the order of the paths they were first read under, so that a new name changes
    no window and no choice of quotes.
    """
    documents = corpus.documents
    first = frozen.read_under if frozen else {}
    path_of = {document.id: first.get(document.id, document.path) for document in documents}
    chunks_of: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        chunks_of.setdefault(chunk.document_id, []).append(chunk)
    windows = reading_windows(documents, lambda document: chunks_of.get(document.id, []), tokens, path_of)
    rank = reading_rank(chunks, path_of)
    renamed = {each.id: path_of[each.id] for each in documents if path_of[each.id] != each.path}
    return windows, rank, renamed


def reading_rank(chunks: Sequence[Chunk], path_of: Mapping[str, str]) -> list[int]:
    """The rank of each chunk in the order of reading, given the path that each document was first read under."""
    read = sorted(
        range(len(chunks)),
        key=lambda row: (path_of[chunks[row].document_id], chunks[row].document_id, row),
    )
    rank = [0] * len(read)
    for place, row in enumerate(read):
        rank[row] = place
    return rank


def _stage1(
    windows: Sequence[ReadingWindow], request: BuildRequest, level: Tier, frozen: Frozen | None
) -> Stage1:
    if frozen is None:
        return generate_spec(windows, request.analyst, level, request.outcomes, request.report)
    vocabulary = frozen.vocabulary
    if frozen.earlier is None:
        request.report("dimensions")
        vocabulary = add_entities(vocabulary, windows, request.analyst, level, request.outcomes)
    return read_claims(windows, request.analyst, level, vocabulary, request.report)


def _judge(
    spec: DomainSpec,
    mentions: Mentions,
    request: BuildRequest,
    settings: BuildSettings,
    frozen: Frozen | None,
) -> Judged:
    if frozen is not None:
        return judge_pairs(spec, mentions, frozen.templates, request.analyst, settings, frozen.earlier)
    candidates = metric_candidates(spec, mentions, request.embedder, settings)
    return judge_edges(spec, mentions, candidates, request.analyst, settings)


def metric_candidates(
    spec: DomainSpec, mentions: Mentions, embedder: Embedder, settings: BuildSettings
) -> NDArray[np.bool_]:
    """Which pairs of metrics tier 1 judges, shape (metrics, metrics)."""
    count = len(spec.metrics)
    similar = np.ones((count, count), bool)
    if not settings.exhaustive:
        vectors = embedder.embed([metric_text(metric) for metric in spec.metrics])
        scores = vectors @ vectors.T
        np.fill_diagonal(scores, -np.inf)
        near = np.argsort(-scores, axis=1, kind="stable")[:, : settings.similar_metrics]
        similar = np.zeros((count, count), bool)
        np.put_along_axis(similar, near, values=True, axis=1)
    return metric_pairs(spec.metrics, spec.variables, mentions, spec.relations, similar)


def _malformed(request: BuildRequest, stage1: Stage1) -> tuple[Rejection, ...]:
    """What came back and was no claim; an update has some of it from the build already."""
    known = set(stage1.vocabulary.rejected)
    return ordered_rejections(each for each in request.analyst.rejected if each not in known)


def graph_arrays(graph: CausalGraph, vectors: Vectors) -> dict[str, Array]:
    """What retrieval walks, by the names that an index has it under."""
    arrays = graph.arrays()
    named = {f"graph_{name}": getattr(arrays, name) for name in arrays.__dataclass_fields__}
    return {**named, "variable_vectors": vectors}


def _tau_min(request: BuildRequest, vectors: Vectors, settings: BuildSettings) -> float:
    return random_cosine(request.questions, vectors, TAU_MIN_PERCENTILE, settings.seed)


def variable_vectors(spec: DomainSpec, mentions: Mentions, request: BuildRequest) -> Vectors:
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
