"""Stage 1 of HCG-RAG: the domain specification, by the four generators of Algorithm 1, in their order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from aitia.analyst.protocols import Analyst
from aitia.corpus.reading import ReadingWindow
from aitia.methods.hcg.frozen import ClosedVocabulary
from aitia.spec.assemble import Given, assemble
from aitia.spec.claims import OutcomeClaim, Rejection
from aitia.spec.close import close_vocabulary, ordered_rejections
from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Quote
from aitia.spec.names import fold
from aitia.spec.roles import tag_roles
from aitia.spec.tiers import Tier

Report = Callable[[str], None]
"""Told the name of each step as it begins."""


@dataclass(frozen=True)
class Stage1:
    """The specification, the vocabulary it was read by, each variable's quotes, and what was rejected."""

    spec: DomainSpec
    vocabulary: ClosedVocabulary
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
    return read_claims(
        windows, analyst, tier, find_vocabulary(windows, analyst, tier, outcomes, report), report
    )


def find_vocabulary(
    windows: Sequence[ReadingWindow],
    analyst: Analyst,
    tier: Tier,
    outcomes: OutcomeConfig | None,
    report: Report = lambda step: None,
) -> ClosedVocabulary:
    """Dimensions, metrics and roles: what later stages use and do not add to."""
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
    return ClosedVocabulary(dimensions, metrics, roles, rejected)


def add_entities(
    closed: ClosedVocabulary,
    windows: Sequence[ReadingWindow],
    analyst: Analyst,
    tier: Tier,
    outcomes: OutcomeConfig | None,
) -> ClosedVocabulary:
    """The vocabulary with what the windows name of its dimensions and no dimension has.

    Over the windows that it was closed by, with the same ``outcomes``, that is nothing.
    """
    roles = outcomes or OutcomeConfig()
    claims = analyst.consolidate_dimensions(analyst.find_dimensions(windows, roles), tier.max_dimensions)
    today, _, _ = close_vocabulary(claims, [], roles, tier)
    found = {dimension.name: dimension for dimension in today}
    known = {fold(name).singular for each in closed.dimensions for name in (*each.entities, *each.aliases)}
    grown = tuple(_grown(each, found.get(each.name, each), known) for each in closed.dimensions)
    return replace(closed, dimensions=grown)


def _grown(dimension: Dimension, found: Dimension, known: Collection[str]) -> Dimension:
    new = [name for name in found.entities if fold(name).singular not in known]
    aliases = {
        alias: entity
        for alias, entity in found.aliases.items()
        if entity in new and fold(alias).singular not in known
    }
    return dimension.model_copy(
        update={"entities": (*dimension.entities, *new), "aliases": {**dimension.aliases, **aliases}}
    )


def read_claims(
    windows: Sequence[ReadingWindow],
    analyst: Analyst,
    tier: Tier,
    closed: ClosedVocabulary,
    report: Report = lambda step: None,
) -> Stage1:
    """Variables and relations of all windows over a closed vocabulary."""
    report("variables")
    claims = analyst.find_variables(windows, closed.dimensions, closed.metrics)
    given = Given(max_variables=tier.max_variables)
    seeds = assemble(closed.dimensions, closed.metrics, claims, [], closed.outcomes, given).spec
    report("relations")
    relations = analyst.find_relations(windows, seeds.dimensions, seeds.metrics, seeds.variables)
    whole = assemble(closed.dimensions, closed.metrics, claims, relations, closed.outcomes, given)
    rejected = ordered_rejections([*closed.rejected, *whole.rejected])
    return Stage1(whole.spec, closed, whole.evidence, rejected)


def _proposed(metrics: Sequence[Metric], claims: Sequence[OutcomeClaim]) -> OutcomeConfig:
    """Claims as a configuration, in name order; a metric claimed as both is terminal."""
    names = {metric.name for metric in metrics}
    terminal = {claim.metric for claim in claims if claim.role == "terminal"} & names
    outcome = {claim.metric for claim in claims if claim.role == "outcome"} & names - terminal
    return OutcomeConfig(terminal=tuple(sorted(terminal)), outcome=tuple(sorted(outcome)))
