from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.statistics.comparison_tables import Wish, compare_folders, stand
from aitia.evaluation.statistics.frontier import Standing
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, SystemScores
from aitia.evaluation.statistics.slices import AskedQuestion
from aitia.testing.written_bench import add_scores, write_empty_bench

CORRECTNESS, COVERAGE = Measure("answer_correctness", "glm"), Measure("coverage", "glm")
IDS = [f"q{number}" for number in range(8)]


def system(correctness: dict[str, float], coverage: dict[str, float], nodes: int | None) -> SystemScores:
    return SystemScores({CORRECTNESS: correctness, COVERAGE: coverage}, nan={}, failed={}, nodes=nodes)


def bench(**systems: SystemScores) -> BenchScores:
    return BenchScores("tiny", {id: AskedQuestion("all") for id in IDS}, systems)


def test_standings_are_means_over_the_questions_that_all_have():
    # q0 would flatter a: b failed on it. Coverage has questions of its own.
    tiny = bench(
        a=system({"q0": 1.0, "q1": 0.25, "q2": 0.75}, {"q7": 0.5}, 9),
        b=system({"q1": 0.5, "q2": 0.75}, {"q7": 0.25, "q6": 1.0}, 0),
        unknown=system({"q1": 1.0}, {"q7": 1.0}, None),
        uncovered=system({"q1": 1.0}, {}, 3),
    )
    assert stand(tiny, "glm") == {"a": Standing(0.5, 0.5, 9), "b": Standing(0.625, 0.25, 0)}
    assert stand(tiny, "kimi") == {}


def test_without_a_common_question_nothing_stands():
    assert (
        stand(bench(a=system({"q0": 1.0}, {"q0": 1.0}, 1), b=system({"q1": 1.0}, {"q0": 1.0}, 1)), "glm")
        == {}
    )


@pytest.fixture
def folder(tmp_path):
    """Coverage by two judges, correctness by the first alone, recall by nobody."""
    made = write_empty_bench(tmp_path / "bench", judges=["kimi", "glm"])
    scores = {name: {id: [value] for id in IDS} for name, value in (("hug", 0.25), ("qcg", 0.5))}
    for metric, judge in (
        ("coverage", "kimi"),
        ("coverage", "glm"),
        ("answer_correctness", "kimi"),
        ("hits@4", ""),
    ):
        add_scores(made, scores, metric, judge)
    return made


def test_a_second_judge_is_asked_about_what_it_scored(folder):
    tables = compare_folders([folder], Wish())
    assert tables.judge == "kimi"
    assert [pair.measure for pair in tables.pairs] == [
        Measure("answer_correctness", "kimi"),
        Measure("coverage", "kimi"),
        Measure("hits@4"),
    ]
    assert [(one.metric, one.first, one.second) for one in tables.agreements] == [("coverage", "kimi", "glm")]
    (flag,) = tables.flags["glm"]
    assert (flag.significant, flag.survives) == (True, True)


def test_a_measure_whose_every_pair_is_too_few_is_left_out_unless_wished_for(folder):
    values = {name: {id: [float(id in ids)] for id in IDS} for name, ids in (("hug", "q0 q1"), ("qcg", "q2"))}
    add_scores(folder, values, "all@5")  # three questions differ
    tables = compare_folders([folder], Wish())
    assert tables.left_out == (Measure("all@5"),)
    assert "all@5" not in {pair.measure.metric for pair in tables.pairs}
    wished = compare_folders([folder], Wish(metrics=("all@5",)))
    assert [(pair.n, pair.differing, pair.verdict) for pair in wished.pairs] == [(8, 3, "too few")]
    assert wished.left_out == ()


def test_where_every_measure_is_too_few_none_is_left_out(tmp_path):
    made = write_empty_bench(tmp_path / "bench")
    add_scores(made, {"hug": {"q0": [0.0]}, "qcg": {"q0": [1.0]}}, "all@5")
    tables = compare_folders([made], Wish())
    assert [pair.verdict for pair in tables.pairs] == ["too few"]
    assert tables.left_out == ()


def test_a_metric_of_the_other_judge_is_not_to_be_had(folder):
    with pytest.raises(
        UsageError, match=r"no scores of metric 'answer_correctness'; expected of coverage, hits@4"
    ):
        compare_folders([folder], Wish(judge="glm", metrics=("answer_correctness",)))


def test_metrics_stand_in_the_order_in_which_they_were_asked(folder):
    tables = compare_folders([folder], Wish(metrics=("hits@4", "coverage", "hits@4")))
    assert [pair.measure.metric for pair in tables.pairs] == ["hits@4", "coverage"]
    assert compare_folders([folder], Wish(metrics=("hits@4",))).agreements == ()
