"""A domain while decisions are replayed over it: things have numbers, so that a name is only a name.

A key is resolved by every name that its metric and its entities ever had; a thing that is there now wins over
one that had the name before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from aitia.graph.causal import EdgeEvidence, Template
from aitia.graph.link import merge_evidence
from aitia.spec.decisions import Status, edge_key, split_key
from aitia.spec.keys import format_key, parse_key
from aitia.spec.merge import merge_polarities, ordered_quotes
from aitia.spec.model import ANY, Metric, Polarity, Quote

OPEN = -1
"""The number of the reserved entity `any`."""
NEAREST = 3
LEAST_ALIKE = 50.0
"""Of 100: names less alike are not worth showing."""

Standing = Literal["machine", "accepted", "rejected", "deleted", "added"]
Pair = tuple[int, int]


class Refused(ValueError):
    """A decision cannot be applied: why, and the names nearest to its target."""

    def __init__(self, status: Status, detail: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.status: Status = status
        self.detail = detail
        self.nearest = nearest


@dataclass(slots=True)
class Thing:
    """What every thing has: the decisions in force on it by field, and what it was merged into."""

    decided: dict[str, int] = field(default_factory=dict, kw_only=True)
    alive: bool = field(default=True, kw_only=True)
    into: int | None = field(default=None, kw_only=True)


@dataclass(slots=True)
class Axis(Thing):
    """A dimension. ``aliases`` lead to the numbers of entities."""

    name: str
    description: str
    aliases: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Member(Thing):
    """An entity of a dimension."""

    axis: int
    name: str


@dataclass(slots=True)
class Measure(Thing):
    """A metric. ``origins``: the machine's metrics that it is; ``edited``: those that an edit reached."""

    metric: Metric
    axes: tuple[int, ...]
    origins: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """Its name today."""
        return self.metric.name


@dataclass(slots=True)
class Node(Thing):
    """A variable."""

    measure: int
    members: tuple[int, ...]
    quotes: dict[Quote, None] = field(default_factory=dict)


@dataclass(slots=True)
class Link(Thing):
    """An edge, or a seed relation that did not become one (then it is not ``walked``), or both.

    ``seed`` has the fields of the relation (mechanism, confidence, polarity). ``evidence`` is None where it is
    to be looked for. ``remembered``: hashes of the quotes that were there when it was rejected.
    """

    mechanism: str
    confidence: float
    polarity: Polarity
    evidence: tuple[EdgeEvidence, ...] | None = None
    walked: bool = True
    seed: tuple[str, float, Polarity] | None = None
    quotes: tuple[Quote, ...] = ()
    standing: Standing = "machine"
    remembered: frozenset[str] | None = None

    @property
    def in_force(self) -> bool:
        """Whether it is an edge of the graph, as far as it alone is concerned."""
        return self.walked and self.standing not in ("rejected", "deleted")


