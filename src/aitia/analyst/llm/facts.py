"""Facts: one call a text splits it into what it states."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactRequest
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.passages import Passages
from aitia.analyst.llm.replies import FactsReply
from aitia.analyst.llm.vocabulary import one_line

PLACE_WORDS = 8
"""Of a text, where it is named to a person."""


def extract_facts(inquiry: Inquiry, requests: Sequence[FactRequest]) -> list[tuple[str, ...] | None]:
    """The distinct facts of each text, in its order; of a blank one none, without a call.

    None where there was no usable reply, or one of whose items none was a fact. Equal requests are one call.
    """

    def render(units: Sequence[FactRequest]) -> str:
        (request,) = units
        return inquiry.render(
            "facts", question=one_line(request.question), text=fenced(request.text, letter="Text")
        )

    asked = [request for request in dict.fromkeys(requests) if request.text.strip()]
    tasks = [Task((request,), render, _place, _text) for request in asked]
    facts: dict[FactRequest, tuple[str, ...] | None] = {}
    for found in inquiry.asker.ask("facts", "facts", FactsReply, tasks):
        (request,) = found.units
        stated = tuple(dict.fromkeys(one_line(item.fact) for item in found.reply.facts))
        facts[request] = stated if stated or not found.lost else None
    return [facts.get(request) if request.text.strip() else () for request in requests]


def fenced(text: str, letter: str) -> str:
    """One text in its fence."""
    return Passages([("", text)], letter=letter).render()


def _place(units: Sequence[FactRequest]) -> str:
    return f'the facts of "{one_line(units[0].text, PLACE_WORDS)}"'


def _text(units: Sequence[FactRequest]) -> str:
    return f"{units[0].question}\n{units[0].text}"
