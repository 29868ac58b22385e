"""The nodes of ``graph_spec.yaml`` and ``outcomes.yaml`` as checked values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast, get_args

from aitia.spec.model import (
    ANY,
    Dimension,
    DomainSpec,
    GraphRole,
    Metric,
    MetricKind,
    OutcomeConfig,
    Polarity,
    Quote,
    Relation,
    Variable,
)
from aitia.spec.yaml_nodes import Node
from aitia.spec.yaml_values import NodeReader, clip, shown

Value = TypeVar("Value")

ROLES: tuple[str, ...] = get_args(GraphRole)
KINDS: tuple[str, ...] = get_args(MetricKind)
POLARITIES: tuple[str, ...] = get_args(Polarity)
GONE = "; if that was deleted, delete this too"
SECTIONS = ("dimensions", "metrics", "variables", "relations")


def check_spec(root: Node, name: str) -> DomainSpec:
    """The specification in file order.

    Raises:
        SpecError: the first rule that is broken, with its line.

    """
    read = NodeReader(name)
    found = read.fields(root, "the specification", SECTIONS)
    dimensions = _distinct(
        read, found.get("dimensions"), "dimensions", lambda node: _dimension(read, node), lambda one: one.name
    )
    axes = {dimension.name: dimension for dimension in dimensions}
    metrics = _distinct(
        read, found.get("metrics"), "metrics", lambda node: _metric(read, node, axes), lambda one: one.name
    )
    measures = {metric.name: metric for metric in metrics}
    members = {axis: frozenset((*dimension.entities, ANY)) for axis, dimension in axes.items()}
    variables = _distinct(
        read,
        found.get("variables"),
        "variables",
        lambda node: _variable(read, node, measures, members),
        lambda one: one.key,
    )
    keys = frozenset(variable.key for variable in variables)
    relations = _distinct(
        read,
        found.get("relations"),
        "relations",
        lambda node: _relation(read, node, keys),
        lambda one: " -> ".join(one.pair),
    )
    return DomainSpec(dimensions=dimensions, metrics=metrics, variables=variables, relations=relations)


def check_outcomes(root: Node, name: str) -> OutcomeConfig:
    """The roles of an outcome file; an empty file names none."""
    if root.empty:
        return OutcomeConfig()
    read = NodeReader(name)
    found = read.fields(root, "the outcomes", ("terminal", "outcome"))
    terminal, outcome = (
        _distinct(
            read,
            found.get(role),
            "metric names",
            lambda node: read.name_of(node, "the name of a metric"),
            lambda one: one,
        )
        for role in ("terminal", "outcome")
    )
    return OutcomeConfig(terminal=terminal, outcome=outcome)


def _distinct(
    read: NodeReader,
    node: Node | None,
    what: str,
    value_of: Callable[[Node], Value],
    key_of: Callable[[Value], str],
) -> tuple[Value, ...]:
    lines: dict[str, int] = {}
    values = []
    for item in read.items(node, what):
        value = value_of(item)
        key = key_of(value)
        if key in lines:
            read.fail(item, f"found {clip(key)} again, first on line {lines[key]}; expected distinct {what}")
        lines[key] = item.line
        values.append(value)
    return tuple(values)


def _dimension(read: NodeReader, node: Node) -> Dimension:
    found = read.fields(node, "a dimension", ("name", "description", "entities", "aliases"), ("name",))
    entities = _distinct(
        read, found.get("entities"), "entities", lambda item: _entity(read, item), lambda one: one
    )
    aliases: dict[str, str] = {}
    if "aliases" in found:
        if found["aliases"].kind != "mapping":
            read.fail(
                found["aliases"], f"found {shown(found['aliases'])}, expected aliases as 'other form: entity'"
            )
        for key, value in found["aliases"].pairs:
            target = read.name_of(value, "an entity")
            if target not in entities:
                read.fail(value, f"found the entity {clip(target)}, expected one listed under entities")
            aliases[read.name_of(key, "an alias")] = target
    return Dimension(
        name=read.name_of(found["name"], "the name of a dimension"),
        description=read.text(found.get("description"), "a description"),
        entities=entities,
        aliases=aliases,
    )


def _entity(read: NodeReader, node: Node) -> str:
    name = read.name_of(node, "the name of an entity")
    if name.casefold() == ANY:
        read.fail(node, f"found {clip(name)}, which stands for an open place; expected another entity")
    return name


def _metric(read: NodeReader, node: Node, axes: Mapping[str, Dimension]) -> Metric:
    found = read.fields(node, "a metric", ("name", "description", "attributes"), ("name",))
    name, signature = read.key(found["name"], "a metric with its dimensions")
    for axis in signature:
        if axis not in axes:
            read.fail(
                found["name"], f"found the dimension {clip(axis)}, expected one of {_some(sorted(axes))}"
            )
    attributes: dict[str, Node] = {}
    if "attributes" in found:
        attributes = read.fields(found["attributes"], "attributes", ("category", "graph_role", "kind"))
    role = read.choice(attributes.get("graph_role"), "graph_role", ROLES, "intermediate")
    kind = read.choice(attributes.get("kind"), "kind", KINDS, "extensible")
    return Metric(
        name=name,
        signature=signature,
        description=read.text(found.get("description"), "a description"),
        category=read.text(attributes.get("category"), "a category"),
        graph_role=cast("GraphRole", role),
        kind=cast("MetricKind", kind),
    )


def _variable(
    read: NodeReader, node: Node, metrics: Mapping[str, Metric], members: Mapping[str, frozenset[str]]
) -> Variable:
    name, entities = read.key(node, "a variable")
    metric = metrics.get(name)
    if metric is None:
        read.fail(node, f"found the metric {clip(name)}, expected one of {_some(sorted(metrics))}")
    if len(entities) != len(metric.signature):
        places = f"{len(metric.signature)}, as in {metric.label}"
        read.fail(node, f"found {len(entities)} entities for {clip(name)}, expected {places}")
    for axis, entity in zip(metric.signature, entities, strict=True):
        if entity not in members[axis]:
            read.fail(
                node, f"found {clip(entity)}, expected an entity of the dimension {clip(axis)} or any{GONE}"
            )
    return Variable(metric=name, entities=entities)


def _relation(read: NodeReader, node: Node, keys: frozenset[str]) -> Relation:
    found = read.fields(
        node,
        "a relation",
        ("source", "target", "mechanism", "confidence", "polarity", "quotes"),
        ("source", "target"),
    )
    return Relation(
        source=_end(read, found["source"], keys),
        target=_end(read, found["target"], keys),
        mechanism=read.text(found.get("mechanism"), "a mechanism"),
        confidence=read.share(found.get("confidence"), "confidence", 1.0),
        polarity=cast("Polarity", read.choice(found.get("polarity"), "polarity", POLARITIES, "unclear")),
        quotes=tuple(_quote(read, item) for item in read.items(found.get("quotes"), "quotes")),
    )


def _end(read: NodeReader, node: Node, keys: frozenset[str]) -> str:
    name, entities = read.key(node, "a variable")
    key = Variable(metric=name, entities=entities).key
    if key not in keys:
        read.fail(node, f"found {clip(key)}, expected a variable listed under variables{GONE}")
    return key


def _quote(read: NodeReader, node: Node) -> Quote:
    found = read.fields(node, "a quote", ("text", "chunk"), ("text", "chunk"))
    return Quote(
        text=read.text(found["text"], "the words quoted"),
        chunk_id=read.text(found["chunk"], "a chunk"),
    )


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(clip(name) for name in names[:5])
    return (shown or "those defined above (there are none)") + (", ..." if len(names) > 5 else "")
