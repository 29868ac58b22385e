"""Decisions as they are kept: checked against the index of today, with their time and what they must remember."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from aitia.errors import UsageError
from aitia.graph.curation import Replayed
from aitia.methods.hug.decide import ENDS, remember_gate
from aitia.spec.decisions import ACTIONS, Action, Decided, Decision, a, quote_hashes, undone_by
from aitia.spec.model import ANY
from aitia.spec.names import clean_name
from aitia.workflows.decided import decided_of, modules_of, replay_stored
from aitia.workflows.earlier import TIME, now
from aitia.workflows.index import Index

LONGEST_NAME, LONGEST_TEXT = 200, 10_000
NONE = "none"
"""In the place of hashes where there was no quote: a list of nothing would not be kept."""

VALUES: Mapping[Action, tuple[str, ...]] = {
    "rename": ("to",),
    "merge": ("into",),
    "flip": (),
    "edit": ("field", "to"),
    "role": ("to",),
    "add": (
        "description", "signature", "category", "graph_role", "kind", "mechanism", "confidence", "polarity", "quotes",
    ),
    "delete": (),
    "accept": ("mechanism", "confidence", "polarity", "evidence", *ENDS),
    "reject": ("evidence", *ENDS),
    "undo": (),
}  # fmt: skip
"""What the value of an action may have."""

LISTS: Mapping[str, str] = {
    kind: f"aitia {where} lists what there is"
    for kind, where in {
        "dimension": "show spec",
        "entity": "show spec",
        "metric": "show metrics",
        "variable": "show variables",
        "edge": "show edges",
        "merge": "show entities",
        "gate": "show modules",
        "undo": "curate history",
    }.items()
}
"""Where a person finds the names of a kind, for whom none is near."""


def complete(
    index: Index, known: Sequence[Decision], decisions: Sequence[Decision], places: Sequence[str] = ()
) -> list[Decision]:
    """The decisions with time and evidence. ``places``: where each stands, as errors name it.

    Raises:
        UsageError: one of them cannot be applied; nothing is kept of any.

    """
    before = replay_stored(index.store, known)
    made: list[Decision] = []
    times = _times(known)
    for number, decision in enumerate(decisions):
        with _at(places, number):
            _check_form(decision)
            _check_undo(decision, [*known, *made])
            _check_new(decision, before)
        value = _remembered(decision, before)
        if decision.kind == "gate" and decision.action != "undo":
            value |= remember_gate(decision, modules_of(index.store))
        time = decision.time or next(times)
        made.append(decision.model_copy(update={"value": value, "time": time}))
    for number, decided in enumerate(decided_of(index.store, [*known, *made])[len(known) :]):
        with _at(places, number):
            _check_status(decided)
    return made


@contextmanager
def _at(places: Sequence[str], number: int) -> Iterator[None]:
    """Say in an error where the decision stands."""
    try:
        yield
    except UsageError as error:
        if not places:
            raise
        raise UsageError(f"{places[number]}: {error}") from None


def _times(known: Sequence[Decision]) -> Iterator[str]:
    """Times after all that are known, so that two decisions of a second are not one."""
    latest = max((each.time for each in known if _is_time(each.time)), default="")
    at = datetime.strptime(now(), TIME)
    if latest:
        at = max(at, datetime.strptime(latest, TIME) + timedelta(seconds=1))
    while True:
        yield at.strftime(TIME)
        at += timedelta(seconds=1)


def _is_time(text: str) -> bool:
    try:
        datetime.strptime(text, TIME)
    except ValueError:
        return False
    return True


def _check_form(decision: Decision) -> None:
    action, kind, value = decision.action, decision.kind, decision.value
    if action not in ACTIONS[kind]:
        raise UsageError(f"{a(kind)} cannot be {action!r}; expected one of {', '.join(ACTIONS[kind])}")
    for name, said in value.items():
        if name not in VALUES[action]:
            expected = ", ".join(VALUES[action]) or "none"
            raise UsageError(f"{action} {kind}: unknown field {name!r}; expected {expected}")
        _check_text(name, said)
    for name in ("to", "into", "field"):
        if name in VALUES[action] and name not in value:
            raise UsageError(f"{action} {kind} {decision.target}: it does not say {name!r}")
    named = value.get("to") if action == "rename" else decision.target if action == "add" else None
    if named is not None and kind != "edge" and kind != "variable":
        _check_name(kind, str(named))
    for text in (decision.target, decision.author, decision.reason):
        _check_text("text", text)


def _check_name(kind: str, name: str) -> None:
    if clean_name(name) != name or not name or len(name) > LONGEST_NAME:
        raise UsageError(
            f"{name[:60]!r} cannot name {a(kind)}; expected 1 to {LONGEST_NAME} characters on one line, "
            "without outer space"
        )
    if kind == "entity" and name.rpartition("/")[2].casefold() == ANY:
        raise UsageError(f"{ANY!r} stands for an open place; expected another name")


def _check_text(name: str, said: Any) -> None:
    for text in said if isinstance(said, list | tuple) else [said]:
        if isinstance(text, dict):
            for each in text.values():
                _check_text(name, each)
            continue
        if isinstance(text, str):
            try:
                text.encode("utf-8")
            except UnicodeEncodeError:
                raise UsageError(f"{name}: found half a character; expected text") from None
            if len(text) > LONGEST_TEXT:
                raise UsageError(f"{name}: found {len(text):,} characters, expected at most {LONGEST_TEXT:,}")
        elif isinstance(text, bool) or not isinstance(text, int | float):
            raise UsageError(f"{name}: found {text!r}; expected text or a number")


def _check_undo(decision: Decision, earlier: Sequence[Decision]) -> None:
    if decision.action == "undo":
        undone = undone_by(earlier)
        if decision.target in undone:
            raise UsageError(f"{decision.target} is undone already, by {undone[decision.target]}")


def _check_new(decision: Decision, before: Replayed | None) -> None:
    """Whether what is to be added is not there."""
    if decision.action != "add" or before is None:
        return
    domain = before.domain
    there = {
        "dimension": {each.name for each in domain.dimensions},
        "entity": {f"{each.name}/{entity}" for each in domain.dimensions for entity in each.entities},
        "metric": {each.name for each in domain.graph.metrics},
        "variable": {each.key for each in domain.graph.variables},
        "edge": set(),
    }[decision.kind]
    found = before.find(decision.target) if decision.kind == "edge" else None
    if decision.target in there:
        dimensions = {each.name for each in domain.dimensions}
        for name in decision.value.get("signature", ()):
            if name not in dimensions:
                raise UsageError(
                    f"add metric {decision.target}: there is no dimension {name!r}; {LISTS['dimension']}"
                )
    if decision.target in there or (found is not None and found[1].in_force):
        raise UsageError(f"there is {a(decision.kind)} {decision.target!r} already; edit it instead")


def _remembered(decision: Decision, before: Replayed | None) -> dict[str, Any]:
    """The value with what an accepted edge says, and which quotes were there."""
    value = dict(decision.value)
    for name in ("confidence", "to"):
        if isinstance(value.get(name), int):
            value[name] = float(value[name])
    if decision.kind != "edge" or decision.action not in ("accept", "reject") or before is None:
        return value
    found = before.find(decision.target)
    quotes = [] if found is None else [item.quote for item in found[1].evidence or ()]
    value.setdefault("evidence", quote_hashes(quotes) or [NONE])
    if decision.action == "accept" and found is not None:
        link = found[1]
        for name in ("mechanism", "confidence", "polarity"):
            value.setdefault(name, getattr(link, name))
    return value


def _check_status(decided: Decided) -> None:
    said = decided.decision
    if decided.status in ("lost", "conflict"):
        detail = decided.detail.removeprefix(f"{said.target}: ") or "it cannot be applied"
        near = f"; nearest: {', '.join(decided.nearest)}" if decided.nearest else ""
        if decided.status == "lost" and not near and " no " in detail:
            kind = "undo" if said.action == "undo" else detail.partition(" no ")[2].partition(" ")[0]
            near = f"; {LISTS.get(kind, LISTS[said.kind])}"
        raise UsageError(f"{said.action} {said.kind} {said.target}: {detail}{near}")
