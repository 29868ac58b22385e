"""The judged metrics against values worked by hand, with a judge whose every verdict a test writes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aitia.analyst.fact_protocols import FactCounts
from aitia.evaluation.metrics.accuracy import accuracy
from aitia.evaluation.metrics.answer_correctness import answer_correctness, fact_f1, semantic_similarity
from aitia.evaluation.metrics.context_relevance import context_relevance
from aitia.evaluation.metrics.coverage import coverage
from aitia.evaluation.metrics.faithfulness import faithfulness
from aitia.evaluation.metrics.judged_answer import JudgedAnswer
from aitia.evaluation.metrics.judged_evidence_recall import judged_evidence_recall

NAN = math.nan


class WrittenJudge:
    """Facts of a text are its sentences, "?" fails; replies to the other methods are given in order."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    def _next(self, requests):
        self.asked.append(list(requests))
        given, self.replies = self.replies[: len(requests)], self.replies[len(requests) :]
        assert len(given) == len(requests)
        return given

    def extract_facts(self, requests):
        self.asked.append(list(requests))
        return [
            None if request.text == "?" else tuple(filter(None, request.text.strip(" -").split(". ")))
            for request in requests
        ]

    compare_facts = find_support = rate_relevance = judge_answers = _next


def answers(*pairs, contexts=()):
    return [JudgedAnswer("Why?", answer, reference, contexts) for answer, reference in pairs]


def test_correctness_by_hand():
    # 2 TP, 1 FP, 3 FN: P = 2/3, R = 2/5, F1 = 2 * (4/15) / (16/15) = 1/2; cosine 0.6: S = 0.8
    judge = WrittenJudge(FactCounts(2, 1, 3))
    f1 = fact_f1(answers(("a. b. c", "d. e. f. g. h")), judge, judge)
    similarity = semantic_similarity([[3.0, 0.0]], [[3.0, 4.0]])
    assert f1.tolist() == [0.5]
    assert similarity == pytest.approx([0.8])
    assert answer_correctness(f1, similarity) == pytest.approx([0.75 * 0.5 + 0.25 * 0.8])


def test_f1_agrees_with_the_published_formula_to_its_epsilon():
    generator = np.random.default_rng(1)
    for tp, fp, fn in generator.integers(0, 9, size=(50, 3)).tolist():
        precision, recall = tp / (tp + fp + 1e-10), tp / (tp + fn + 1e-10)
        published = 2 * precision * recall / (precision + recall + 1e-10)
        judge = WrittenJudge(FactCounts(tp, fp, fn + 1))
        (ours,) = fact_f1(answers(("a", "b")), judge, judge)
        recall = tp / (tp + fn + 1 + 1e-10)
        published = 2 * precision * recall / (precision + recall + 1e-10)
        assert ours == pytest.approx(published, abs=1e-9)


def test_f1_at_its_edges():
    pairs = [
        ("a", "-"),
        ("-", "a"),
        ("", ""),
        ("", "a"),
        ("a", ""),
        ("-", "-"),
        ("?", "a"),
        ("a", "?"),
        ("a", "b"),
    ]
    judge = WrittenJudge(None)
    found = fact_f1(answers(*pairs), judge, judge)
    # a reference that is not blank and has no fact is a failure of the extractor; the last is one of the judge
    np.testing.assert_array_equal(found, [NAN, 0, 1, 0, 0, NAN, NAN, NAN, NAN])
    assert len(judge.asked[1]) == 1


def test_all_facts_are_asked_for_at_once_and_none_of_the_other_sides():
    judge = WrittenJudge(FactCounts(1, 0, 0), FactCounts(0, 1, 1))
    assert fact_f1(answers(("a", "b"), ("c", "d")), judge, judge).tolist() == [1.0, 0.0]
    assert [request.text for request in judge.asked[0]] == ["a", "c", "b", "d"]
    assert [(sets.answer, sets.reference) for sets in judge.asked[1]] == [(("a",), ("b",)), (("c",), ("d",))]


def test_similarity_lifts_the_cosine_into_0_to_1():
    rows = [[1, 0], [1, 0], [1, 0], [0, 0]]
    found = semantic_similarity(rows, [[2, 0], [0, 5], [-1, 0], [1, 0]])
    np.testing.assert_allclose(found, [1, 0.5, 0, NAN])
    np.testing.assert_array_equal(answer_correctness(np.zeros(1), np.array([0.8])), [0.2])
    np.testing.assert_array_equal(answer_correctness(np.array([NAN]), np.array([0.8])), [NAN])


