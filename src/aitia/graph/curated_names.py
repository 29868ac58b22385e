"""Where the items of an earlier specification are after a replay, so that a file that lists them keeps their place."""

from __future__ import annotations

from collections.abc import Iterable

from aitia.graph.curation import Replayed
from aitia.graph.curation_state import Refused, State
from aitia.spec.keys import format_key
from aitia.spec.model import DomainSpec


def renamed_items(replayed: Replayed, old: DomainSpec) -> dict[str, dict[str, str]]:
    """By the path of a list of ``graph_spec.yaml`` what its items are called now, if that is otherwise and new."""
    state, new = replayed.state, replayed.domain.spec
    entities = [(axis.name, entity) for axis in old.dimensions for entity in axis.entities]
    return (
        {
            "dimensions": _new(
                ((_key(each.name), _axis(state, each.name)) for each in old.dimensions),
                (_key(each.name) for each in old.dimensions),
            ),
            "dimensions.entities": _new(
                ((name, _entity(state, f"{axis}/{name}")) for axis, name in entities),
                (name for _, name in entities),
            ),
            "metrics": _new(
                ((each.name, _metric(state, each.name)) for each in old.metrics),
                (each.name for each in old.metrics),
            ),
            "variables": _new(
                ((each.key, _variable(state, each.key)) for each in old.variables),
                (each.key for each in old.variables),
            ),
            "relations": _new(
                ((_key(*each.pair), _relation(state, *each.pair)) for each in old.relations),
                (_key(*each.pair) for each in old.relations),
            ),
        }
        if new != old
        else {}
    )


def _new(pairs: Iterable[tuple[str, str | None]], known: Iterable[str]) -> dict[str, str]:
    """The pairs whose second is nothing that was there: of several that became one the first."""
    taken, found = set(known), {}
    for name, now in pairs:
        if now is not None and now not in taken:
            taken.add(now)
            found[name] = now
    return found


def _key(*names: str) -> str:
    return format_key("", names)


def _axis(state: State, name: str) -> str | None:
    try:
        return _key(state.axes[state.axis(name)].name)
    except Refused:
        return None


def _entity(state: State, target: str) -> str | None:
    try:
        return state.members[state.member(target)].name
    except Refused:
        return None


def _metric(state: State, name: str) -> str | None:
    try:
        return state.measures[state.measure(name)].name
    except Refused:
        return None


def _variable(state: State, key: str) -> str | None:
    try:
        return state.key(state.node(key))
    except Refused:
        return None


def _relation(state: State, source: str, target: str) -> str | None:
    try:
        pair = state.flipped_pair((state.node(source), state.node(target)))
        return _key(state.key(pair[0]), state.key(pair[1])) if pair in state.links else None
    except Refused:
        return None
