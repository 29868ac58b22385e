"""Evidence recall by a judge: how many passages of evidence the context states (GraphRAG-Bench, later version)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactJudge, SupportRequest
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores, scores, share

CONTEXT_CHARACTERS = 20_000


def judged_evidence_recall(
    answers: Sequence[JudgedAnswer],
    judge: FactJudge,
    *,
    context_characters: int | None = CONTEXT_CHARACTERS,
) -> Scores:
    """The share of a question's passages of evidence that its context supports, shape (answers,).

    0 for a blank context; NaN for a question without evidence, or where the judge failed.
    ``context_characters``: None for the whole context.
    """
    asked = {
        number: SupportRequest(answer.question, answer.evidence, answer.context[:context_characters])
        for number, answer in enumerate(answers)
        if answer.evidence and answer.context.strip()
    }
    verdicts = dict(zip(asked, judge.find_support(list(asked.values())), strict=True))
    return scores(
        share(verdicts[number]) if number in verdicts else 0.0 if answer.evidence else math.nan
        for number, answer in enumerate(answers)
    )