def test_coverage_by_hand():
    judge = WrittenJudge((True, False, True), None)
    pairs = [("x", "a. b. c"), ("x", "a"), ("x", " "), ("", "a. b"), ("x", "-"), ("x", "?"), ("", "?")]
    found = coverage(answers(*pairs), judge, judge)
    np.testing.assert_allclose(found, [2 / 3, NAN, 1, 0, NAN, NAN, NAN])
    assert judge.asked[1][0].facts == ("a", "b", "c")
    assert judge.asked[1][0].text == "x"


def test_coverage_reads_the_first_3000_characters_of_both():
    judge = WrittenJudge((True,))
    coverage(answers(("x" * 3_001, "y" * 3_001)), judge, judge)
    assert judge.asked[0][0].text == "y" * 3_000
    assert judge.asked[1][0].text == "x" * 3_000


def test_faithfulness_by_hand():
    judge = WrittenJudge((True, True, False, False), None)
    long = answers(("a. b. c. d", ""), ("a", ""), (" ", ""), ("-", ""), ("?", ""), contexts=("p", "q"))
    found = faithfulness([*long, *answers(("a", ""), ("", ""))], judge, judge)
    np.testing.assert_allclose(found, [0.5, NAN, 1, NAN, NAN, 0, 1])
    assert judge.asked[1][0].text == "p\nq"


@pytest.mark.parametrize(("limit", "length"), [({}, 10_000), ({"context_characters": None}, 10_003)])
def test_faithfulness_reads_3000_characters_of_the_answer_and_10000_of_the_context(limit, length):
    judge = WrittenJudge((True,))
    faithfulness(answers(("x" * 3_001, ""), contexts=("c" * 10_000, "cc")), judge, judge, **limit)
    assert len(judge.asked[0][0].text) == 3_000
    assert len(judge.asked[1][0].text) == length


def test_relevance_is_the_mean_of_two_halved_ratings():
    judge = WrittenJudge(2, 1, 0, 0, 2, None, None, None)
    cases = [
        JudgedAnswer("Why?", "", "", contexts) for contexts in [("c",), ("d",), (" ",), (), ("e",), ("f",)]
    ]
    np.testing.assert_array_equal(context_relevance(cases, judge), [0.75, 0, 0, 0, NAN, NAN])
    (asked,) = judge.asked
    assert [(request.context, request.sample) for request in asked[:4]] == [
        ("c", 0),
        ("c", 1),
        ("d", 0),
        ("d", 1),
    ]


def test_relevance_and_evidence_recall_read_20000_characters():
    case = JudgedAnswer("Why?", "", "", ("c" * 20_001,), ("e",))
    judge = WrittenJudge(2, 2, 2, 2)
    context_relevance([case], judge)
    context_relevance([case], judge, context_characters=7_000)
    assert [len(asked[0].context) for asked in judge.asked] == [20_000, 7_000]
    judge = WrittenJudge((True,), (True,))
    judged_evidence_recall([case], judge)
    judged_evidence_recall([case], judge, context_characters=None)
    assert [len(asked[0].text) for asked in judge.asked] == [20_000, 20_001]


def test_evidence_recall_by_hand():
    judge = WrittenJudge((True, False, False), None)
    cases = [
        JudgedAnswer("Why?", "", "", ("c",), ("e", "f", "g")),
        JudgedAnswer("Why?", "", "", (" ",), ("e",)),
        JudgedAnswer("Why?", "", "", ("c",)),
        JudgedAnswer("Why?", "", "", ("c",), ("e",)),
    ]
    np.testing.assert_allclose(judged_evidence_recall(cases, judge), [1 / 3, 0, NAN, NAN])
    assert judge.asked[0][0].facts == ("e", "f", "g")


def test_accuracy_is_the_judges_word():
    judge = WrittenJudge(True, False, None)
    found = accuracy(answers(("a", "r"), ("b", "r"), (" ", "r"), ("c", "r")), judge)
    np.testing.assert_array_equal(found, [1, 0, 0, NAN])
    assert [(pair.answer, pair.reference) for pair in judge.asked[0]] == [("a", "r"), ("b", "r"), ("c", "r")]


def test_no_answers_have_no_scores():
    judge = WrittenJudge()
    for found in (
        fact_f1([], judge, judge),
        coverage([], judge, judge),
        faithfulness([], judge, judge),
        context_relevance([], judge),
        judged_evidence_recall([], judge),
        accuracy([], judge),
    ):
        assert (found.shape, found.dtype) == ((0,), np.float64)
