"""Resolving the names of variable and relation claims against metrics and dimensions.

Variables are matched within their metric, entity by entity, against the entities of the dimension that
stands at that place of the signature; ``any`` is always allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aitia.spec.claims import ReasonCode
from aitia.spec.endpoints import Match, Vocabulary
from aitia.spec.keys import format_key, parse_key
from aitia.spec.model import ANY, Dimension, Metric
from aitia.spec.names import clean_name

Binding = tuple[str, tuple[str, ...]]
"""A metric's name and an entity's name for each place of its signature, as an analyst wrote them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a name does not stand for anything known."""

    reason: ReasonCode
    detail: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A binding in the vocabulary's words.

    ``new`` has the places whose entity is not in the vocabulary, each with the names that the opposites
    guard kept it apart from.
    """

    metric: Metric
    entities: tuple[str, ...]
    new: tuple[tuple[int, tuple[str, ...]], ...] = ()

    @property
    def key(self) -> str:
        """The variable's key."""
        return format_key(self.metric.name, self.entities)


def read_endpoint(text: str) -> Binding | Fault:
    """An endpoint ``Metric(entity, ...)`` taken apart."""
    try:
        metric, entities = parse_key(text)
    except ValueError as error:
        return Fault("unknown_endpoint", str(error))
    return metric, entities


def resolve_bindings(
    bindings: Iterable[Binding], dimensions: Sequence[Dimension], metrics: Sequence[Metric]
) -> dict[Binding, Resolved | Fault]:
    """Each distinct binding resolved, all look-ups of a vocabulary in one go."""
    distinct = sorted(set(bindings))
    by_name = {metric.name: metric for metric in metrics}
    found_metrics = _look_up(Vocabulary.of(by_name), (metric for metric, _ in distinct))
    asked: dict[str, set[str]] = {dimension.name: set() for dimension in dimensions}
    for name, entities in distinct:
        metric = by_name.get(found_metrics[name].value or "")
        if metric and len(metric.signature) == len(entities):
            for dimension, entity in zip(metric.signature, entities, strict=True):
                asked[dimension].add(clean_name(entity))
    found_entities = {
        dimension.name: _look_up(
            Vocabulary.of(dimension.entities, dimension.aliases), sorted(asked[dimension.name])
        )
        for dimension in dimensions
    }
    resolved: dict[Binding, Resolved | Fault] = {}
    for name, entities in distinct:
        found = found_metrics[name]
        if found.value is None:
            resolved[name, entities] = _metric_fault(name, found)
        else:
            resolved[name, entities] = _bind(by_name[found.value], entities, found_entities)
    return resolved


def _look_up(vocabulary: Vocabulary, names: Iterable[str]) -> dict[str, Match]:
    asked = sorted(set(names))
    return dict(zip(asked, vocabulary.match_all(asked), strict=True))


def _metric_fault(name: str, found: Match) -> Fault:
    reason: ReasonCode = "ambiguous_name" if found.candidates else "unknown_metric"
    return Fault(reason, f"metric {name!r}", found.candidates)


def _bind(
    metric: Metric, entities: Sequence[str], found: Mapping[str, Mapping[str, Match]]
) -> Resolved | Fault:
    if len(entities) != len(metric.signature):
        return Fault("wrong_arity", f"{metric.label} takes {len(metric.signature)}, not {len(entities)}")
    names: list[str] = []
    new: list[tuple[int, tuple[str, ...]]] = []
    for place, (dimension, entity) in enumerate(
        zip(metric.signature, map(clean_name, entities), strict=True)
    ):
        match = found[dimension][entity]
        if not entity:
            return Fault("empty", f"nothing stands for {dimension}")
        if entity.casefold() == ANY:
            names.append(ANY)
        elif match.value is not None:
            names.append(match.value)
        elif match.kind == "ambiguous" and not match.guarded:
            return Fault("ambiguous_name", f"{dimension} {entity!r}", match.candidates)
        else:
            names.append(entity)
            new.append((place, match.candidates))
    return Resolved(metric, tuple(names), tuple(new))
