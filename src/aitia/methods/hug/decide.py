"""Decisions on an entity graph: which names are one entity, and which gates are open.

A merge that is rejected keeps two names apart; one that is accepted makes them one, suggested or not. A gate is
named by its modules (`gate_names`), and keeps their members, by which they are found after other merges.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from aitia.graph.curation_state import nearest
from aitia.methods.hug.gate_names import Modules
from aitia.methods.hug.gates import Gate
from aitia.spec.decisions import Decided, Decision, a, split_key, undone_by

BY_HAND = "accepted by hand"
ENDS = ("source", "target")
"""Fields of a decision on a gate: the members of either module at the time."""


@dataclass(frozen=True)
class Wishes:
    """What is wanted of merges and gates, the later decision on a pair being the one in force.

    ``apart`` and ``together``: pairs of names, of the latter the name to keep first. ``gates``: whether the gate
    of two modules (keys) is open. ``decided`` has every decision with what becomes of it.
    """

    apart: frozenset[frozenset[str]] = frozenset()
    together: tuple[tuple[str, str], ...] = ()
    gates: Mapping[tuple[str, str], bool] | None = None
    decided: tuple[Decided, ...] = ()


def read_merges(decisions: Sequence[Decision], names: Collection[str]) -> Wishes:
    """What the decisions want of the merges of names; those on gates are left as they are."""
    last: dict[frozenset[str], tuple[int, bool, tuple[str, str]]] = {}
    decided = _undone(decisions)
    for step, each in enumerate(decided):
        if each.status == "applied" and each.decision.kind == "merge" and each.decision.action != "undo":
            pair = _pair(each, lambda name, _: name if name in names else None, names)
            if isinstance(pair, Decided):
                decided[step] = pair
                continue
            _supersede(decided, last.get(frozenset(pair)), step)
            last[frozenset(pair)] = step, each.decision.action == "accept", pair
    return Wishes(
        frozenset(pair for pair, (_, accepted, _) in last.items() if not accepted),
        tuple(pair for _, accepted, pair in last.values() if accepted),
        None,
        tuple(decided),
    )


def read_gates(wishes: Wishes, modules: Modules) -> Wishes:
    """The same, with what is wanted of the gates between modules."""
    last: dict[tuple[str, str], tuple[int, bool, tuple[str, str]]] = {}
    decided = list(wishes.decided)
    for step, each in enumerate(decided):
        if each.status == "applied" and each.decision.kind == "gate" and each.decision.action != "undo":
            pair = _pair(each, modules.find, modules.names)
            if isinstance(pair, Decided):
                decided[step] = pair
                continue
            _supersede(decided, last.get(pair), step)
            last[pair] = step, each.decision.action == "accept", pair
    gates = {pair: accepted for pair, (_, accepted, _) in last.items()}
    return replace(wishes, gates=gates, decided=tuple(decided))


def remember_gate(decision: Decision, modules: Modules) -> dict[str, list[str]]:
    """What a decision keeps of the modules of its gate: the members of those that are there."""
    try:
        keys = map(modules.find, split_key(decision.target))
    except ValueError:
        return {}
    return {end: modules.remembered(key) for end, key in zip(ENDS, keys, strict=True) if key is not None}


def set_gates(gates: Sequence[Gate], wishes: Wishes, keys: Sequence[str]) -> list[Gate]:
    """The gates with those that a person closed or opened; one that nobody judged is added."""
    row_of = {key: row for row, key in enumerate(keys)}
    wanted = {
        (row_of[source], row_of[target]): is_open
        for (source, target), is_open in (wishes.gates or {}).items()
    }
    found = []
    for gate in gates:
        is_open = wanted.pop((gate.source, gate.target), None)
        found.append(gate if is_open is None else replace(gate, accepted=is_open))
    found += [
        Gate(source, target, 1.0, 0.0, BY_HAND, accepted=True)
        for (source, target), is_open in sorted(wanted.items())
        if is_open
    ]
    return found


def _undone(decisions: Sequence[Decision]) -> list[Decided]:
    undone, known = undone_by(decisions), set[str]()
    found = []
    for each in decisions:
        if each.id in undone:
            found.append(Decided(each, "undone", f"by {undone[each.id]}"))
        elif each.action == "undo" and each.target not in known:
            found.append(Decided(each, "lost", f"there is no earlier decision {each.target}"))
        elif each.kind not in ("merge", "gate"):
            found.append(
                Decided(each, "lost", f"nothing of an entity graph is {a(each.kind)} to {each.action}")
            )
        else:
            found.append(Decided(each, "applied"))
        known.add(each.id)
    return found


def _pair(
    each: Decided, resolve: Callable[[str, Sequence[str]], str | None], known: Collection[str]
) -> tuple[str, str] | Decided:
    try:
        ends = split_key(each.decision.target)
    except ValueError as error:
        return replace(each, status="lost", detail=str(error))
    members = (each.decision.value.get(end, ()) for end in ENDS)
    source, target = map(resolve, ends, members)
    if source is None or target is None:
        gone = ends[0] if source is None else ends[1]
        return replace(each, status="lost", detail=f"there is no {gone!r}", nearest=nearest(gone, known))
    if source == target:
        return replace(each, status="conflict", detail="they are one")
    return source, target


def _supersede(decided: list[Decided], earlier: tuple[int, bool, tuple[str, str]] | None, step: int) -> None:
    if earlier is not None:
        at = earlier[0]
        decided[at] = replace(decided[at], status="superseded", detail=f"by {decided[step].decision.id}")
