"""Replaying decisions over what the machine made: the graph that is in force, and what became of each decision.

Pure: the same graph and decisions give the same result. The decisions act in their order, so that each is
understood as the person saw it; one that cannot be applied changes nothing and is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from aitia.graph.causal import CausalEdge, CausalGraph, Template
from aitia.graph.curate_edges import EDGES
from aitia.graph.curate_vocabulary import VOCABULARY
from aitia.graph.curation_state import Axis, Link, Measure, Refused, State
from aitia.graph.domain import DomainGraph
from aitia.spec.decisions import Decided, Decision, Status, edge_key, quote_hashes, undone_by
from aitia.spec.merge import ordered_quotes
from aitia.spec.model import Dimension, Metric, Relation, Variable

HANDLERS = {**VOCABULARY, **EDGES}
WRITTEN = ("mechanism", "polarity", "confidence", "direction", "quotes")
"""Decisions on an edge that make it a relation of the specification."""


@dataclass(frozen=True)
class Replayed:
    """The domain with the decisions applied.

    ``unlinked``: rows of edges whose evidence is to be looked for. ``edited``: the machine's metrics whose
    templates must be judged again, as they are to be judged, by the machine's name. ``renewed``: quotes that
    speak for a rejected edge and were not there when it was rejected, by its key. ``settled``: keys of the
    edges that a person decided on.
    """

    domain: DomainGraph
    decided: tuple[Decided, ...] = ()
    unlinked: tuple[int, ...] = ()
    edited: Mapping[str, Metric] = field(default_factory=dict)
    renewed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    state: State = field(default_factory=State, compare=False, repr=False)

    def find(self, target: str) -> tuple[str, Link] | None:
        """An edge, also a rejected one or a relation that is no edge, and its key today; by any key it ever had."""
        try:
            (source, end), link = self.state.link(target)
        except Refused:
            return None
        return edge_key(self.state.key(source), self.state.key(end)), link


def replay(machine: DomainGraph, decisions: Sequence[Decision]) -> Replayed:
    """The graph in force."""
    state = open_state(machine)
    known = {metric.name: metric for metric in machine.graph.metrics}
    undone = undone_by(decisions)
    found: list[tuple[Status, str, tuple[str, ...]]] = []
    before: set[str] = set()
    for state.step, decision in enumerate(decisions):
        found.append(_play(state, decision, undone, before))
        before.add(decision.id)
    _silence_terminal(state)
    rows = _rows(state)
    domain, unlinked = _domain(state, rows)
    return Replayed(
        domain,
        tuple(_decided(state, decisions, step, *each) for step, each in enumerate(found)),
        unlinked,
        _edited(state, known),
        _renewed(state),
        frozenset(
            edge_key(state.key(s), state.key(t)) for (s, t), link in state.links.items() if link.decided
        ),
        state,
    )


def open_state(machine: DomainGraph) -> State:
    """The machine's domain, ready for decisions."""
    state = State()
    for dimension in machine.dimensions:
        axis = len(state.axes)
        state.axes.append(Axis(dimension.name, dimension.description))
        state.axis_of[dimension.name] = axis
        for entity in dimension.entities:
            state.add_member(axis, entity)
        for alias, entity in dimension.aliases.items():
            state.axes[axis].aliases[alias] = state.member_of[axis, entity]
    for metric in machine.graph.metrics:
        axes = tuple(state.axis_of[name] for name in metric.signature)
        state.measure_of[metric.name] = len(state.measures)
        state.measures.append(Measure(metric, axes, {metric.name}))
    for variable in machine.graph.variables:
        node = state.add_node(*state.place(variable.key))
        state.nodes[node].quotes.update(dict.fromkeys(machine.quotes.get(variable.key, ())))
    for template in machine.graph.templates:
        pair = state.measure_of[template.source], state.measure_of[template.target]
        state.templates[pair] = template
    for edge in machine.graph.edges:
        state.links[edge.source, edge.target] = Link(
            edge.mechanism, edge.confidence, edge.polarity, edge.evidence
        )
    row_of = machine.graph.row_of
    for relation in machine.relations:
        seed = relation.mechanism, relation.confidence, relation.polarity
        pair = row_of[relation.source], row_of[relation.target]
        link = state.links.setdefault(pair, Link(*seed, walked=False))
        link.seed, link.quotes = seed, relation.quotes
    return state


def _play(
    state: State, decision: Decision, undone: Mapping[str, str], before: set[str]
) -> tuple[Status, str, tuple[str, ...]]:
    if decision.id in undone:
        if decision.action == "rename" and "to" in decision.value:
            with suppress(Refused):  # what the name means to the decisions after it
                _call_too(state, decision.kind, decision.target, decision.value["to"])
        return "undone", f"by {undone[decision.id]}", ()
    if decision.id in before and decision.time:
        return "superseded", "the same decision stands before it", ()
    if decision.action == "undo":
        if decision.target in before:
            return "applied", "", ()
        return "lost", f"there is no earlier decision {decision.target}", ()
    handler = HANDLERS.get((decision.kind, decision.action))
    if handler is None:
        return "lost", f"nothing of a causal graph is a {decision.kind} to {decision.action}", ()
    try:
        handler(state, decision)
    except Refused as refused:
        return refused.status, refused.detail, refused.nearest
    except KeyError as error:
        return "conflict", f"it does not say {error}", ()
    return "applied", "", ()


