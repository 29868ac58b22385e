"""Accepting relation claims: both endpoints become variables, or the claim is rejected.

An endpoint may bind known entities anew under an extensible metric, which admits the variable; it may
not bring a new entity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.spec.claims import Admission, ReasonCode, Rejection, RelationClaim
from aitia.spec.merge import ordered_quotes
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable
from aitia.spec.resolve import Fault, Resolved, read_endpoint, resolve_bindings

_AS_ENDPOINT: Mapping[ReasonCode, ReasonCode] = {
    "unknown_metric": "unknown_endpoint",
    "ambiguous_name": "ambiguous_endpoint",
}


@dataclass(frozen=True, slots=True)
class AcceptedRelations:
    """One relation a claim, not merged; the variables they brought, with their quotes by key."""

    relations: tuple[Relation, ...]
    variables: Mapping[str, Variable]
    quotes: Mapping[str, tuple[Quote, ...]]
    rejected: tuple[Rejection, ...]

    @property
    def admitted(self) -> tuple[Admission, ...]:
        """The log of the variables that were admitted."""
        return tuple(
            Admission(
                what="variable",
                owner=variable.metric,
                name=key,
                quote=self.quotes[key][0] if self.quotes[key] else None,
            )
            for key, variable in self.variables.items()
        )


def accept_relations(
    claims: Sequence[RelationClaim],
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
    variables: Mapping[str, Variable],
    *,
    may_admit: bool,
) -> AcceptedRelations:
    """The relations between known variables, and those that an extensible metric admits."""
    ends = _resolve_ends(claims, dimensions, metrics, variables, may_admit)
    relations: list[Relation] = []
    rejected: list[Rejection] = []
    new: dict[str, _End] = {}
    quotes: dict[str, list[Quote | None]] = defaultdict(list)
    for claim in claims:
        source, target = ends[claim.source], ends[claim.target]
        if isinstance(source, Fault) or isinstance(target, Fault):
            rejected.append(_end_rejection(claim, source, target))
        elif source.key == target.key:
            rejected.append(Rejection(claim=claim, reason="self_loop", detail=source.key))
        elif source.metric.graph_role == "terminal":
            rejected.append(Rejection(claim=claim, reason="terminal_source", detail=source.metric.name))
        else:
            relations.append(_relation(claim, source, target))
            for end in (source, target):
                if end.key not in variables:
                    quotes[end.key].append(claim.quote)
                    new[end.key] = end
    return AcceptedRelations(
        tuple(relations),
        {key: Variable(metric=end.metric.name, entities=end.entities) for key, end in sorted(new.items())},
        {key: ordered_quotes(quotes[key]) for key in sorted(quotes)},
        tuple(rejected),
    )


@dataclass(frozen=True, slots=True)
class _End:
    key: str
    metric: Metric
    entities: tuple[str, ...]


def _resolve_ends(
    claims: Sequence[RelationClaim],
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
    variables: Mapping[str, Variable],
    may_admit: bool,
) -> dict[str, _End | Fault]:
    by_name = {metric.name: metric for metric in metrics}
    ends: dict[str, _End | Fault] = {}
    bindings = {}
    for text in sorted({end for claim in claims for end in (claim.source, claim.target)}):
        known = variables.get(text)
        read = (known.metric, known.entities) if known else read_endpoint(text)
        if known and known.metric in by_name:
            ends[text] = _End(text, by_name[known.metric], known.entities)
        elif isinstance(read, Fault):
            ends[text] = read
        else:
            bindings[text] = read
    resolved = resolve_bindings(bindings.values(), dimensions, metrics)
    for text, binding in bindings.items():
        ends[text] = _end(resolved[binding], variables, may_admit)
    return ends


def _end(found: Resolved | Fault, variables: Mapping[str, Variable], may_admit: bool) -> _End | Fault:
    if isinstance(found, Fault):
        return Fault(_AS_ENDPOINT.get(found.reason, found.reason), found.detail, found.candidates)
    if found.new:
        place, candidates = next((new for new in found.new if new[1]), found.new[0])
        detail = f"{found.metric.signature[place]} {found.entities[place]!r}"
        return Fault("ambiguous_endpoint" if candidates else "unknown_endpoint", detail, candidates)
    key = found.key
    if key not in variables:
        if found.metric.kind == "fixed":
            return Fault("fixed_metric", key)
        if not may_admit:
            return Fault("over_cap", key)
    return _End(key, found.metric, found.entities)


def _end_rejection(claim: RelationClaim, source: _End | Fault, target: _End | Fault) -> Rejection:
    fault = source if isinstance(source, Fault) else target
    assert isinstance(fault, Fault)
    end = "source" if fault is source else "target"
    detail = f"{end}: {fault.detail}"
    return Rejection(claim=claim, reason=fault.reason, detail=detail, candidates=fault.candidates)


def _relation(claim: RelationClaim, source: _End, target: _End) -> Relation:
    return Relation(
        source=source.key,
        target=target.key,
        mechanism=claim.mechanism.strip(),
        confidence=claim.confidence,
        polarity=claim.polarity,
        quotes=(claim.quote,) if claim.quote else (),
    )
