"""Faithfulness: how many facts of the answer the retrieved context states (GraphRAG-Bench, 2025, after Ragas)."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactExtractor, FactJudge, SupportRequest
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores, facts_of, scores, share

ANSWER_CHARACTERS = 3_000
CONTEXT_CHARACTERS = 10_000
"""What upstream judges; a system whose support lies later in a long context is wronged by it."""


def faithfulness(
    answers: Sequence[JudgedAnswer],
    extractor: FactExtractor,
    judge: FactJudge,
    *,
    context_characters: int | None = CONTEXT_CHARACTERS,
) -> Scores:
    """The share of each answer's facts that its context supports, shape (answers,).

    1 for a blank answer, else 0 without a context; NaN where the answer has no facts, or a judge failed.
    ``context_characters``: None for the whole context.
    """
    wanted = {number: answer for number, answer in enumerate(answers) if _both(answer)}
    facts = extractor.extract_facts([facts_of(answer, ANSWER_CHARACTERS) for answer in wanted.values()])
    asked = {
        number: SupportRequest(answer.question, stated, answer.context[:context_characters])
        for (number, answer), stated in zip(wanted.items(), facts, strict=True)
        if stated
    }
    verdicts = dict(zip(asked, judge.find_support(list(asked.values())), strict=True))
    return scores(
        share(verdicts.get(number)) if number in wanted else _unasked(answer)
        for number, answer in enumerate(answers)
    )


def _both(answer: JudgedAnswer) -> bool:
    return bool(answer.answer.strip() and answer.context.strip())


def _unasked(answer: JudgedAnswer) -> float:
    return 0.0 if answer.answer.strip() else 1.0
