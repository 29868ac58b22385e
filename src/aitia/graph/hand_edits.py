"""What a person changed in a specification, as decisions: the way from one to the other.

Names are compared first, then what has them, each step over what the decisions so far make of the old one: a
renamed metric is renamed in its variables, and a deleted one takes them along.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from aitia.errors import SpecError
from aitia.graph.causal import CausalGraph
from aitia.graph.curation import replay
from aitia.graph.domain import DomainGraph
from aitia.graph.places import Places
from aitia.spec.decisions import Decision, edge_key
from aitia.spec.model import Dimension, DomainSpec, Metric, Relation

AUTHOR = "file"

Named = TypeVar("Named", Dimension, Metric)


def find_edits(
    old: DomainSpec,
    new: DomainSpec,
    time: str = "",
    known: Sequence[Decision] = (),
    listed: tuple[DomainSpec, DomainSpec] | None = None,
) -> list[Decision]:
    """The decisions that lead from one specification to another, in the order in which they apply.

    ``known``: decisions that the old one waits for. ``listed``: both with their items in the order of the files,
    because what comes in the place of another is that by another name.

    Raises:
        SpecError: a metric has another signature, which no decision can give it.

    """
    found: list[Decision] = list(known)
    places = Places(*(listed or (old, new)))
    for compare in (
        _renamed_dimensions, _new_dimensions, partial(_renamed_metrics, places=places), _metrics, _lost_aliases,
        partial(_entities, places=places), _dimensions, _variables,
    ):  # fmt: skip
        found += _taken(compare(after(old, found), new), time)
    found += _taken(_relations(after(old, found), _without_silenced(old, new, found)), time)
    return found[len(known) :]


def _taken(decisions: Iterable[Decision], time: str) -> list[Decision]:
    return [each.model_copy(update={"author": AUTHOR, "time": time}) for each in decisions]


def _without_silenced(old: DomainSpec, new: DomainSpec, found: Sequence[Decision]) -> DomainSpec:
    """Without the relations that went with the role of their metric, so that the file still has them."""
    now = {each.pair for each in after(old, found).relations}
    told = {each.pair for each in after(old, [each for each in found if each.action != "role"]).relations}
    kept = tuple(each for each in new.relations if each.pair not in told - now)
    return new.model_copy(update={"relations": kept})


def after(spec: DomainSpec, decisions: Sequence[Decision]) -> DomainSpec:
    """The specification with decisions applied."""
    return replay(_domain(spec), decisions).domain.spec if decisions else spec


def _domain(spec: DomainSpec) -> DomainGraph:
    return DomainGraph(spec.dimensions, CausalGraph(spec.metrics, spec.variables, (), ()), spec.relations)


def _renamed_dimensions(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    gone, come = _by_name(old.dimensions, new.dimensions)
    pairs = _matches(
        gone, come, lambda one, other: bool(one.entities) and set(one.entities) == set(other.entities)
    ) or _matches(
        gone, come, lambda one, other: bool(one.description) and one.description == other.description
    )
    for one, other in pairs:
        yield Decision(action="rename", kind="dimension", target=one, value={"to": other})


def _new_dimensions(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    _, come = _by_name(old.dimensions, new.dimensions)
    for name, dimension in come.items():
        value = {"description": dimension.description} if dimension.description else {}
        yield Decision(action="add", kind="dimension", target=name, value=value)


def _renamed_metrics(old: DomainSpec, new: DomainSpec, places: Places) -> Iterator[Decision]:
    gone, come = _by_name(old.metrics, new.metrics)
    bound_old, bound_new = _entities_by_metric(old), _entities_by_metric(new)

    def alike(one: Metric, other: Metric) -> bool:
        return (
            one.signature == other.signature
            and bool(one.description)
            and one.description == other.description
        )

    def bound_alike(one: Metric, other: Metric) -> bool:
        bound = bound_old.get(one.name)
        same = one.signature == other.signature and bound is not None and bound == bound_new.get(other.name)
        return same and places.like(None, one.name, other.name)

    for one, target in _matches(gone, come, alike) or _matches(gone, come, bound_alike):
        yield Decision(action="rename", kind="metric", target=one, value={"to": target})


def _metrics(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    gone, come = _by_name(old.metrics, new.metrics)
    for name in gone:
        yield Decision(action="delete", kind="metric", target=name)
    for name, metric in come.items():
        fields = metric.model_dump(exclude={"name"}, exclude_defaults=True)
        value = {key: list(said) if key == "signature" else said for key, said in fields.items() if said}
        yield Decision(action="add", kind="metric", target=name, value=value)
    then = {metric.name: metric for metric in old.metrics}
    for metric in new.metrics:
        was = then.get(metric.name)
        if was is None:
            continue
        if was.signature != metric.signature:
            raise SpecError(
                f"graph_spec.yaml: the metric {metric.label} was {was.label}, and its variables are of that; "
                "expected the same dimensions, or another name for a new metric"
            )
        for name in ("description", "category", "kind"):
            if getattr(was, name) != getattr(metric, name):
                value = {"field": name, "to": getattr(metric, name)}
                yield Decision(action="edit", kind="metric", target=metric.name, value=value)
        if was.graph_role != metric.graph_role:
            yield Decision(action="role", kind="metric", target=metric.name, value={"to": metric.graph_role})


def _lost_aliases(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    """Before entities are renamed: what they were called until then stays an alias."""
    aliases = {dimension.name: dimension.aliases for dimension in new.dimensions}
    for dimension in old.dimensions:
        for alias, entity in dimension.aliases.items():
            if alias not in aliases.get(dimension.name, {alias}):
                yield _alias(dimension.name, entity, alias, "unalias")


def _entities(old: DomainSpec, new: DomainSpec, places: Places) -> Iterator[Decision]:
    then = {dimension.name: dimension for dimension in old.dimensions}
    keys = _keys(old), _keys(new)
    for dimension in new.dimensions:
        was = then.get(dimension.name, Dimension(name=dimension.name))
        gone = [name for name in was.entities if name not in dimension.entities]
        come = [name for name in dimension.entities if name not in was.entities]
        for name in gone:
            alike = [other for other in come if places.like(dimension.name, name, other)]
            into = dimension.aliases.get(name) or _renamed_entity(old, dimension.name, name, alike, keys)
            target = f"{dimension.name}/{name}"
            if into in come:
                come.remove(str(into))
                yield Decision(action="rename", kind="entity", target=target, value={"to": into})
            elif into is not None:
                yield Decision(
                    action="merge", kind="entity", target=target, value={"into": f"{dimension.name}/{into}"}
                )
            else:
                yield Decision(action="delete", kind="entity", target=target)
        for name in come:
            yield Decision(action="add", kind="entity", target=f"{dimension.name}/{name}")


def _renamed_entity(
    old: DomainSpec, axis: str, name: str, come: Collection[str],
    keys: tuple[frozenset[str], frozenset[str]],
) -> str | None:  # fmt: skip
    """The only new entity that stands wherever a lost one stood, if it stood anywhere."""
    signature = {metric.name: metric.signature for metric in old.metrics}

    def exchanged(other: str) -> set[str]:
        return {
            variable.model_copy(
                update={
                    "entities": tuple(
                        other if (entity, place) == (name, axis) else entity
                        for entity, place in zip(variable.entities, signature[variable.metric], strict=True)
                    )
                }
            ).key
            for variable in old.variables
        } - keys[0]

    found = [other for other in come if (moved := exchanged(other)) and moved <= keys[1]]
    return found[0] if len(found) == 1 else None


def _dimensions(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    """What is left of dimensions: those that are gone, descriptions, aliases."""
    gone, _ = _by_name(old.dimensions, new.dimensions)
    for name in gone:
        yield Decision(action="delete", kind="dimension", target=name)
    then = {dimension.name: dimension for dimension in old.dimensions}
    for dimension in new.dimensions:
        was = then[dimension.name]
        if was.description != dimension.description:
            value = {"field": "description", "to": dimension.description}
            yield Decision(action="edit", kind="dimension", target=dimension.name, value=value)
        for alias, entity in dimension.aliases.items():
            if was.aliases.get(alias) != entity:
                yield _alias(dimension.name, entity, alias, "alias")


def _alias(dimension: str, entity: str, alias: str, field: str) -> Decision:
    value = {"field": field, "to": alias}
    return Decision(action="edit", kind="entity", target=f"{dimension}/{entity}", value=value)


def _variables(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    before, now = _keys(old), _keys(new)
    for key in sorted(before - now):
        yield Decision(action="delete", kind="variable", target=key)
    for key in sorted(now - before):
        yield Decision(action="add", kind="variable", target=key)


def _relations(old: DomainSpec, new: DomainSpec) -> Iterator[Decision]:
    then = {relation.pair: relation for relation in old.relations}
    now = {relation.pair: relation for relation in new.relations}
    for pair, was in then.items():
        back = now.get(pair[::-1])
        if pair not in now and back is not None and pair[::-1] not in then:
            yield Decision(action="flip", kind="edge", target=edge_key(*pair))
            yield from _fields(was, back)
        elif pair not in now:
            yield Decision(action="delete", kind="edge", target=edge_key(*pair))
    for pair, relation in now.items():
        if pair in then:
            yield from _fields(then[pair], relation)
        elif pair[::-1] not in then or pair[::-1] in now:
            value = {"mechanism": relation.mechanism, "confidence": relation.confidence,
                     "polarity": relation.polarity, "quotes": _quotes(relation)}  # fmt: skip
            kept = {name: said for name, said in value.items() if said not in ("", [])}
            yield Decision(action="add", kind="edge", target=edge_key(*pair), value=kept)


def _fields(was: Relation, now: Relation) -> Iterator[Decision]:
    for name in ("mechanism", "confidence", "polarity"):
        if getattr(was, name) != getattr(now, name):
            value = {"field": name, "to": getattr(now, name)}
            yield Decision(action="edit", kind="edge", target=edge_key(*now.pair), value=value)
    if was.quotes != now.quotes:
        quotes: dict[str, Any] = {"to": _quotes(now)} if now.quotes else {}
        value = {"field": "quotes", **quotes}
        yield Decision(action="edit", kind="edge", target=edge_key(*now.pair), value=value)


def _quotes(relation: Relation) -> list[dict[str, str]]:
    return [{"text": quote.text, "chunk": quote.chunk_id} for quote in relation.quotes]


def _keys(spec: DomainSpec) -> frozenset[str]:
    return frozenset(variable.key for variable in spec.variables)


def _entities_by_metric(spec: DomainSpec) -> Mapping[str, frozenset[tuple[str, ...]]]:
    found: dict[str, set[tuple[str, ...]]] = {}
    for variable in spec.variables:
        found.setdefault(variable.metric, set()).add(variable.entities)
    return {name: frozenset(bound) for name, bound in found.items()}


def _by_name(old: Iterable[Named], new: Iterable[Named]) -> tuple[dict[str, Named], dict[str, Named]]:
    before, now = {one.name: one for one in old}, {one.name: one for one in new}
    gone = {name: one for name, one in sorted(before.items()) if name not in now}
    come = {name: one for name, one in sorted(now.items()) if name not in before}
    return gone, come


def _matches(
    gone: Mapping[str, Named], come: Mapping[str, Named], alike: Callable[[Named, Named], bool]
) -> list[tuple[str, str]]:
    """The pairs that have no other match on either side."""
    fits = [(one, other) for one, a in gone.items() for other, b in come.items() if alike(a, b)]
    ones, others = [one for one, _ in fits], [other for _, other in fits]
    return [(one, other) for one, other in fits if ones.count(one) == 1 and others.count(other) == 1]
