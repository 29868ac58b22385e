"""A passage in its document, with a quote marked, and the edges that rest on it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from aitia.web.api.graph import passage_whole
from aitia.web.pages.page import Visit


def passage(visit: Visit) -> Mapping[str, Any]:
    """The passage of ``chunk``; ``start`` and ``end`` are the span to mark, in the document.

    Raises:
        Refused: no such passage, or a span that is no two numbers.

    """
    whole = passage_whole(visit.opened, visit.query.get("chunk", ""))
    start, end = visit.number("start"), visit.number("end")
    pieces = mark_span(whole, start, end)
    edges = {(edge["source"], edge["target"]): edge for edge in whole["edges"]}
    return {"passage": whole, "pieces": pieces, "edges": list(edges.values()), "marked": end > start}


def mark_span(whole: Mapping[str, Any], start: int, end: int) -> list[tuple[str, bool, bool]]:
    """What is read: pieces of text, each with whether it is of the passage and whether it is marked."""
    first = whole["start"] - len(whole["before"])
    text = whole["before"] + whole["text"] + whole["after"]
    cuts = sorted(
        {min(max(cut - first, 0), len(text)) for cut in (first, whole["start"], whole["end"], start, end)}
    )
    bounds = [*cuts, len(text)]
    return [
        (
            text[low:high],
            whole["start"] <= first + low and first + high <= whole["end"],
            start <= first + low and first + high <= end,
        )
        for low, high in pairwise(bounds)
        if high > low
    ]
