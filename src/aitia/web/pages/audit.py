"""What an expert should look at, riskiest first, and what has been decided so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from aitia.spec.decisions import ARROW, Action, Decided, Kind
from aitia.spec.model import Polarity
from aitia.web.pages.page import Visit
from aitia.workflows.queue import QueueItem, Topic

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

JUDGED: tuple[Kind, ...] = ("edge", "merge", "gate")
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
        "progress": progress(history, len(waiting)),
        "waiting": sum(each.pending for each in history),
    }


def history(visit: Visit) -> Mapping[str, Any]:
    """Every decision, the newest first, with what became of it."""
    decided = visit.opened.history()
    return {"decided": decided[::-1], "waiting": sum(each.pending for each in decided)}


def progress(history: Sequence[Decided], left: int) -> Mapping[str, Any]:
    """How many items were judged, how many are left, and of how many the person said what the machine said.

    Things that a person made anew, and words that were changed, are no judgement of what the machine found.
    """
    judged: dict[tuple[str, str], bool] = {}
    for each in history:
        said = each.decision
        if said.kind in JUDGED and each.status == "applied" and said.action in (*AGREES, *DISAGREES):
            judged[said.kind, said.target] = said.action in AGREES
    return {"decided": len(judged), "left": left, "agreed": sum(judged.values())}


def _item(item: QueueItem) -> dict[str, Any]:
    """An item with what each of its keys does, as decisions that the browser sends back."""
    value = dict(item.value)
    accept: dict[str, Any] = {"action": "accept", "kind": item.decides, "target": item.key}
    if item.topic == "rejected":
        accept |= {"action": "add", "value": value}
    title, says = item.key.replace(ARROW, " → "), item.says
    if item.decides == "gate":  # whose key no person can read
        title, _, says = item.says.partition(": ")
    return {
        "item": item,
        "title": title,
        "says": says,
        "is_edge": item.decides == "edge" and item.topic != "rejected",
        "decisions": {
            "accept": accept,
            "reject": {"action": "reject", "kind": item.decides, "target": item.key},
        },
    }
