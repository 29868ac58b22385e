"""Stage 1 of HCG-RAG: the domain specification, by the four generators of Algorithm 1, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aitia.analyst.protocols import Analyst
from aitia.corpus.reading import ReadingWindow
from aitia.spec.assemble import Given, assemble
from aitia.spec.claims import OutcomeClaim, Rejection
from aitia.spec.close import close_vocabulary, ordered_rejections
from aitia.spec.model import DomainSpec, Metric, OutcomeConfig, Quote
from aitia.spec.roles import tag_roles
from aitia.spec.tiers import Tier

Report = Callable[[str], None]
"""Told the name of each step as it begins."""


@dataclass(frozen=True)
class Stage1:
    """The specification, the roles it was built with, each variable's quotes, and what was rejected."""

    spec: DomainSpec
    outcomes: OutcomeConfig
    quotes: Mapping[str, tuple[Quote, ...]]
    rejected: tuple[Rejection, ...]


def generate_spec(
    windows: Sequence[ReadingWindow],
    analyst: Analyst,
    tier: Tier,
    outcomes: OutcomeConfig | None,
    report: Report = lambda step: None,
) -> Stage1:
    """Dimensions, metrics given dimensions, variables given both, relations given variables.

    Without an outcome configuration one is proposed once the metrics are known.
    """
    roles = outcomes or OutcomeConfig()
    report("dimensions")
    found = analyst.find_dimensions(windows, roles)
    dimension_claims = analyst.consolidate_dimensions(found, tier.max_dimensions)
    dimensions, _, _ = close_vocabulary(dimension_claims, [], roles, tier)
    report("metrics")
    metric_claims = analyst.consolidate_metrics(
        analyst.find_metrics(windows, dimensions, roles), tier.max_metrics
    )
    dimensions, metrics, rejected = close_vocabulary(dimension_claims, metric_claims, roles, tier)
    if outcomes is None:
        roles = _proposed(metrics, analyst.propose_outcomes(metrics, windows))
        metrics, _ = tag_roles(metrics, roles)
    report("variables")
    variable_claims = analyst.find_variables(windows, dimensions, metrics)
    given = Given(max_variables=tier.max_variables)
    seeds = assemble(dimensions, metrics, variable_claims, [], roles, given).spec
    report("relations")
    relation_claims = analyst.find_relations(windows, seeds.dimensions, seeds.metrics, seeds.variables)
    whole = assemble(dimensions, metrics, variable_claims, relation_claims, roles, given)
    return Stage1(whole.spec, roles, whole.evidence, ordered_rejections([*rejected, *whole.rejected]))


def _proposed(metrics: Sequence[Metric], claims: Sequence[OutcomeClaim]) -> OutcomeConfig:
    """Claims as a configuration, in name order; a metric claimed as both is terminal."""
    names = {metric.name for metric in metrics}
    terminal = {claim.metric for claim in claims if claim.role == "terminal"} & names
    outcome = {claim.metric for claim in claims if claim.role == "outcome"} & names - terminal
    return OutcomeConfig(terminal=tuple(sorted(terminal)), outcome=tuple(sorted(outcome)))
