"""Tier 1 of stage 2: which metrics influence which, judged from pairs of metrics with their best quotes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.protocols import Analyst, MetricEdgeRequest
from aitia.graph.causal import Template
from aitia.methods.hcg.candidates import Mentions
from aitia.methods.hcg.config import BuildSettings
from aitia.spec.claims import ReasonCode, Rejection, RelationClaim, TemplateClaim
from aitia.spec.model import DomainSpec, Quote

QUOTES_A_PAIR = 5
"""How many quotes a judge is shown for a pair: more changes no verdict and costs prompt tokens."""


@dataclass(frozen=True)
class Tier1:
    """Accepted templates, claims that were refused, and how many pairs in how many requests were judged."""

    templates: tuple[Template, ...]
    rejected: tuple[Rejection, ...]
    pairs: int
    calls: int


def judge_templates(
    spec: DomainSpec,
    mentions: Mentions,
    candidates: NDArray[np.bool_],
    analyst: Analyst,
    settings: BuildSettings,
) -> Tier1:
    """One request a source metric. ``candidates[source, target]`` are the metric pairs to judge."""
    requests = _metric_requests(spec, mentions, candidates, settings.summary_quotes)
    templates, strays = _templates(analyst.judge_metric_edges(requests), requests, spec)
    return Tier1(templates, tuple(strays), int(candidates.sum()), len(requests))


def _metric_requests(
    spec: DomainSpec, mentions: Mentions, candidates: NDArray[np.bool_], summary_quotes: int
) -> list[MetricEdgeRequest]:
    """One request a source metric, with its best-supported quotes and those of its seed relations."""
    seeds = _seed_quotes(spec)
    support = np.asarray(mentions.sentences.sum(axis=0)).ravel()
    metric_of = np.array([variable.metric for variable in spec.variables])
    requests = []
    for row, metric in enumerate(spec.metrics):
        targets = [spec.metrics[column] for column in np.flatnonzero(candidates[row])]
        if not targets:
            continue
        own = np.unique(mentions.sentences[np.flatnonzero(metric_of == metric.name)].indices)
        best = own[np.argsort(-support[own], kind="stable")][:summary_quotes]
        quotes = [mentions.quotes[column] for column in best]
        for target in targets:
            quotes += seeds.get((metric.name, target.name), [])[:QUOTES_A_PAIR]
        requests.append(
            MetricEdgeRequest(metric, tuple(targets), tuple(dict.fromkeys(quotes)), spec.dimensions)
        )
    return requests


def _seed_quotes(spec: DomainSpec) -> Mapping[tuple[str, str], list[Quote]]:
    metric_of = {variable.key: variable.metric for variable in spec.variables}
    quotes: dict[tuple[str, str], list[Quote]] = {}
    for relation in sorted(spec.relations, key=lambda one: -one.confidence):
        key = (metric_of[relation.source], metric_of[relation.target])
        quotes.setdefault(key, []).extend(relation.quotes)
    return quotes


def _templates(
    claims: Sequence[TemplateClaim], requests: Sequence[MetricEdgeRequest], spec: DomainSpec
) -> tuple[tuple[Template, ...], list[Rejection]]:
    """The most confident claim of each pair, by pair; claims about other pairs are refused."""
    asked = {(request.source.name, target.name) for request in requests for target in request.candidates}
    terminal = {metric.name for metric in spec.metrics if metric.graph_role == "terminal"}
    known = {metric.name for metric in spec.metrics}
    strays = [
        Rejection(claim=claim, reason=stray_reason(claim, known, terminal, "unknown_metric"))
        for claim in claims
        if (claim.source, claim.target) not in asked
    ]
    best = {(claim.source, claim.target): claim for claim in sorted(claims, key=lambda one: one.confidence)}
    kept = [best[pair] for pair in sorted(asked & best.keys())]
    return tuple(Template(one.source, one.target, one.mechanism, one.confidence) for one in kept), strays


def stray_reason(
    claim: TemplateClaim | RelationClaim,
    known: Collection[str],
    terminal: Collection[str],
    unknown: ReasonCode,
) -> ReasonCode:
    """Why a claim about a pair that nobody asked about is refused."""
    if claim.source not in known or claim.target not in known:
        return unknown
    if claim.source == claim.target:
        return "self_loop"
    return "terminal_source" if claim.source in terminal else "not_asked"
