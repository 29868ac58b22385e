"""What an expert should look at, riskiest first, and what has been decided so far."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from aitia.spec.claims import RelationClaim
from aitia.spec.decisions import ARROW, Action, Decided, Decision, Kind, edge_key
from aitia.spec.model import Polarity
from aitia.web.pages.page import Visit
from aitia.workflows.queue import QueueItem, Topic
from aitia.workflows.wording import judgement

MOST_ITEMS = 100
"""On one page of the queue."""

SAID: Mapping[Topic, tuple[str, str]] = {
    "edge": ("edge", "edges"),
    "rejected": ("rejected claim", "rejected claims"),
    "merge": ("merge", "merges"),
    "gate": ("causal gate", "causal gates"),
    "renewed": ("rejected edge with new support", "rejected edges with new support"),
}
"""What one of a topic is called, and several."""

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Controls but tab and line feed, and marks without a width."""

JUDGED: tuple[Kind, ...] = ("edge", "merge", "gate")
WHY: Mapping[str, str] = {"rejected claim: terminal source": "rejected: a terminal metric has no effects"}
"""Reasons that need more words than the build has for them."""

AUDITED = ("hcg", "hug")
"""Methods with something to audit."""
JUDGEMENTS: tuple[Action, ...] = ("accept", "reject")
AGREES: tuple[Action, ...] = ("accept",)
DISAGREES: tuple[Action, ...] = ("reject", "flip", "edit", "delete")


def audit(visit: Visit) -> Mapping[str, Any]:
    """The items from ``first`` on, of one ``topic`` or of all; how much is decided, and how far people agree."""
    waiting = visit.opened.queue()
    topic = visit.query.get("topic", "")
    wanted = [item for item in waiting if topic in ("", item.topic)]
    first = visit.number("first")
    more = first + MOST_ITEMS
    history = visit.opened.history()
    return {
        "items": [_item(item) for item in wanted[first:more]],
        "first": first,
        "next": more if more < len(wanted) else None,
        "total": len(wanted),
        "topic": topic,
        "topics": {each: sum(item.topic == each for item in waiting) for each in get_args(Topic)},
        "said": SAID,
        "polarities": get_args(Polarity),
        "progress": progress(history, len(waiting), _refused(visit, history)),
        "waiting": sum(each.pending for each in history),
        "method": visit.opened.index.method,
        "is_audited": visit.opened.index.method in AUDITED,
    }


def history(visit: Visit) -> Mapping[str, Any]:
    """Every decision, the newest first, with what became of it; signs that nobody sees, as their escapes."""
    decided = visit.opened.history()
    return {
        "decided": [{"said": _told(each.decision), **_told(each)} for each in decided[::-1]],
        "waiting": sum(each.pending for each in decided),
    }


def _told(value: Decided | Decision) -> dict[str, Any]:
    """Its fields, with every text as it is shown."""
    of_decision = ("action", "kind", "target", "value", "author", "time", "reason", "id")
    names = ("status", "detail", "nearest", "pending") if isinstance(value, Decided) else of_decision
    return {name: _seen(getattr(value, name)) for name in names}


def _seen(value: Any) -> Any:
    """Controls, and marks that turn the direction of what follows, as escapes: U+202E as a backslash and u202e."""
    if isinstance(value, str):
        return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
    if isinstance(value, tuple | list):
        return [_seen(each) for each in value]
    if isinstance(value, dict):
        return {_seen(name): _seen(each) for name, each in value.items()}
    return value


def progress(
    history: Sequence[Decided], left: int, refused: frozenset[str] = frozenset()
) -> Mapping[str, Any]:
    """How many items were judged, how many are left, and of how many the person said what the machine said.

    Things that a person made anew, and words that were changed, are no judgement of what the machine found. Of
    ``refused``, edges that it found and did not accept, an ``add`` disagrees and a ``reject`` agrees.
    """
    judged: dict[tuple[str, str], bool] = {}
    for each in history:
        said = each.decision
        if said.kind not in JUDGED or each.status != "applied":
            continue
        if said.kind == "edge" and said.target in refused and said.action in ("add", "reject"):
            judged[said.kind, said.target] = said.action == "reject"
        elif said.action in (*AGREES, *DISAGREES):
            judged[said.kind, said.target] = said.action in AGREES
    return {"decided": len(judged), "left": left, "agreed": sum(judged.values())}


def _refused(visit: Visit, history: Sequence[Decided]) -> frozenset[str]:
    """The edges that were claimed and not accepted; nothing is read where nobody decided on an edge."""
    if not any(each.decision.kind == "edge" for each in history):
        return frozenset()
    claims = (each.claim for each in visit.opened.index.store.rejected())
    return frozenset(edge_key(each.source, each.target) for each in claims if isinstance(each, RelationClaim))


def _item(item: QueueItem) -> dict[str, Any]:
    """An item with what each of its keys does, as decisions that the browser sends back."""
    accept, reject = (
        judgement(action, item.key, item.decides, [item]).model_dump(exclude_defaults=True)
        for action in JUDGEMENTS
    )
    role = {"action": "role", "kind": "metric", "target": item.needs, "value": {"to": "intermediate"}}
    title, says = item.key.replace(ARROW, " → "), item.says
    if item.decides == "gate":  # which its sentence names best
        title, _, says = item.says.partition(": ")
    return {
        "item": item,
        "title": title,
        "says": says,
        "why": [WHY.get(line, line) for line in item.why],
        "is_edge": item.decides == "edge" and item.topic != "rejected",
        "decisions": {
            "accept": [role, accept] if item.needs else [accept],
            "reject": [reject],
        },
    }
