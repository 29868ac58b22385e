"""Closing the vocabulary: consolidated claims become the dimensions and metrics of a tier.

What folds to one name is one thing; what a tier's cap leaves out is kept as a rejection. Metrics that
the outcome configuration names come before all others under the cap.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aitia.spec.claims import (
    Claim,
    DimensionClaim,
    EntityClaim,
    MetricClaim,
    ReasonCode,
    Rejection,
)
from aitia.spec.endpoints import Vocabulary
from aitia.spec.model import ANY, Dimension, Metric, OutcomeConfig
from aitia.spec.names import clean_name, fold
from aitia.spec.roles import match_metric, tag_roles, unmatched
from aitia.spec.tiers import Tier


def close_vocabulary(
    dimension_claims: Sequence[DimensionClaim],
    metric_claims: Sequence[MetricClaim],
    outcomes: OutcomeConfig,
    tier: Tier,
) -> tuple[tuple[Dimension, ...], tuple[Metric, ...], tuple[Rejection, ...]]:
    """Dimensions and metrics in canonical order, and every claim that is in neither.

    Support ranks under the tier's caps, summed over the claims of one name. An entity that cannot be
    accepted is rejected as a `DimensionClaim` of that entity alone. The result does not depend on the
    order of the claims.
    """
    dimensions, lost = _close_dimensions(dimension_claims, tier.max_dimensions)
    metrics, unfit = _close_metrics(metric_claims, dimensions, outcomes, tier.max_metrics)
    tagged, _ = tag_roles(metrics, outcomes)  # assembly reports the names that fit no metric
    return dimensions, tagged, ordered_rejections([*lost, *unfit])


def ordered_rejections(rejections: Iterable[Rejection]) -> tuple[Rejection, ...]:
    """Rejections in an order that depends on their content only."""
    return tuple(
        sorted(rejections, key=lambda one: (type(one.claim).__name__, one.reason, one.model_dump_json()))
    )


def spelled(counts: Counter[str]) -> str:
    """The most frequent of several spellings, the first in code point order among equals."""
    return min(counts, key=lambda name: (-counts[name], name))


def _close_dimensions(
    claims: Sequence[DimensionClaim], limit: int
) -> tuple[tuple[Dimension, ...], list[Rejection]]:
    rejected: list[Rejection] = []
    groups: dict[str, list[DimensionClaim]] = defaultdict(list)
    for claim in claims:
        name = clean_name(claim.name)
        fault = _name_fault(name)
        if fault:
            rejected.append(Rejection(claim=claim, reason=fault))
        else:
            groups[fold(name).singular].append(claim)
    ranked = sorted((-_support(group), _group_name(group), group) for group in groups.values())
    rejected += [over for _, _, group in ranked[limit:] for over in _over_cap(group, "dimensions", limit)]
    dimensions = []
    for _, name, group in ranked[:limit]:
        dimension, faults = _dimension(name, group)
        dimensions.append(dimension)
        rejected += faults
    return tuple(sorted(dimensions, key=lambda dimension: dimension.name)), rejected


def _dimension(name: str, group: list[DimensionClaim]) -> tuple[Dimension, list[Rejection]]:
    rejected: list[Rejection] = []
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for entity in (entity for claim in group for entity in claim.entities):
        fault = _name_fault(clean_name(entity.name))
        if fault:
            rejected.append(_entity_fault(name, entity, fault))
            continue
        key = fold(clean_name(entity.name)).singular
        spellings[key][clean_name(entity.name)] += entity.mentions
        for alias in entity.aliases:
            if _name_fault(clean_name(alias)):
                rejected.append(_entity_fault(name, _only(entity, alias), "reserved_name"))
            else:
                forms[clean_name(alias)][key] += entity.mentions
    entities = {key: spelled(counts) for key, counts in spellings.items()}
    aliases: dict[str, str] = {}
    for form, owners in sorted(forms.items()):
        owner = spelled(owners)
        if fold(form).singular not in entities:
            aliases[form] = entities[owner]
            owners.pop(owner)
        losers = (key for key in sorted(owners) if key != fold(form).singular)
        rejected += [
            _entity_fault(name, EntityClaim(name=entities[key], aliases=(form,)), "duplicate")
            for key in losers
        ]
    return (
        Dimension(
            name=name,
            description=_description(group),
            entities=tuple(sorted(entities.values())),
            aliases=aliases,
        ),
        rejected,
    )


def _close_metrics(
    claims: Sequence[MetricClaim], dimensions: Sequence[Dimension], outcomes: OutcomeConfig, limit: int
) -> tuple[list[Metric], list[Rejection]]:
    rejected: list[Rejection] = []
    vocabulary = Vocabulary.of(dimension.name for dimension in dimensions)
    groups: dict[str, dict[tuple[str, ...], list[MetricClaim]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        name = clean_name(claim.name)
        signature = _signature(claim, vocabulary)
        if isinstance(signature, Rejection):
            rejected.append(signature)
        elif not name:
            rejected.append(Rejection(claim=claim, reason="empty"))
        else:
            groups[fold(name).singular][signature].append(claim)
    metrics: list[tuple[int, Metric, list[MetricClaim]]] = []
    for readings in groups.values():
        signature = min(readings, key=lambda known: (-_support(readings[known]), known))
        group = readings.pop(signature)
        metrics.append((_support(group), _metric(group, signature), group))
        detail = f"the better supported signature is ({', '.join(signature)})"
        rejected += [
            Rejection(claim=claim, reason="duplicate", detail=detail)
            for other in readings.values()
            for claim in other
        ]
    named = _named_outcomes([metric.name for _, metric, _ in metrics], outcomes)
    metrics.sort(key=lambda row: (row[1].name not in named, -row[0], row[1].name))
    rejected += [over for _, _, group in metrics[limit:] for over in _over_cap(group, "metrics", limit)]
    return sorted((metric for _, metric, _ in metrics[:limit]), key=lambda metric: metric.name), rejected


def _signature(claim: MetricClaim, vocabulary: Vocabulary) -> tuple[str, ...] | Rejection:
    names = []
    for dimension in claim.signature:
        found = vocabulary.match(clean_name(dimension))
        if found.value is None:
            return Rejection(
                claim=claim,
                reason=unmatched(found, "unknown_dimension"),
                detail=dimension,
                candidates=found.candidates,
            )
        names.append(found.value)
    return tuple(names)


def _metric(group: list[MetricClaim], signature: tuple[str, ...]) -> Metric:
    categories: Counter[str] = Counter()
    for claim in group:
        categories[clean_name(claim.category)] += claim.support
    return Metric(
        name=_group_name(group),
        signature=signature,
        description=_description(group),
        category=spelled(categories),
    )


def _named_outcomes(names: Sequence[str], outcomes: OutcomeConfig) -> set[str | None]:
    vocabulary = Vocabulary.of(names)
    return {match_metric(name, vocabulary).value for name in (*outcomes.terminal, *outcomes.outcome)}


def _support(group: Sequence[DimensionClaim] | Sequence[MetricClaim]) -> int:
    return sum(claim.support for claim in group)


def _group_name(group: Sequence[DimensionClaim] | Sequence[MetricClaim]) -> str:
    counts: Counter[str] = Counter()
    for claim in group:
        counts[clean_name(claim.name)] += claim.support
    return spelled(counts)


def _description(group: Sequence[DimensionClaim] | Sequence[MetricClaim]) -> str:
    """The description of the best supported claim that has one."""
    described = [(-claim.support, claim.description.strip()) for claim in group if claim.description.strip()]
    return min(described)[1] if described else ""


def _name_fault(name: str) -> ReasonCode | None:
    if not name:
        return "empty"
    return "reserved_name" if name.casefold() == ANY else None


def _over_cap(group: Sequence[Claim], what: str, limit: int) -> list[Rejection]:
    return [
        Rejection(claim=claim, reason="over_cap", detail=f"the tier keeps {limit} {what}") for claim in group
    ]


def _entity_fault(dimension: str, entity: EntityClaim, reason: ReasonCode) -> Rejection:
    claim = DimensionClaim(name=dimension, entities=(entity,), support=entity.mentions)
    return Rejection(claim=claim, reason=reason, detail=f"entity {entity.name!r}")


def _only(entity: EntityClaim, alias: str) -> EntityClaim:
    return entity.model_copy(update={"aliases": (alias,)})
