"""Accepting variable claims, and through them new entities of extensible metrics.

A new entity needs a verbatim quote. New names that fold to one are one entity, in its most frequent
spelling; they are not matched to each other by similarity, which would depend on who came first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.spec.claims import Admission, ReasonCode, Rejection, VariableClaim
from aitia.spec.merge import ordered_quotes
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable
from aitia.spec.names import fold
from aitia.spec.resolve import Fault, Resolved, resolve_bindings
from aitia.spec.support import most_frequent

Bound = tuple[VariableClaim, Resolved]


@dataclass(frozen=True, slots=True)
class Given:
    """What a specification lists already, and how many variables it may have in all.

    A limit turns off admission through relations, whose place in a ranking nothing would settle.
    """

    variables: tuple[Variable, ...] = ()
    relations: tuple[Relation, ...] = ()
    max_variables: int | None = None


@dataclass(frozen=True, slots=True)
class AcceptedVariables:
    """Variables by key with their supporting claims and quotes; dimensions with admitted entities."""

    dimensions: tuple[Dimension, ...]
    variables: Mapping[str, Variable]
    claims: Mapping[str, tuple[VariableClaim, ...]]
    admitted: tuple[Admission, ...]
    rejected: tuple[Rejection, ...]

    @property
    def quotes(self) -> dict[str, tuple[Quote, ...]]:
        """The distinct quotes of each claimed variable."""
        return {key: ordered_quotes(claim.quote for claim in group) for key, group in self.claims.items()}


def accept_variables(
    claims: Sequence[VariableClaim], dimensions: Sequence[Dimension], metrics: Sequence[Metric], given: Given
) -> AcceptedVariables:
    """The variables that claims and list give; over the limit the least supported ones go."""
    listed = {variable.key: variable for variable in given.variables}
    bound, rejected = _bind(claims, dimensions, metrics)
    spelling, admitted = _admit(bound)
    accepted: dict[str, list[VariableClaim]] = defaultdict(list)
    variables: dict[str, Variable] = dict(listed)
    for claim, binding in bound:
        variable = _variable(binding, spelling)
        if variable is None:
            rejected.append(_rejection(claim, "unknown_entity", "new, and no verbatim quote supports it"))
        elif binding.metric.kind == "fixed" and variable.key not in listed:
            rejected.append(_rejection(claim, "fixed_metric", variable.key))
        else:
            variables[variable.key] = variable
            accepted[variable.key].append(claim)
    for key in _over_cap(accepted, listed, given.max_variables):
        del variables[key]
        rejected += [_rejection(claim, "over_cap", key) for claim in accepted.pop(key)]
    return AcceptedVariables(
        tuple(_grown(dimension, admitted) for dimension in dimensions),
        variables,
        {key: tuple(accepted[key]) for key in sorted(accepted)},
        tuple(admitted),
        tuple(rejected),
    )


def _bind(
    claims: Sequence[VariableClaim], dimensions: Sequence[Dimension], metrics: Sequence[Metric]
) -> tuple[list[Bound], list[Rejection]]:
    resolved = resolve_bindings(((claim.metric, claim.entities) for claim in claims), dimensions, metrics)
    bound: list[Bound] = []
    rejected: list[Rejection] = []
    for claim in claims:
        found = resolved[claim.metric, claim.entities]
        if isinstance(found, Fault):
            rejected.append(_rejection(claim, found.reason, found.detail, found.candidates))
        elif found.new and found.metric.kind == "fixed":
            rejected.append(_rejection(claim, "fixed_metric", found.key))
        else:
            bound.append((claim, found))
    return bound, rejected


def _admit(bound: Sequence[Bound]) -> tuple[dict[tuple[str, str], str], list[Admission]]:
    """New entities that a quote supports: spelling by (dimension, folded name), and the log."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    quotes: dict[tuple[str, str], list[Quote]] = defaultdict(list)
    for claim, binding in bound:
        for place, _ in binding.new:
            new = binding.metric.signature[place], fold(binding.entities[place]).singular
            counts[new][binding.entities[place]] += 1
            if claim.quote:
                quotes[new].append(claim.quote)
    spelling = {new: most_frequent(counts[new]) for new in sorted(quotes)}
    return spelling, [
        Admission(what="entity", owner=new[0], name=name, quote=ordered_quotes(quotes[new])[0])
        for new, name in spelling.items()
    ]


def _variable(binding: Resolved, spelling: Mapping[tuple[str, str], str]) -> Variable | None:
    entities = list(binding.entities)
    for place, _ in binding.new:
        name = spelling.get((binding.metric.signature[place], fold(entities[place]).singular))
        if name is None:
            return None
        entities[place] = name
    return Variable(metric=binding.metric.name, entities=tuple(entities))


def _over_cap(
    accepted: Mapping[str, list[VariableClaim]], listed: Mapping[str, Variable], limit: int | None
) -> list[str]:
    if limit is None:
        return []
    new = sorted((key for key in accepted if key not in listed), key=lambda key: (-len(accepted[key]), key))
    return new[max(limit - len(listed), 0) :]


def _grown(dimension: Dimension, admitted: Sequence[Admission]) -> Dimension:
    names = [entity.name for entity in admitted if entity.owner == dimension.name]
    if not names:
        return dimension
    return dimension.model_copy(update={"entities": (*dimension.entities, *names)})


def _rejection(
    claim: VariableClaim, reason: ReasonCode, detail: str, candidates: tuple[str, ...] = ()
) -> Rejection:
    return Rejection(claim=claim, reason=reason, detail=detail, candidates=candidates)
