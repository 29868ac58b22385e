"""What a person says about an index, in the words of the command line or of a spreadsheet, as decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from aitia.errors import UsageError
from aitia.spec.decisions import ACTIONS, ARROW, Action, Decision, Kind, a
from aitia.spec.keys import parse_key
from aitia.workflows.queue import QueueItem

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    "dimension": ("description",),
    "metric": ("description", "category", "kind"),
    "edge": ("mechanism", "polarity", "confidence"),
}
"""What can be edited, by kind; the first where none is named."""

ONE_WORD: Mapping[Action, str] = {"rename": "to", "merge": "into", "role": "to", "edit": "to"}
"""Actions that need one more word, and where a decision holds it."""

PAIRS: tuple[Kind, ...] = ("edge", "merge", "gate")


def decision_of(action: Action, kind: Kind, key: str, to: str = "", field: str = "") -> Decision:
    """A decision in its simplest form; ``to`` is the new name, what it is merged into, the role or the new words.

    Raises:
        UsageError: the action is none of the kind, or ``to`` or ``field`` is missing or too much.

    """
    if action not in ACTIONS[kind]:
        raise UsageError(f"{a(kind)} cannot be {action!r}; expected one of {', '.join(ACTIONS[kind])}")
    if not key:
        raise UsageError(f"{action} {kind}: found no key; expected one, as the queue has it")
    if to and action not in ONE_WORD:
        raise UsageError(f"{action} {kind}: found {to[:60]!r} beside it; expected nothing")
    if field and action != "edit":
        raise UsageError(f"{action} {kind}: found the field {field!r}; expected none")
    if action == "add" and kind == "metric":
        return _new_metric(key)
    if action not in ONE_WORD:
        return Decision(action=action, kind=kind, target=key)
    if not to and action != "edit":
        raise UsageError(f"{action} {kind} {key}: found no word what it becomes; expected one")
    value: dict[str, Any] = {ONE_WORD[action]: to}
    if action == "edit":
        named = field or FIELDS[kind][0]
        if named not in FIELDS[kind]:
            raise UsageError(
                f"edit {kind}: found the field {named!r}; expected one of {', '.join(FIELDS[kind])}"
            )
        value = {"field": named, "to": share_of(to) if named == "confidence" else to}
    return Decision(action=action, kind=kind, target=key, value=value)


def judgement(action: Action, key: str, kind: Kind | None, waiting: Iterable[QueueItem]) -> Decision:
    """Accept or reject what waits; to accept a claim that was rejected is to add what it says.

    Raises:
        UsageError: the key is no pair.

    """
    if ARROW not in key:
        raise UsageError(
            f"{action}: found {key[:60]!r}; expected a key with{ARROW}in it, as the queue has it"
        )
    found = next((item for item in waiting if item.key == key and kind in (None, item.decides)), None)
    if action == "accept" and found is not None and found.topic == "rejected":
        return Decision(action="add", kind="edge", target=key, value=dict(found.value))
    return decision_of(action, kind or (found.decides if found else "edge"), key)


def share_of(text: str) -> float:
    """A number from 0 to 1; a decimal comma is one too.

    Raises:
        UsageError: it is none.

    """
    try:
        share = float(text.replace(",", "."))
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"confidence: found {text[:60]!r}; expected a number from 0 to 1")
    return share


def word_of(action: str, kind: str) -> tuple[Action, Kind]:
    """An action and a kind by their words.

    Raises:
        UsageError: there is none of the name.

    """
    kinds: Sequence[str] = get_args(Kind)
    if kind not in kinds:
        raise UsageError(f"kind: found {kind[:60]!r}; expected one of {', '.join(kinds)}")
    known = ACTIONS[cast("Kind", kind)]
    if action not in known:
        raise UsageError(f"decision: found {action[:60]!r}; expected one of {', '.join(known)}, or nothing")
    return action, cast("Kind", kind)


def _new_metric(key: str) -> Decision:
    try:
        name, signature = parse_key(key)
    except ValueError as error:
        raise UsageError(f"add metric: {error}; expected Name(dimension, dimension)") from None
    return Decision(action="add", kind="metric", target=name, value={"signature": list(signature)})
