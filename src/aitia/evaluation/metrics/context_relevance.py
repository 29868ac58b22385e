"""Context relevance: two independent ratings of 0 to 2, halved and averaged (GraphRAG-Bench, 2025, after Ragas)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aitia.analyst.fact_protocols import FactJudge, RelevanceRequest
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores, scores

CONTEXT_CHARACTERS = 20_000
"""Of the later upstream version; the one of June 2025 judged 7,000."""
RATINGS = 2
BEST = 2


def context_relevance(
    answers: Sequence[JudgedAnswer],
    judge: FactJudge,
    *,
    context_characters: int | None = CONTEXT_CHARACTERS,
) -> Scores:
    """How far each context answers its question, shape (answers,); 0 for a blank context.

    NaN unless both ratings came. ``context_characters``: None for the whole context.
    """
    asked = [number for number, answer in enumerate(answers) if answer.context.strip()]
    requests = [
        RelevanceRequest(answers[number].question, answers[number].context[:context_characters], sample)
        for number in asked
        for sample in range(RATINGS)
    ]
    ratings = judge.rate_relevance(requests)
    means = {
        number: _mean(ratings[RATINGS * position : RATINGS * (position + 1)])
        for position, number in enumerate(asked)
    }
    return scores(means.get(number, 0.0) for number in range(len(answers)))


def _mean(ratings: Sequence[int | None]) -> float:
    known = [rating / BEST for rating in ratings if rating is not None]
    return sum(known) / RATINGS if len(known) == RATINGS else math.nan