def _call_too(state: State, kind: str, target: str, name: str) -> None:
    """Let a name that a thing was given and that was taken back find it, unless something else has it."""
    if kind == "metric":
        number = state.measure(target)
        known = state.measure_of.get(name)
        if known is None or state.last(state.measures, known) is None:
            state.measure_of[name] = number
    elif kind == "entity":
        number = state.member(target)
        axis = state.members[number].axis
        if state.member_in(axis, name) is None:
            state.member_of[axis, name] = number
    elif kind == "dimension":
        number = state.axis(target)
        known = state.axis_of.get(name)
        if known is None or not state.axes[known].alive:
            state.axis_of[name] = number


def _decided(
    state: State, decisions: Sequence[Decision], step: int, status: Status, detail: str, near: tuple[str, ...]
) -> Decided:
    if status == "applied" and step in state.superseded:
        return Decided(decisions[step], "superseded", f"by {decisions[state.superseded[step]].id}")
    return Decided(decisions[step], status, detail or state.notes.get(step, ""), near)


def _silence_terminal(state: State) -> None:
    """What a terminal metric would bring about leaves the graph; a role that came later wins."""
    for (source, target), link in list(state.links.items()):
        measure = state.measures[state.nodes[source].measure]
        if measure.metric.graph_role != "terminal":
            continue
        role = measure.decided.get("role", measure.decided.get("standing"))
        for step in link.decided.values():
            if role is not None and link.in_force:
                state.superseded[step] = role
        del state.links[source, target]


def _rows(state: State) -> dict[int, int]:
    """The row of each variable that is there, in key order."""
    there = sorted((state.key(number), number) for number, node in enumerate(state.nodes) if node.alive)
    return {number: row for row, (_, number) in enumerate(there)}


def _domain(state: State, rows: Mapping[int, int]) -> tuple[DomainGraph, tuple[int, ...]]:
    metrics = _metrics(state)
    variables = tuple(
        Variable(metric=state.measures[state.nodes[number].measure].name, entities=state.entities(number))
        for number in rows
    )
    walked = sorted(
        ((rows[source], rows[end], link) for (source, end), link in state.links.items() if link.in_force),
        key=lambda row: row[:2],
    )
    edges = tuple(
        CausalEdge(source, end, link.mechanism, link.confidence, link.polarity, link.evidence or ())
        for source, end, link in walked
    )
    domain = DomainGraph(
        _dimensions(state),
        CausalGraph(metrics, variables, _templates(state), edges),
        tuple(sorted(_relations(state), key=lambda relation: relation.pair)),
        {
            variables[row].key: ordered_quotes(state.nodes[number].quotes)
            for number, row in rows.items()
            if state.nodes[number].quotes
        },
    )
    return domain, tuple(row for row, (_, _, link) in enumerate(walked) if link.evidence is None)


def _metrics(state: State) -> tuple[Metric, ...]:
    found = (
        one.metric.model_copy(update={"signature": tuple(state.axes[axis].name for axis in one.axes)})
        for one in state.measures
        if one.alive and one.into is None
    )
    return tuple(sorted(found, key=lambda metric: metric.name))


def _dimensions(state: State) -> tuple[Dimension, ...]:
    entities: dict[int, list[str]] = {}
    for member in state.members:
        if member.alive and member.into is None:
            entities.setdefault(member.axis, []).append(member.name)
    found = []
    for number, axis in enumerate(state.axes):
        if not axis.alive:
            continue
        own = sorted(entities.get(number, ()))
        meant = {alias: state.last(state.members, one) for alias, one in sorted(axis.aliases.items())}
        aliases = {
            alias: state.members[one].name
            for alias, one in meant.items()
            if one is not None and alias not in own
        }
        found.append(
            Dimension(name=axis.name, description=axis.description, entities=tuple(own), aliases=aliases)
        )
    return tuple(sorted(found, key=lambda dimension: dimension.name))


def _templates(state: State) -> tuple[Template, ...]:
    names = [one.name for one in state.measures]
    found = (
        Template(names[source], names[target], each.mechanism, each.confidence)
        for (source, target), each in state.templates.items()
        if state.measures[source].metric.graph_role != "terminal"
    )
    return tuple(sorted(found, key=lambda each: (each.source, each.target)))


def _relations(state: State) -> Iterator[Relation]:
    """The seed relations that stand, and the edges that a person wrote."""
    for (source, target), link in state.links.items():
        written = link.standing == "added" or any(name in link.decided for name in WRITTEN)
        if link.standing in ("rejected", "deleted") or not (link.seed or written):
            continue
        seed = link.seed or (link.mechanism, link.confidence, link.polarity)
        yield Relation(
            source=state.key(source),
            target=state.key(target),
            mechanism=link.mechanism if "mechanism" in link.decided else seed[0],
            confidence=link.confidence if "confidence" in link.decided else seed[1],
            polarity=link.polarity if "polarity" in link.decided else seed[2],
            quotes=link.quotes,
        )


def _edited(state: State, machine: Mapping[str, Metric]) -> dict[str, Metric]:
    """The machine's metrics that are judged by another description, or may now have effects."""
    found = {}
    for measure in state.measures:
        for origin in measure.edited if measure.alive and measure.into is None else ():
            was, now = machine[origin], measure.metric
            freed = was.graph_role == "terminal" != now.graph_role
            if was.description != now.description or freed:
                update = {"description": now.description, "graph_role": now.graph_role}
                found[origin] = was.model_copy(update=update)
    return dict(sorted(found.items()))


def _renewed(state: State) -> dict[str, tuple[str, ...]]:
    found = {}
    for (source, target), link in state.links.items():
        if link.standing == "rejected" and link.remembered is not None:
            quotes = dict.fromkeys(item.quote for item in link.evidence or () if item.quote)
            new = tuple(quote for quote in quotes if not link.remembered.issuperset(quote_hashes([quote])))
            if new:
                found[edge_key(state.key(source), state.key(target))] = new
    return dict(sorted(found.items()))
