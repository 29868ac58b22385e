"""Why a passage was chosen for a question, or was not; found by its words, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aitia.web.pages.page import Visit
from aitia.workflows.index import DEFAULT_BUDGET_WORDS
from aitia.workflows.why import PassageOrder, Standing, find_passages, order_passages

MOST_FOUND = 12


def why(visit: Visit) -> Mapping[str, Any]:
    """Where passages stand for the question ``q``: that of ``chunk``, or those with the words of ``find``.

    Raises:
        AitiaError: no question, an unknown retrieval or passage.

    """
    opened = visit.opened
    opened.warm()
    budget = visit.number("budget", DEFAULT_BUDGET_WORDS)
    order = order_passages(
        opened.index, visit.query.get("q", ""), visit.query.get("retrieval") or None, max(budget, 1)
    )
    find, chunk = visit.query.get("find", "").strip(), visit.query.get("chunk", "")
    rows = (
        [opened.chunk_row(chunk)] if chunk else find_passages(opened.index, find, MOST_FOUND) if find else []
    )
    chunks = opened.index.store.chunks(rows)
    return {
        "order": order,
        "find": find,
        "chunk": chunk,
        "passages": len(opened.index.text.chunk_units.chunk),
        "found": [
            {"chunk": each, "standing": standing, "reason": reason(order, standing)}
            for each, standing in zip(chunks, order.standings(rows) if rows else [], strict=True)
        ],
    }


def reason(order: PassageOrder, standing: Standing) -> str:
    """In a sentence."""
    if standing.rank is None:
        if order.retrieval == "graph":
            return "Not chosen: the walk from the question leads to nothing that rests on this passage."
        return "Not chosen: it shares no word with the question, or is not near it in meaning."
    place = f"its best part makes it number {standing.rank:,} of {len(order.passages):,}"
    if standing.chosen:
        return f"Chosen: {place}, within the {order.budget_words:,} words of evidence."
    return (
        f"Not chosen: {place}, and the {order.budget_words:,} words of evidence were full "
        f"after number {order.last_rank:,}."
    )
