"""What an expert decided: values of ``curation.yaml``, the only record of human will (design 2.9).

The list is append-only and replayed in its order over what the machine made. Targets are stable keys, as the
person saw them: a dimension's or metric's name, ``dimension/entity``, a variable's key, and for an edge
``source -> target``; of hug an entity's name, and for a gate or a merge the two names likewise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, field_validator

from aitia.corpus.document import content_hash
from aitia.spec.keys import parse_key
from aitia.spec.model import Frozen

Kind = Literal["dimension", "entity", "metric", "variable", "edge", "merge", "gate"]
Action = Literal["rename", "merge", "flip", "edit", "role", "add", "delete", "accept", "reject", "undo"]
Status = Literal["applied", "superseded", "undone", "lost", "conflict"]

ARROW = " -> "
"""Between the two ends of an edge, a gate or a merge."""

ACTIONS: dict[Kind, tuple[Action, ...]] = {
    "dimension": ("rename", "edit", "add", "delete", "undo"),
    "entity": ("rename", "merge", "add", "delete", "undo"),
    "metric": ("rename", "merge", "edit", "role", "add", "delete", "undo"),
    "variable": ("add", "delete", "undo"),
    "edge": ("flip", "edit", "add", "delete", "accept", "reject", "undo"),
    "merge": ("accept", "reject", "undo"),
    "gate": ("accept", "reject", "undo"),
}
"""What can be decided of each kind."""


class Decision(Frozen):
    """One decision. ``value`` holds, by action:

    rename: ``to``; merge: ``into`` (a key of the same kind); edit: ``field`` and ``to``; role: ``to``; add: the
    fields of what is added; accept: what the edge said; accept and reject: ``evidence``, hashes of the quotes
    of then, and of a gate ``source`` and ``target``, members of its modules then; undo: nothing, its target being
    the ``id`` of an earlier decision. ``author`` is ``file`` for an edit found in ``graph_spec.yaml``; ``time`` is
    ISO 8601 in UTC.
    """

    action: Action
    kind: Kind
    target: str
    value: dict[str, Any] = Field(default_factory=dict)
    author: str = ""
    time: str = ""
    reason: str = ""

    @field_validator("value")
    @classmethod
    def _as_kept(cls, value: dict[str, Any]) -> dict[str, Any]:
        """As a file gives it back: without empty lists, and with numbers that are shares."""
        plain = {name: _plain(said) for name, said in value.items()}
        return {name: said for name, said in plain.items() if said not in ([], {})}

    @property
    def id(self) -> str:
        """Eight hex digits of all that it says but its reason, by which a person names it."""
        return content_hash(*self.says, self.author, self.time)[:8]

    @property
    def says(self) -> tuple[str, str, str, str]:
        """What is decided, whoever decided it when."""
        value = json.dumps(self.value, ensure_ascii=False, sort_keys=True)
        return self.action, self.kind, self.target, value


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision and what became of it, with the reason in words.

    ``superseded``: a later one on the same thing wins, named in ``detail``. ``lost``: its target is gone;
    ``nearest`` are the names nearest to it. ``conflict``: it cannot be together with what is there.
    ``pending``: it is not in the index yet; the status is what `apply` will make of it.
    """

    decision: Decision
    status: Status
    detail: str = ""
    nearest: tuple[str, ...] = ()
    pending: bool = False

    @property
    def standing(self) -> str:
        """The status as it is now: one that would be applied is ``waiting`` until it is."""
        return "waiting" if self.pending and self.status == "applied" else self.status

    @property
    def line(self) -> str:
        """One line about it, for a person."""
        said = self.decision
        near = f"; nearest: {', '.join(self.nearest)}" if self.nearest else ""
        why = f": {self.detail}" if self.detail else ""
        return f"{said.id} {said.action} {said.kind} {said.target}: {self.status}{why}{near}"


def a(kind: str) -> str:
    """A kind with its article."""
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def edge_key(source: str, target: str) -> str:
    """The stable key of an edge between two variables, or of a pair of names."""
    return f"{source}{ARROW}{target}"


def split_key(key: str) -> tuple[str, str]:
    """The two ends of such a key.

    Raises:
        ValueError: there are not two.

    """
    places = [at for at in range(len(key)) if key.startswith(ARROW, at)]
    ends = [(key[:at].strip(), key[at + len(ARROW) :].strip()) for at in places]
    whole = [pair for pair in ends if all(map(_is_whole, pair))]  # an entity may have an arrow in its name
    if not whole:
        raise ValueError(f"expected two names with{ARROW}between them, found {key!r}")
    return whole[0]


def _is_whole(name: str) -> bool:
    """Whether it is a name or a key, no piece of one."""
    try:
        return bool(parse_key(name)[0])
    except ValueError:
        return False


def _plain(said: Any) -> Any:
    if isinstance(said, tuple | list):
        return [_plain(each) for each in said]
    return float(said) if isinstance(said, int) and not isinstance(said, bool) else said


def quote_hashes(quotes: Iterable[str]) -> list[str]:
    """What a decision remembers of the quotes that were there: their hashes, sorted."""
    return sorted({content_hash(quote)[:8] for quote in quotes if quote})


def undone_by(decisions: Sequence[Decision]) -> dict[str, str]:
    """The ids of decisions that are undone, each with the id of the undo; an undo may itself be undone."""
    undone: dict[str, str] = {}
    for decision in reversed(decisions):
        if decision.action == "undo" and decision.id not in undone:
            undone.setdefault(decision.target, decision.id)
    return undone
