"""Stage 2 of HCG-RAG: tier 1 judges pairs of metrics, tier 2 pairs of variables under accepted templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.protocols import Analyst, MetricEdgeRequest, NodeEdgeRequest, VariablePair
from aitia.graph.causal import Template
from aitia.methods.hcg.candidates import Mentions, shared_sentences, variable_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.spec.claims import ReasonCode, Rejection, RelationClaim, TemplateClaim
from aitia.spec.merge import merge_relations
from aitia.spec.model import DomainSpec, Quote, Relation

QUOTES_A_PAIR = 5
"""How many quotes a judge is shown for a pair: more changes no verdict and costs prompt tokens."""


@dataclass(frozen=True)
class Effort:
    """What stage 2 evaluated: pairs and calls by tier, beside the published bound on pairs."""

    metric_pairs: int
    metric_calls: int
    variable_pairs: int
    variable_calls: int
    bound: int


@dataclass(frozen=True)
class Judged:
    """Accepted templates and relations, what was refused, and the effort."""

    templates: tuple[Template, ...]
    relations: tuple[Relation, ...]
    rejected: tuple[Rejection, ...]
    effort: Effort


def judge_edges(
    spec: DomainSpec,
    mentions: Mentions,
    candidates: NDArray[np.bool_],
    analyst: Analyst,
    settings: BuildSettings,
) -> Judged:
    """Both tiers. ``candidates[source, target]`` are the metric pairs to judge.

    A seed relation whose metrics have no accepted template is refused as ``not_judged_causal``; one inside
    a single metric stays, because tier 1 has no self-loops to judge it by (docs/decisions/0006). What a
    judge says of a pair that it was not asked about is refused too.
    """
    requests = _metric_requests(spec, mentions, candidates, settings.summary_quotes)
    templates, strays = _templates(analyst.judge_metric_edges(requests), requests, spec)
    names = [(template.source, template.target) for template in templates]
    pairs = variable_pairs(spec.variables, mentions, spec.relations, names)
    batches = _batches(spec, mentions, pairs, settings.pairs_per_call)
    relations, refused = _relations(analyst.judge_node_edges(batches), batches, spec, names)
    effort = Effort(int(candidates.sum()), len(requests), len(pairs), len(batches), _bound(spec, names))
    return Judged(templates, relations, (*strays, *refused), effort)


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
        Rejection(claim=claim, reason=_stray(claim, known, terminal, "unknown_metric"))
        for claim in claims
        if (claim.source, claim.target) not in asked
    ]
    best = {(claim.source, claim.target): claim for claim in sorted(claims, key=lambda one: one.confidence)}
    kept = [best[pair] for pair in sorted(asked & best.keys())]
    return tuple(Template(one.source, one.target, one.mechanism, one.confidence) for one in kept), strays


def _relations(
    claims: Sequence[RelationClaim],
    batches: Sequence[NodeEdgeRequest],
    spec: DomainSpec,
    templates: Collection[tuple[str, str]],
) -> tuple[tuple[Relation, ...], list[Rejection]]:
    """Seed relations under the templates and claims about the pairs asked; the others are refused."""
    metric_of = {variable.key: variable.metric for variable in spec.variables}
    terminal = {metric.name for metric in spec.metrics if metric.graph_role == "terminal"}
    emitting_none = {key for key, metric in metric_of.items() if metric in terminal}
    accepted = set(templates)
    kept: list[Relation] = []
    refused: list[Rejection] = []
    for relation in spec.relations:
        ends = metric_of[relation.source], metric_of[relation.target]
        if ends[0] == ends[1] or ends in accepted:
            kept.append(relation)
        else:
            refused.append(_without_template(relation))
    asked = {(pair.source.key, pair.target.key) for batch in batches for pair in batch.pairs}
    for claim in claims:
        if (claim.source, claim.target) in asked:
            kept.append(_relation(claim))
        else:
            reason = _stray(claim, metric_of, emitting_none, "unknown_endpoint")
            refused.append(Rejection(claim=claim, reason=reason))
    return tuple(merge_relations(kept)), refused


def _stray(
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


def _batches(
    spec: DomainSpec, mentions: Mentions, pairs: NDArray[np.int64], size: int
) -> list[NodeEdgeRequest]:
    sentences = shared_sentences(mentions, pairs)
    listed = [
        VariablePair(
            spec.variables[source],
            spec.variables[target],
            tuple(mentions.quotes[column] for column in columns[:QUOTES_A_PAIR]),
        )
        for (source, target), columns in zip(pairs.tolist(), sentences, strict=True)
    ]
    metric_of = {variable.key: variable.metric for variable in spec.variables}
    support = Counter((metric_of[one.source], metric_of[one.target]) for one in spec.relations)
    return [
        NodeEdgeRequest(tuple(listed[first : first + size]), spec.metrics, spec.dimensions, support)
        for first in range(0, len(listed), size)
    ]


def _relation(claim: RelationClaim) -> Relation:
    fields = claim.model_dump(exclude={"quote"})
    return Relation(**fields, quotes=(claim.quote,) if claim.quote else ())


def _without_template(relation: Relation) -> Rejection:
    claim = RelationClaim(
        **relation.model_dump(exclude={"quotes"}), quote=relation.quotes[0] if relation.quotes else None
    )
    return Rejection(claim=claim, reason="not_judged_causal", detail="no template between the two metrics")


def _bound(spec: DomainSpec, templates: Sequence[tuple[str, str]]) -> int:
    """|M|(|M|-1) + the sum over templates of |V_s||V_t|: pairs that could be evaluated at most."""
    counts: dict[str, int] = {}
    for variable in spec.variables:
        counts[variable.metric] = counts.get(variable.metric, 0) + 1
    metrics = len(spec.metrics)
    return metrics * (metrics - 1) + sum(counts.get(s, 0) * counts.get(t, 0) for s, t in templates)