@dataclass(slots=True)
class State:
    """The domain so far. ``step`` is the position of the decision that is being replayed."""

    axes: list[Axis] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    links: dict[Pair, Link] = field(default_factory=dict)
    templates: dict[Pair, Template] = field(default_factory=dict)
    axis_of: dict[str, int] = field(default_factory=dict)
    member_of: dict[tuple[int, str], int] = field(default_factory=dict)
    measure_of: dict[str, int] = field(default_factory=dict)
    node_of: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    flipped: dict[Pair, Pair] = field(default_factory=dict)
    superseded: dict[int, int] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    step: int = -1

    def claim(self, thing: Thing, name: str) -> None:
        """Let the present decision be the one in force on a field."""
        self.settle(thing, name, self.step)

    def settle(self, thing: Thing, name: str, step: int) -> None:
        """Of two decisions on a field the later one is in force."""
        known = thing.decided.get(name, step)
        if known != step:
            self.superseded[min(known, step)] = max(known, step)
        thing.decided[name] = max(known, step)

    # What a name means.

    def axis(self, name: str) -> int:
        """The number of a dimension."""
        found = self.axis_of.get(name)
        if found is None or not self.axes[found].alive:
            raise lost(f"there is no dimension {name!r}", name, self.axis_names())
        return found

    def member(self, target: str) -> int:
        """The number of the entity that ``dimension/entity`` names."""
        for at in (place for place, sign in enumerate(target) if sign == "/"):
            axis = self.axis_of.get(target[:at])
            if axis is not None and self.axes[axis].alive:
                found = self.member_in(axis, target[at + 1 :])
                if found is not None:
                    self._note_member(found, target[at + 1 :])
                    return found
        raise lost(f"there is no entity {target!r}", target, self.entity_names())

    def member_in(self, axis: int, name: str) -> int | None:
        """The entity of a dimension by any name it ever had or is known by."""
        found = self.member_of.get((axis, name), self.axes[axis].aliases.get(name))
        return None if found is None else self.last(self.members, found)

    def measure(self, name: str) -> int:
        """The number of a metric, by its bare name or its label."""
        found, said = self.measure_of.get(name), name
        if found is None and "(" in name:
            with suppress(ValueError):
                said = parse_key(name)[0]
            found = self.measure_of.get(said)
        number = None if found is None else self.last(self.measures, found)
        if number is None:
            raise lost(f"there is no metric {name!r}", name, self.measure_names())
        self._note(said, self.measures[number].name)
        return number

    def place(self, key: str, *, admit: bool = False) -> tuple[int, tuple[int, ...]]:
        """The metric and the entities of a variable's key, whether or not the variable is there.

        With ``admit`` an entity that is not there becomes one.
        """
        try:
            name, entities = parse_key(key)
        except ValueError as error:
            raise Refused("lost", str(error)) from None
        measure = self.measure(name)
        axes = self.measures[measure].axes
        if len(axes) != len(entities):
            raise Refused(
                "lost", f"{name} has {len(axes)} dimensions, found {len(entities)} entities in {key!r}"
            )
        found = (self._bound(axis, each, admit=admit) for axis, each in zip(axes, entities, strict=True))
        return measure, tuple(found)

    def _bound(self, axis: int, entity: str, *, admit: bool) -> int:
        if entity == ANY:
            return OPEN
        found = self.member_in(axis, entity)
        if found is None and admit:
            return self.add_member(axis, entity)
        if found is None:
            name = self.axes[axis].name
            raise lost(f"{name} has no entity {entity!r}", f"{name}/{entity}", self.entity_names())
        self._note_member(found, entity)
        return found

    def _note_member(self, number: int, said: str) -> None:
        one = self.members[number]
        axis = self.axes[one.axis].name
        self._note(f"{axis}/{said}", f"{axis}/{one.name}")

    def _note(self, said: str, today: str) -> None:
        """Keep for the report that the present decision says it by a name of then."""
        known, note = self.notes.get(self.step, ""), f"{said} is now {today}"
        if said != today and note not in known:
            self.notes[self.step] = f"{known}; {note}" if known else note

    def node(self, key: str) -> int:
        """The number of a variable."""
        try:
            found = self.node_of.get(self.place(key))
        except Refused as refused:
            raise lost(refused.detail, key, self.keys()) from None
        if found is None:
            raise lost(f"there is no variable {key!r}", key, self.keys())
        return found

    def pair(self, target: str) -> Pair:
        """The two variables of an edge's key."""
        try:
            source, end = split_key(target)
        except ValueError as error:
            raise Refused("lost", str(error)) from None
        return self.node(source), self.node(end)

    def link(self, target: str) -> tuple[Pair, Link]:
        """The edge or relation of a key, also if it was flipped since."""
        pair = self.flipped_pair(self.pair(target))
        if pair not in self.links:
            raise lost(f"there is no edge {target!r}", target, self.edge_keys())
        return pair, self.links[pair]

    def flipped_pair(self, pair: Pair) -> Pair:
        """The pair of an edge that may have been flipped since."""
        return pair if pair in self.links else self.flipped.get(pair, pair)

    @staticmethod
    def last(things: list[Member] | list[Measure], number: int) -> int | None:
        """What a thing has become by merges, if it is still there."""
        while (into := things[number].into) is not None:
            number = into
        return number if things[number].alive else None

    # What there is, by name.

    def axis_names(self) -> Iterator[str]:
        """The dimensions."""
        return (axis.name for axis in self.axes if axis.alive)

    def entity_names(self) -> Iterator[str]:
        """The entities as ``dimension/entity``."""
        return (f"{self.axes[one.axis].name}/{one.name}" for one in self.members if one.alive)

    def measure_names(self) -> Iterator[str]:
        """The metrics."""
        return (one.metric.name for one in self.measures if one.alive)

    def keys(self) -> Iterator[str]:
        """The variables."""
        return (self.key(number) for number, node in enumerate(self.nodes) if node.alive)

    def edge_keys(self) -> Iterator[str]:
        """The edges in force."""
        return (edge_key(self.key(s), self.key(t)) for (s, t), link in self.links.items() if link.in_force)

    def key(self, node: int) -> str:
        """The key of a variable by today's names."""
        return format_key(self.measures[self.nodes[node].measure].name, self.entities(node))

    def entities(self, node: int) -> tuple[str, ...]:
        """The entities of a variable."""
        return tuple(ANY if one == OPEN else self.members[one].name for one in self.nodes[node].members)

    # What comes, goes and becomes one.

    def add_member(self, axis: int, name: str) -> int:
        """A new entity."""
        self.members.append(Member(axis, name))
        self.member_of[axis, name] = len(self.members) - 1
        return len(self.members) - 1

    def add_node(self, measure: int, members: tuple[int, ...]) -> int:
        """A new variable."""
        self.nodes.append(Node(measure, members))
        self.node_of[measure, members] = len(self.nodes) - 1
        return len(self.nodes) - 1

    def drop_nodes(self, numbers: Iterable[int]) -> None:
        """Remove variables with their edges."""
        gone = set(numbers)
        for number in gone:
            node = self.nodes[number]
            node.alive = False
            del self.node_of[node.measure, node.members]
        self.links = {pair: link for pair, link in self.links.items() if gone.isdisjoint(pair)}

    def move_nodes(self, moved: dict[int, tuple[int, tuple[int, ...]]]) -> None:
        """Give variables another metric or other entities, and unite those that become the same."""
        becomes: dict[int, int] = {}
        for number in moved:
            node = self.nodes[number]
            del self.node_of[node.measure, node.members]
        for number, place in moved.items():
            known = self.node_of.setdefault(place, number)
            node = self.nodes[number]
            if known == number:
                node.measure, node.members = place
            else:
                node.alive, becomes[number] = False, known
                self.nodes[known].quotes.update(node.quotes)
        if becomes:
            self._repoint(becomes)

    def _repoint(self, becomes: dict[int, int]) -> None:
        links: dict[Pair, Link] = {}
        for (source, target), link in self.links.items():
            pair = becomes.get(source, source), becomes.get(target, target)
            if pair[0] != pair[1]:
                links[pair] = self.unite(links[pair], link) if pair in links else link
        self.links = links
        self.flipped = {
            (becomes.get(a, a), becomes.get(b, b)): (becomes.get(c, c), becomes.get(d, d))
            for (a, b), (c, d) in self.flipped.items()
        }

    def unite(self, one: Link, other: Link) -> Link:
        """Two edges between the same variables: what a person decided stays, the later decision wins."""
        best, less = sorted((one, other), key=_surest)
        united = Link(
            _of(best, less, "mechanism").mechanism,
            _of(best, less, "confidence").confidence,
            self._polarity(best, less),
            _united_evidence(best, less),
            best.walked or less.walked,
            min((link.seed for link in (best, less) if link.seed), key=_seed_rank, default=None),
            ordered_quotes((*best.quotes, *less.quotes)),
            _of(best, less, "standing").standing,
            _of(best, less, "standing").remembered,
        )
        for link in (best, less):
            for name, step in link.decided.items():
                self.settle(united, name, step)
        return united

    @staticmethod
    def _polarity(best: Link, less: Link) -> Polarity:
        if "polarity" in best.decided or "polarity" in less.decided:
            return _of(best, less, "polarity").polarity
        walked = [link.polarity for link in (best, less) if link.walked]
        return merge_polarities(walked or [best.polarity, less.polarity])


def lost(detail: str, name: str, known: Iterable[str]) -> Refused:
    """What is refused because it is not there, with the names nearest to it."""
    return Refused("lost", detail, nearest(name, known))


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The names most like one, best first."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        name, sorted(set(known)), scorer=fuzz.ratio, limit=NEAREST, score_cutoff=LEAST_ALIKE,
        processor=str.casefold,
    )  # fmt: skip
    return tuple(choice for choice, _, _ in found)


def _surest(link: Link) -> tuple[bool, float, bool, str]:
    return not link.walked, -link.confidence, link.mechanism == "", link.mechanism


def _seed_rank(seed: tuple[str, float, Polarity]) -> tuple[float, bool, str]:
    return -seed[1], seed[0] == "", seed[0]


def _of(best: Link, less: Link, name: str) -> Link:
    """Whose field it is: the one that was decided on last, else the surest."""
    return less if less.decided.get(name, -1) > best.decided.get(name, -1) else best


def _united_evidence(best: Link, less: Link) -> tuple[EdgeEvidence, ...] | None:
    known = [link.evidence for link in (best, less) if link.evidence is not None]
    return merge_evidence([item for items in known for item in items]) if known else None
