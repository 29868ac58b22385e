"""Right or wrong: one call an answer, so that no answer is judged in the light of another."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import AnswerPair
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.facts import PLACE_WORDS, fenced
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import CorrectReply
from aitia.analyst.llm.verdicts import agreed
from aitia.analyst.llm.vocabulary import one_line


def judge_answers(inquiry: Inquiry, requests: Sequence[AnswerPair]) -> list[bool | None]:
    """Whether each is correct; a blank answer is not, without a call.

    None where no judgement, or two that differ, came back. Equal requests are one call.
    """

    def render(units: Sequence[AnswerPair]) -> str:
        (request,) = units
        return inquiry.render(
            "correct",
            question=one_line(request.question),
            reference=fenced(request.reference, "Reference"),
            answer=fenced(request.answer, "Answer"),
        )

    asked = [request for request in dict.fromkeys(requests) if request.answer.strip()]
    tasks = [Task((request,), render, _place, _text) for request in asked]
    judgements: dict[AnswerPair, bool | None] = {}
    for found in inquiry.asker.ask("correct", "correct", CorrectReply, tasks):
        (request,) = found.units
        judgements[request] = agreed(item.correct for item in found.reply.judgements)
    return [judgements.get(request) if request.answer.strip() else False for request in requests]


def _place(units: Sequence[AnswerPair]) -> str:
    return f'the answer to "{one_line(units[0].question, PLACE_WORDS)}"'


def _text(units: Sequence[AnswerPair]) -> str:
    return "\n".join([units[0].question, units[0].reference, units[0].answer])
