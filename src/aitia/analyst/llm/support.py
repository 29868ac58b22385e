"""Facts against a text: one call a text."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import SupportRequest
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.facts import PLACE_WORDS, fenced
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.verdicts import LabelledFact, fact_lines, judge_facts, labelled
from aitia.analyst.llm.vocabulary import one_line


def find_support(inquiry: Inquiry, requests: Sequence[SupportRequest]) -> list[tuple[bool, ...] | None]:
    """A verdict a fact, in their order. A blank text supports nothing, and no model is asked.

    None where a fact got no verdict. Equal requests are one call.
    """
    asked = [request for request in dict.fromkeys(requests) if request.facts and request.text.strip()]
    given = judge_facts(inquiry, "support", [_task(inquiry, request) for request in asked])
    verdicts = dict(zip(asked, given, strict=True))
    return [
        _in_order(request, verdicts[request]) if request in verdicts else (False,) * len(request.facts)
        for request in requests
    ]


def _in_order(request: SupportRequest, verdicts: dict[str, bool] | None) -> tuple[bool, ...] | None:
    if verdicts is None:
        return None
    return tuple(verdicts[unit.label] for unit in labelled("F", request.facts))


def _task(inquiry: Inquiry, request: SupportRequest) -> Task[LabelledFact]:
    def render(units: Sequence[LabelledFact]) -> str:
        return inquiry.render(
            "support",
            question=one_line(request.question),
            text=fenced(request.text, "Text"),
            facts=fact_lines(units, "Facts"),
        )

    def place(units: Sequence[LabelledFact]) -> str:
        return f'{len(units)} facts to "{one_line(request.question, PLACE_WORDS)}"'

    def text(units: Sequence[LabelledFact]) -> str:
        return "\n".join([request.question, request.text, *(unit.fact for unit in units)])

    return Task(labelled("F", request.facts), render, place, text)
