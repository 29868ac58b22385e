"""Roles from the outcome configuration, and the canonical order of a specification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aitia.spec.claims import OutcomeClaim, ReasonCode, Rejection
from aitia.spec.endpoints import Match, Vocabulary
from aitia.spec.keys import parse_key
from aitia.spec.merge import ordered_quotes
from aitia.spec.model import DomainSpec, GraphRole, Metric, OutcomeConfig


def tag_roles(
    metrics: Sequence[Metric], outcomes: OutcomeConfig
) -> tuple[tuple[Metric, ...], list[Rejection]]:
    """The metrics with the roles that the configuration names; the others keep theirs.

    A name may be the bare name or the label with its signature, and is matched like any other. One
    that fits no metric is rejected, not fatal; terminal wins over outcome.
    """
    vocabulary = Vocabulary.of(metric.name for metric in metrics)
    roles: dict[str, GraphRole] = {}
    rejected: list[Rejection] = []
    for claim in _role_claims(outcomes):
        found = match_metric(claim.metric, vocabulary)
        if found.value is None:
            rejected.append(
                Rejection(claim=claim, reason=unmatched(found, "unknown_metric"), candidates=found.candidates)
            )
        elif roles.get(found.value, claim.role) != claim.role:
            rejected.append(
                Rejection(claim=claim, reason="duplicate", detail=f"{found.value} is already terminal")
            )
        else:
            roles[found.value] = claim.role
    tagged = (
        metric.model_copy(update={"graph_role": roles[metric.name]}) if metric.name in roles else metric
        for metric in metrics
    )
    return tuple(tagged), rejected


def match_metric(name: str, vocabulary: Vocabulary) -> Match:
    """What a metric's name, or its label with a signature, is taken for."""
    found = vocabulary.match(name)
    if found.value is None and "(" in name:
        try:
            return vocabulary.match(parse_key(name)[0])
        except ValueError:
            return found
    return found


def unmatched(found: Match, unknown: ReasonCode) -> ReasonCode:
    """The reason for a name that was not matched."""
    return "ambiguous_name" if found.kind == "ambiguous" and not found.guarded else unknown


def canonical(spec: DomainSpec) -> DomainSpec:
    """The same specification with everything sorted by name or key; signatures keep their order."""
    return DomainSpec(
        dimensions=tuple(
            dimension.model_copy(
                update={
                    "entities": tuple(sorted(dimension.entities)),
                    "aliases": dict(sorted(dimension.aliases.items())),
                }
            )
            for dimension in sorted(spec.dimensions, key=lambda dimension: dimension.name)
        ),
        metrics=tuple(sorted(spec.metrics, key=lambda metric: metric.name)),
        variables=tuple(sorted(spec.variables, key=lambda variable: variable.key)),
        relations=tuple(
            relation.model_copy(update={"quotes": ordered_quotes(relation.quotes)})
            if len(relation.quotes) > 1
            else relation
            for relation in sorted(spec.relations, key=lambda relation: relation.pair)
        ),
    )


def _role_claims(outcomes: OutcomeConfig) -> Iterable[OutcomeClaim]:
    for name in sorted(set(outcomes.terminal)):
        yield OutcomeClaim(metric=name, role="terminal")
    for name in sorted(set(outcomes.outcome)):
        yield OutcomeClaim(metric=name, role="outcome")
