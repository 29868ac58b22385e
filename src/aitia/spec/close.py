"""Closing the vocabulary: consolidated claims become the dimensions and metrics of a tier.

What folds to one name is one thing; what a tier's cap leaves out is kept as a rejection. Metrics that
the outcome configuration names come before all others under the cap.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aitia.spec.claims import Claim, DimensionClaim, MetricClaim, Rejection
from aitia.spec.endpoints import Vocabulary
from aitia.spec.entities import build_dimension, name_fault
from aitia.spec.model import Dimension, Metric, OutcomeConfig
from aitia.spec.names import clean_name, fold
from aitia.spec.roles import match_metric, tag_roles, unmatched
from aitia.spec.support import best_description, most_frequent, total_support, usual_name
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


def _close_dimensions(
    claims: Sequence[DimensionClaim], limit: int
) -> tuple[tuple[Dimension, ...], list[Rejection]]:
    rejected: list[Rejection] = []
    groups: dict[str, list[DimensionClaim]] = defaultdict(list)
    for claim in claims:
        name = clean_name(claim.name)
        fault = name_fault(name)
        if fault:
            rejected.append(Rejection(claim=claim, reason=fault))
        else:
            groups[fold(name).singular].append(claim)
    ranked = sorted((-total_support(group), usual_name(group), group) for group in groups.values())
    rejected += [over for _, _, group in ranked[limit:] for over in _over_cap(group, "dimensions", limit)]
    dimensions = []
    for _, name, group in ranked[:limit]:
        dimension, faults = build_dimension(name, group)
        dimensions.append(dimension)
        rejected += faults
    return tuple(sorted(dimensions, key=lambda dimension: dimension.name)), rejected


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
        signature = min(readings, key=lambda known: (-total_support(readings[known]), known))
        group = readings.pop(signature)
        metrics.append((total_support(group), _metric(group, signature), group))
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
        name=usual_name(group),
        signature=signature,
        description=best_description(group),
        category=most_frequent(categories),
    )


def _named_outcomes(names: Sequence[str], outcomes: OutcomeConfig) -> set[str | None]:
    vocabulary = Vocabulary.of(names)
    return {match_metric(name, vocabulary).value for name in (*outcomes.terminal, *outcomes.outcome)}


def _over_cap(group: Sequence[Claim], what: str, limit: int) -> list[Rejection]:
    return [
        Rejection(claim=claim, reason="over_cap", detail=f"the tier keeps {limit} {what}") for claim in group
    ]
