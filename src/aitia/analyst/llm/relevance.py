"""How far a context answers a question: one call a rating."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import RelevanceRequest
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.facts import PLACE_WORDS, fenced
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import RelevanceReply
from aitia.analyst.llm.verdicts import agreed
from aitia.analyst.llm.vocabulary import one_line


def rate_relevance(inquiry: Inquiry, requests: Sequence[RelevanceRequest]) -> list[int | None]:
    """A rating of 0, 1 or 2 each; 0 for a blank context, without a call.

    At temperature 0 a model repeats itself, so odd samples show the context before the question: a rating
    that depends on the order of the two then differs. None where no rating, or several, came back.
    """

    def render(units: Sequence[RelevanceRequest]) -> str:
        (request,) = units
        sections = [
            f"## Question\n{one_line(request.question)}",
            f"## Context\n{fenced(request.context, 'Context')}",
        ]
        return inquiry.render("relevance", sections="\n\n".join(sections[:: -1 if request.sample % 2 else 1]))

    asked = [request for request in dict.fromkeys(requests) if request.context.strip()]
    tasks = [Task((request,), render, _place, _text, sample=request.sample) for request in asked]
    ratings: dict[RelevanceRequest, int | None] = {}
    for found in inquiry.asker.ask("relevance", "relevance", RelevanceReply, tasks):
        (request,) = found.units
        ratings[request] = agreed(item.rating for item in found.reply.ratings)
    return [ratings.get(request) if request.context.strip() else 0 for request in requests]


def _place(units: Sequence[RelevanceRequest]) -> str:
    return f'the context for "{one_line(units[0].question, PLACE_WORDS)}"'


def _text(units: Sequence[RelevanceRequest]) -> str:
    return f"{units[0].question}\n{units[0].context}"
