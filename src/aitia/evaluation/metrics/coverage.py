"""Coverage: how many facts of the reference the answer states (GraphRAG-Bench, 2025)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactExtractor, FactJudge, SupportRequest
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores, facts_of_reference, scores, share

REFERENCE_CHARACTERS = ANSWER_CHARACTERS = 3_000
"""What upstream judges of a text; the rest does not count."""


def coverage(answers: Sequence[JudgedAnswer], extractor: FactExtractor, judge: FactJudge) -> Scores:
    """The share of the reference's facts that each answer supports, shape (answers,).

    1 for a blank reference, 0 for a blank answer; NaN where the reference has no facts, or a judge failed.
    """
    facts = extractor.extract_facts([facts_of_reference(answer, REFERENCE_CHARACTERS) for answer in answers])
    asked = {
        number: SupportRequest(answer.question, wanted, answer.answer[:ANSWER_CHARACTERS])
        for number, (answer, wanted) in enumerate(zip(answers, facts, strict=True))
        if wanted and answer.answer.strip()
    }
    verdicts = dict(zip(asked, judge.find_support(list(asked.values())), strict=True))
    return scores(
        share(verdicts[number]) if number in verdicts else _unasked(answer, facts[number])
        for number, answer in enumerate(answers)
    )


def _unasked(answer: JudgedAnswer, facts: tuple[str, ...] | None) -> float:
    if not answer.reference.strip():
        return 1.0
    return 0.0 if facts else math.nan
