"""Means as published, worked by hand."""

from __future__ import annotations

import math

import pytest

from aitia.evaluation.aggregate import (
    EPILEPSY_QA,
    GRAPHRAG_BENCH,
    OVERALL,
    PUBLISHED,
    aggregate,
    metric_applies,
)
from aitia.evaluation.records import AnswerRecord, ScoreRecord

FR, CR, CS, CG = "Fact Retrieval", "Complex Reasoning", "Contextual Summarize", "Creative Generation"


def answer(id, kind, run=0, system="s", error=None):
    return AnswerRecord(id, system, run, kind, "Why?", "So.", error=error)


def score(id, run=0, system="s", judge="j", **scores):
    return ScoreRecord(id, system, run, judge, scores)


def rows(answers, scores, rules=GRAPHRAG_BENCH):
    return {(row.metric, row.type): row for row in aggregate(answers, scores, rules)}


def test_overall_correctness_weighs_each_type_with_its_count():
    answers = [answer("1", FR), answer("2", FR), answer("3", FR), answer("4", CG)]
    scores = [score(str(n), answer_correctness=value) for n, value in enumerate([0.2, 0.4, 0.6, 1.0], 1)]
    found = rows(answers, scores)
    assert found["answer_correctness", FR].mean == pytest.approx(0.4)
    assert found["answer_correctness", CG].mean == 1.0
    overall = found["answer_correctness", OVERALL]
    assert overall.mean == pytest.approx((3 * 0.4 + 1 * 1.0) / 4)
    assert (overall.n, overall.nan, overall.failed, overall.runs) == (4, 0, 0, 1)
    assert math.isnan(overall.deviation)


def test_each_metric_is_of_its_types_even_if_others_have_it():
    answers = [answer(kind, kind) for kind in (FR, CR, CS, CG)]
    values = dict(zip((FR, CR, CS, CG), (0.1, 0.2, 0.4, 0.8), strict=True))
    scores = [score(k, rouge_l=v, coverage=v, faithfulness=v, accuracy=v) for k, v in values.items()]
    found = rows(answers, scores)
    means = {
        metric: found[metric, OVERALL].mean for metric in ("rouge_l", "coverage", "faithfulness", "accuracy")
    }
    assert means == pytest.approx({"rouge_l": 0.15, "coverage": 0.6, "faithfulness": 0.8, "accuracy": 0.375})
    assert [kind for metric, kind in found if metric == "rouge_l"] == [FR, CR, OVERALL]
    assert [kind for metric, kind in found if metric == "faithfulness"] == [CG, OVERALL]


def test_epilepsy_has_rouge_without_synthesis_and_coverage_over_it():
    answers = [answer("1", "Mechanistic"), answer("2", "Counterfactual"), answer("3", "Synthesis")]
    scores = [score(str(n), rouge_l=value, coverage=value) for n, value in enumerate([0.1, 0.3, 0.9], 1)]
    found = rows(answers, scores, EPILEPSY_QA)
    assert found["rouge_l", OVERALL].mean == pytest.approx(0.2)
    assert found["coverage", OVERALL].mean == 0.9
    assert found["coverage", OVERALL].n == 1
    assert ("rouge_l", "Synthesis") not in found


def test_questions_without_an_answer_are_a_class_of_their_own():
    answers = [answer("1", "Single"), answer("2", "Null"), answer("3", "Null"), answer("4", "all")]
    scores = [
        score("1", accuracy=0.5),
        score("2", judge="", abstained_right=1.0),
        score("2", accuracy=1.0),
        score("3", judge="", abstained_right=0.0),
        score("4", judge="", abstained_right=0.0),
    ]
    found = rows(answers, scores, {})
    assert found["accuracy", OVERALL].mean == 0.5
    assert ("accuracy", "Null") not in found
    assert found["abstained_right", "Null"].mean == 0.5
    assert found["abstained_right", "all"].n == 1
    assert ("abstained_right", "Single") not in found


def test_what_has_no_score_is_counted_and_not_averaged():
    answers = [answer(str(n), FR) for n in range(4)]
    answers.append(answer("4", FR, error="the model did not reply"))
    answers.append(answer("5", CR, error="the model did not reply"))
    scores = [
        score("0", rouge_l=0.4),
        score("1", rouge_l=None),
        score("2", rouge_l=math.nan),
        score("3", coverage=0.3),
        score("4", rouge_l=0.9),
    ]
    found = rows(answers, scores)
    row = found["rouge_l", OVERALL]
    assert (row.mean, row.n, row.nan, row.failed) == (0.4, 1, 2, 2)
    row = found["rouge_l", CR]
    assert (row.n, row.nan, row.failed) == (0, 0, 1)
    assert math.isnan(row.mean)
    assert not any(metric == "coverage" for metric, _ in found)


def test_runs_are_averaged_first():
    # run 0: 0.2 and 0.4, mean 0.3; run 1: 0.9 alone; mean 0.6, sd = 0.6 / sqrt(2)
    answers = [answer("1", FR), answer("2", FR), answer("1", FR, 1), answer("2", FR, 1, error="x")]
    scores = [score("1", rouge_l=0.2), score("2", rouge_l=0.4), score("1", 1, rouge_l=0.9)]
    row = rows(answers, scores)["rouge_l", OVERALL]
    assert row.mean == pytest.approx(0.6)
    assert row.deviation == pytest.approx(0.6 / math.sqrt(2))
    assert (row.runs, row.n, row.failed) == (2, 3, 1)


def test_systems_and_judges_stay_apart_and_a_later_score_counts():
    answers = [answer("1", FR), answer("1", FR, system="t")]
    scores = [
        score("1", judge="k", accuracy=0.0),
        score("1", judge="j", accuracy=1.0),
        score("1", judge="k", accuracy=0.5),
        score("1", system="t", judge="j", accuracy=0.25),
        score("9", accuracy=0.0),
    ]
    found = [(row.system, row.judge, row.type, row.mean) for row in aggregate(answers, scores, {})]
    assert found == [
        ("s", "j", FR, 1.0),
        ("s", "j", OVERALL, 1.0),
        ("s", "k", FR, 0.5),
        ("s", "k", OVERALL, 0.5),
        ("t", "j", FR, 0.25),
        ("t", "j", OVERALL, 0.25),
    ]


def test_the_order_of_records_changes_nothing():
    answers = [answer(str(n), FR) for n in range(9)]
    scores = [score(str(n), rouge_l=n / 9) for n in range(9)]
    assert aggregate(answers, scores, {}) == aggregate(answers, scores[::-1], {})


def test_what_need_be_computed():
    assert metric_applies("rouge_l", FR, PUBLISHED["novel"])
    assert not metric_applies("rouge_l", CS, PUBLISHED["medical"])
    assert metric_applies("rouge_l", "Multi", {})
    assert not metric_applies("rouge_l", "Null", {})
    assert metric_applies("abstained_right", "null_query", {})
    assert not metric_applies("abstained_right", "Single", {})
