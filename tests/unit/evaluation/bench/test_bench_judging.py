from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aitia.analyst.fact_protocols import FactCounts
from aitia.errors import LimitReached, UsageError
from aitia.evaluation.aggregate import TypeRule
from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.bench.judging import METRICS, Judge, check_metrics
from aitia.evaluation.bench.scores import Scoring
from aitia.evaluation.bench.scoring import Scorer
from aitia.evaluation.datasets import Question
from aitia.evaluation.records import AnswerRecord, read_scores
from aitia.evaluation.systems import parse_system

QUESTIONS = (
    Question("a", "Why?", "mites", evidence=("Mites weaken colonies.",)),
    Question("b", "Who?", "cold"),
    Question("null", "Where?", "Insufficient information", "Null", answerable=False),
)
SYSTEM = parse_system("plain:bm25")


class Facts:
    """Extracts words, and judges by a table; None where ``failing`` names the question."""

    def __init__(self):
        self.failing: set[str] = set()
        self.asked: list[tuple[str, str]] = []

    def _each(self, kind: str, requests: Any, value: Any) -> list[Any]:
        self.asked += [(kind, each.question) for each in requests]
        return [None if each.question in self.failing else value(each) for each in requests]

    def extract_facts(self, requests):
        return self._each("facts", requests, lambda each: tuple(each.text.split()))

    def compare_facts(self, requests):
        return self._each("compare", requests, lambda each: FactCounts(1, 1, 0))

    def find_support(self, requests):
        return self._each("support", requests, lambda each: (True,) * len(each.facts))

    def rate_relevance(self, requests):
        return self._each("relevance", requests, lambda each: 1)

    def judge_answers(self, requests):
        return self._each("judge", requests, lambda each: each.answer == each.reference)


class Embedder:
    """Every text is the same."""

    id, hash, dimensions = "same", "same", 2

    def embed(self, texts):
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))


def judge(facts, metrics=tuple(METRICS), name="strict", rules=None):
    return Judge(name, facts, Embedder(), metrics, lambda *step: None, rules or {})


def answer(question, **values):
    given = {"reply": "mites", "contexts": ("Mites.",), **values}
    return AnswerRecord(question.id, SYSTEM.name, 0, question.type, question.text, question.answer, **given)


@pytest.fixture
def scoring(tmp_path):
    (tmp_path / "scores").mkdir()
    (tmp_path / "corpus.txt").write_text("Mites weaken colonies.")
    scorer = Scorer(QUESTIONS, tmp_path / "corpus.txt", 100)
    return Scoring(BenchFolder(tmp_path), QUESTIONS, scorer)


def read(tmp_path):
    found = read_scores(BenchFolder(tmp_path).scores(SYSTEM))
    return {(each.judge, each.id): dict(each.scores) for each in found}


def test_what_is_judged_of_which_question(scoring, tmp_path):
    scoring.add_judged(SYSTEM, [answer(each) for each in QUESTIONS], judge(Facts()))
    found = read(tmp_path)
    assert found["strict", "a"] == pytest.approx(
        {
            "answer_correctness": 0.75 * 2 / 3 + 0.25,
            "coverage": 1.0,
            "faithfulness": 1.0,
            "accuracy": 1.0,
            "context_relevance": 0.5,
            "judged_evidence_recall": 1.0,
        }
    )
    assert found["strict", "b"]["accuracy"] == 0
    assert "judged_evidence_recall" not in found["strict", "b"]
    assert set(found) == {("strict", "a"), ("strict", "b")}


def test_a_metric_of_other_types_is_not_asked_for(scoring, tmp_path):
    rules = {"coverage": TypeRule(only=frozenset({"Contextual Summarize"}))}
    scoring.add_judged(SYSTEM, [answer(QUESTIONS[0])], judge(Facts(), ("coverage", "accuracy"), rules=rules))
    assert set(read(tmp_path)["strict", "a"]) == {"accuracy"}


def test_without_an_answer_the_context_alone_is_judged(scoring, tmp_path):
    scoring.add_judged(SYSTEM, [answer(QUESTIONS[0], reply=None)], judge(Facts()))
    assert read(tmp_path)["strict", "a"] == {"context_relevance": 0.5, "judged_evidence_recall": 1.0}


def test_what_failed_is_asked_again_and_nothing_else(scoring, tmp_path):
    facts = Facts()
    facts.failing = {"Why?"}
    answers = [answer(each) for each in QUESTIONS[:2]]
    wanted = judge(facts, ("accuracy",))
    scoring.add_judged(SYSTEM, answers, wanted)
    assert read(tmp_path) == {("strict", "a"): {"accuracy": None}, ("strict", "b"): {"accuracy": 0.0}}
    facts.failing, facts.asked = set(), []
    scoring.add_judged(SYSTEM, answers, wanted)
    assert facts.asked == [("judge", "Why?")]
    assert read(tmp_path)["strict", "a"] == {"accuracy": 1.0}
    before = BenchFolder(tmp_path).scores(SYSTEM).stat()
    scoring.add_judged(SYSTEM, answers, wanted)
    assert BenchFolder(tmp_path).scores(SYSTEM).stat() == before


def test_judges_and_free_scores_stand_side_by_side(scoring, tmp_path):
    answers = [answer(each) for each in QUESTIONS]
    scoring.add_judged(SYSTEM, answers, judge(Facts(), ("accuracy",), "one"))
    scoring.add_free(SYSTEM, [*answers[:2], answer(QUESTIONS[2], error="no")])
    scoring.add_judged(SYSTEM, answers, judge(Facts(), ("accuracy",), "other"))
    assert list(read(tmp_path)) == [
        *(("", "a"), ("", "b"), ("one", "a"), ("one", "b"), ("other", "a"), ("other", "b"))
    ]
    scoring.add_free(SYSTEM, answers)
    assert read(tmp_path)["", "null"] == {"abstained_right": 0.0}


def test_a_limit_leaves_the_file_as_it_was(scoring, tmp_path):
    answers = [answer(each) for each in QUESTIONS]
    scoring.add_free(SYSTEM, answers)
    before = read(tmp_path)
    facts = Facts()
    facts.judge_answers = lambda requests: (_ for _ in ()).throw(LimitReached("enough"))
    with pytest.raises(LimitReached):
        scoring.add_judged(SYSTEM, answers, judge(facts))
    assert read(tmp_path) == before


def test_metrics_by_name():
    assert check_metrics(None) == check_metrics([]) == tuple(METRICS)
    assert check_metrics(["accuracy", "coverage"]) == ("coverage", "accuracy")
    with pytest.raises(
        UsageError, match="judged metric 'beauty' is unknown; expected some of answer_correct"
    ):
        check_metrics(["beauty"])
