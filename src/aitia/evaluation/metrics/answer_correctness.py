"""Answer correctness: three quarters F1 over atomic facts, one quarter likeness of the embeddings.

GraphRAG-Bench (2025), after Ragas: 0.75 F1 + 0.25 S with S = (cosine + 1) / 2. The embedder is not asked
here: vectors come in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from aitia.analyst.fact_protocols import FactCounts, FactExtractor, FactJudge, FactSets
from aitia.evaluation.metrics.judged_answer import (
    JudgedAnswer,
    Scores,
    facts_of,
    facts_of_reference,
    scores,
)

Facts = tuple[str, ...] | None

FACT_WEIGHT, SIMILARITY_WEIGHT = 0.75, 0.25


def answer_correctness(fact_f1: Scores, similarity: Scores) -> Scores:
    """Both weighted, shape (answers,); NaN where either is. A well-formed wrong answer still has about 0.2."""
    return FACT_WEIGHT * fact_f1 + SIMILARITY_WEIGHT * similarity


def fact_f1(answers: Sequence[JudgedAnswer], extractor: FactExtractor, judge: FactJudge) -> Scores:
    """F1 of the facts of each answer against those of its reference, shape (answers,).

    0 where one side alone has facts, 1 where neither has and the reference is blank. NaN where extractor or
    judge failed, and where a reference that is not blank has no fact (upstream: 0, or 1 if the answer has
    none either).
    """
    facts = extractor.extract_facts([*map(facts_of, answers), *map(facts_of_reference, answers)])
    sides = list(zip(facts[: len(answers)], facts[len(answers) :], strict=True))
    asked = {
        number: FactSets(answers[number].question, answer, reference)
        for number, (answer, reference) in enumerate(sides)
        if answer and reference
    }
    counts = dict(zip(asked, judge.compare_facts(list(asked.values())), strict=True))
    found = (
        _f1_of(counts[number]) if number in counts else _f1_unasked(answer, *sides[number])
        for number, answer in enumerate(answers)
    )
    return scores(found)


def semantic_similarity(answers: ArrayLike, references: ArrayLike) -> Scores:
    """(cosine + 1) / 2 of the rows, both of shape (answers, dimensions); NaN for a row of zeros."""
    rows, others = (np.asarray(vectors, dtype=np.float64) for vectors in (answers, references))
    products = (rows * others).sum(axis=1)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(others, axis=1)
    cosines = np.divide(products, lengths, out=np.full(len(rows), np.nan), where=lengths > 0)
    result: Scores = (np.clip(cosines, -1, 1) + 1) / 2
    return result


def _f1_of(counts: FactCounts | None) -> float:
    """2 TP / (2 TP + FP + FN), which is F1 without upstream's 1e-10 in its denominators."""
    return math.nan if counts is None else 2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn)


def _f1_unasked(answer: JudgedAnswer, own: Facts, reference: Facts) -> float:
    """Where a side has no facts, or is unknown."""
    if own is None or reference is None or (not reference and answer.reference.strip()):
        return math.nan
    return 0.0 if own or reference else 1.0
