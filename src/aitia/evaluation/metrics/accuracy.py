"""Accuracy: the share of answers that a judge calls correct, one answer a prompt (QCG-RAG, 2025)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aitia.analyst.fact_protocols import AnswerPair, FactJudge
from aitia.evaluation.metrics.judged_answer import JudgedAnswer, Scores, scores


def accuracy(answers: Sequence[JudgedAnswer], judge: FactJudge) -> Scores:
    """1 for a correct answer, 0 for another or a blank one, shape (answers,); NaN where the judge failed."""
    asked = {
        number: AnswerPair(answer.question, answer.answer, answer.reference)
        for number, answer in enumerate(answers)
        if answer.answer.strip()
    }
    judged = dict(zip(asked, judge.judge_answers(list(asked.values())), strict=True))
    return scores(_score(judged.get(number, False)) for number in range(len(answers)))


def _score(correct: bool | None) -> float:
    return math.nan if correct is None else float(correct)
