"""Decisions on dimensions, entities, metrics and variables, each as what it does to the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

from aitia.graph.causal import Template
from aitia.graph.curation_state import Axis, Measure, Member, Refused, State
from aitia.spec.decisions import Decision
from aitia.spec.model import ANY, GraphRole, Metric, MetricKind

Named = Sequence[Axis] | Sequence[Member] | Sequence[Measure]

METRIC_FIELDS = ("description", "category", "kind")


def rename_dimension(state: State, said: Decision) -> None:
    """Another name; the old one still finds it."""
    number, name = state.axis(said.target), said.value["to"]
    _free(state.axis_of.get(name), number, state.axes, name, f"there is a dimension {name!r} already")
    axis = state.axes[number]
    axis.name = name
    state.axis_of[name] = number
    state.claim(axis, "name")


def edit_dimension(state: State, said: Decision) -> None:
    """Another description."""
    axis = state.axes[state.axis(said.target)]
    axis.description = said.value["to"]
    state.claim(axis, "description")


def add_dimension(state: State, said: Decision) -> None:
    """A new dimension without entities, unless it is there already."""
    known = state.axis_of.get(said.target)
    if known is None or not state.axes[known].alive or state.axes[known].name != said.target:
        known = len(state.axes)
        state.axes.append(Axis(said.target, said.value.get("description", "")))
        state.axis_of[said.target] = known
    state.claim(state.axes[known], "standing")


def delete_dimension(state: State, said: Decision) -> None:
    """Gone with its entities, if no metric has it."""
    number = state.axis(said.target)
    users = [one.metric.name for one in state.measures if one.alive and number in one.axes]
    if users:
        raise Refused(
            "conflict", f"it is a dimension of {', '.join(sorted(users)[:3])}; delete or merge that first"
        )
    state.axes[number].alive = False
    for member in state.members:
        member.alive = member.alive and member.axis != number
    state.claim(state.axes[number], "standing")


def rename_entity(state: State, said: Decision) -> None:
    """Another name; the old one becomes an alias."""
    number, name = state.member(said.target), said.value["to"]
    member = state.members[number]
    known = state.member_of.get((member.axis, name))
    _free(known, number, state.members, name, f"there is an entity {name!r} already; merge them instead")
    state.axes[member.axis].aliases[member.name] = number
    member.name = name
    state.member_of[member.axis, name] = number
    state.claim(member, "name")


def merge_entities(state: State, said: Decision) -> None:
    """One entity of two of a dimension: variables and edges become one, the name becomes an alias."""
    gone, kept = state.member(said.target), state.member(said.value["into"])
    one, other = state.members[gone], state.members[kept]
    if gone == kept:
        raise Refused("conflict", "they are one entity already")
    if one.axis != other.axis:
        raise Refused("conflict", "they are entities of different dimensions")
    one.into = kept
    state.axes[one.axis].aliases[one.name] = kept
    state.move_nodes(
        {
            number: (node.measure, tuple(kept if each == gone else each for each in node.members))
            for number, node in enumerate(state.nodes)
            if node.alive and gone in node.members
        }
    )
    state.claim(one, "standing")


def edit_entity(state: State, said: Decision) -> None:
    """``alias``: another wording that means it; ``unalias``: one that does not."""
    number, word = state.member(said.target), said.value["to"]
    member = state.members[number]
    aliases = state.axes[member.axis].aliases
    if said.value["field"] == "alias":
        aliases[word] = number
    elif word in aliases:
        del aliases[word]
    else:
        raise Refused("lost", f"{word!r} is no alias of {member.name!r}")
    state.claim(member, f"alias {word}")


def add_entity(state: State, said: Decision) -> None:
    """A new entity of a dimension, unless it is there already."""
    name, slash, entity = said.target.partition("/")
    for at in (place for place, sign in enumerate(said.target) if sign == "/"):
        if said.target[:at] in state.axis_of:  # a dimension's name may have a slash
            name, entity = said.target[:at], said.target[at + 1 :]
    if not slash or not entity or entity.casefold() == ANY:
        raise Refused("conflict", f"expected dimension/entity, found {said.target!r}")
    axis = state.axis(name)
    known = state.member_in(axis, entity)
    if known is None or state.members[known].name != entity:
        state.axes[axis].aliases.pop(entity, None)
        known = state.add_member(axis, entity)
    state.claim(state.members[known], "standing")


def delete_entity(state: State, said: Decision) -> None:
    """Gone, and its variables with it."""
    number = state.member(said.target)
    state.drop_nodes(at for at, node in enumerate(state.nodes) if node.alive and number in node.members)
    state.members[number].alive = False
    state.claim(state.members[number], "standing")


def rename_metric(state: State, said: Decision) -> None:
    """Another name; the old one still finds it."""
    number, name = state.measure(said.target), said.value["to"]
    known = state.measure_of.get(name)
    _free(known, number, state.measures, name, f"there is a metric {name!r} already; merge them instead")
    measure = state.measures[number]
    measure.metric = measure.metric.model_copy(update={"name": name})
    state.measure_of[name] = number
    state.claim(measure, "name")


def merge_metrics(state: State, said: Decision) -> None:
    """One metric of two of the same signature: variables, edges and templates become one."""
    gone, kept = state.measure(said.target), state.measure(said.value["into"])
    one, other = state.measures[gone], state.measures[kept]
    if gone == kept:
        raise Refused("conflict", "they are one metric already")
    if one.axes != other.axes:
        raise Refused("conflict", f"their signatures differ; expected that of {other.metric.label}")
    one.into = kept
    other.origins |= one.origins
    other.edited |= one.edited
    moved = {
        at: (kept, node.members) for at, node in enumerate(state.nodes) if node.alive and node.measure == gone
    }
    state.move_nodes(moved)
    templates: dict[tuple[int, int], Template] = {}
    for (source, target), template in state.templates.items():
        pair = kept if source == gone else source, kept if target == gone else target
        known = templates.get(pair, template)
        if pair[0] != pair[1]:
            templates[pair] = max(template, known, key=lambda each: (each.confidence, each.mechanism))
    state.templates = templates
    state.claim(one, "standing")


def edit_metric(state: State, said: Decision) -> None:
    """Another description, category or kind. A description is what its templates are judged by."""
    measure, name, to = state.measures[state.measure(said.target)], said.value["field"], said.value["to"]
    if name not in METRIC_FIELDS or (name == "kind" and to not in get_args(MetricKind)):
        expected = METRIC_FIELDS if name not in METRIC_FIELDS else get_args(MetricKind)
        raise Refused("conflict", f"found {name} {to!r}; expected one of {', '.join(expected)}")
    measure.metric = measure.metric.model_copy(update={name: to})
    if name == "description":
        measure.edited |= measure.origins
    state.claim(measure, name)


def set_role(state: State, said: Decision) -> None:
    """Another role. A terminal metric has no effects: its edges leave the graph at the end."""
    measure, role = state.measures[state.measure(said.target)], said.value["to"]
    if role not in get_args(GraphRole):
        raise Refused(
            "conflict", f"found the role {role!r}; expected one of {', '.join(get_args(GraphRole))}"
        )
    measure.metric = measure.metric.model_copy(update={"graph_role": role})
    measure.edited |= measure.origins
    state.claim(measure, "role")


def add_metric(state: State, said: Decision) -> None:
    """A new metric; one that is there already, of the same signature, is given what is said."""
    axes = tuple(state.axis(name) for name in said.value.get("signature", ()))
    known = state.measure_of.get(said.target)
    number = None if known is None else state.last(state.measures, known)
    fields = {name: said.value[name] for name in (*METRIC_FIELDS, "graph_role") if name in said.value}
    if number is None or state.measures[number].name != said.target:
        number = len(state.measures)
        metric = Metric.model_validate(
            {"name": said.target, "signature": (), "description": "", "category": "", **fields}
        )
        state.measures.append(Measure(metric, axes))
        state.measure_of[said.target] = number
    measure = state.measures[number]
    if measure.axes != axes:
        raise Refused("conflict", f"there is a metric {said.target!r} of another signature")
    measure.metric = measure.metric.model_copy(update=fields)
    state.claim(measure, "standing")


def delete_metric(state: State, said: Decision) -> None:
    """Gone with its variables, edges and templates."""
    number = state.measure(said.target)
    state.drop_nodes(at for at, node in enumerate(state.nodes) if node.alive and node.measure == number)
    state.templates = {pair: each for pair, each in state.templates.items() if number not in pair}
    state.measures[number].alive = False
    state.claim(state.measures[number], "standing")


def add_variable(state: State, said: Decision) -> None:
    """A new variable of a known metric and known entities, unless it is there already."""
    place = state.place(said.target)
    number = state.node_of.get(place)
    if number is None:
        number = state.add_node(*place)
    state.claim(state.nodes[number], "standing")


def delete_variable(state: State, said: Decision) -> None:
    """Gone with its edges."""
    number = state.node(said.target)
    state.claim(state.nodes[number], "standing")
    state.drop_nodes([number])


def _free(known: int | None, number: int, things: Named, name: str, taken: str) -> None:
    """Refuse a name that something else has now; one that it only had once is free."""
    if known is None or known == number:
        return
    other = things[known]
    if other.alive and other.into is None and other.name == name:
        raise Refused("conflict", taken)


Handler = Callable[[State, Decision], None]

VOCABULARY: dict[tuple[str, str], Handler] = {
    ("dimension", "rename"): rename_dimension,
    ("dimension", "edit"): edit_dimension,
    ("dimension", "add"): add_dimension,
    ("dimension", "delete"): delete_dimension,
    ("entity", "rename"): rename_entity,
    ("entity", "merge"): merge_entities,
    ("entity", "edit"): edit_entity,
    ("entity", "add"): add_entity,
    ("entity", "delete"): delete_entity,
    ("metric", "rename"): rename_metric,
    ("metric", "merge"): merge_metrics,
    ("metric", "edit"): edit_metric,
    ("metric", "role"): set_role,
    ("metric", "add"): add_metric,
    ("metric", "delete"): delete_metric,
    ("variable", "add"): add_variable,
    ("variable", "delete"): delete_variable,
}
