"""Questions that chunks answer: one call a chunk writes them all, with their answers (Doc2Query, QCG-RAG)."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.graph_protocols import QuestionClaim
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.passages import find_answer
from aitia.analyst.llm.replies import QuestionsReply
from aitia.analyst.llm.windows import passages_of, place_of, text_of
from aitia.corpus.chunk import Chunk


def write_questions(inquiry: Inquiry, chunks: Sequence[Chunk], count: int) -> list[QuestionClaim]:
    """At most ``count`` claims a chunk, in the order of the chunks, each with an answer in the chunk's words.

    One call for each, because what a model writes of a chunk must not depend on its neighbours: a changed
    document then costs the calls of its own chunks only.
    """

    def render(units: Sequence[Chunk]) -> str:
        return inquiry.render("questions", count=str(count), passages=passages_of(units).render())

    tasks = [Task((chunk,), render, place_of, text_of) for chunk in chunks]
    claims = []
    for found in inquiry.asker.ask("questions", "questions", QuestionsReply, tasks):
        (chunk,) = found.units
        for item in found.reply.questions[:count]:
            answer = find_answer(item.answer, chunk.text)
            if answer is None:
                inquiry.refuse("questions", item, "malformed", "its answer does not stand in the passage")
            else:
                claims.append(QuestionClaim(chunk.id, item.question, answer))
    return claims
