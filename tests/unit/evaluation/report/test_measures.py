from __future__ import annotations

import math

import numpy as np
import pytest

from aitia.evaluation.report.bench_folder import read_bench
from aitia.evaluation.report.measures import ALL, interval, measure
from aitia.evaluation.report.tables import keys_of, quality_tables
from aitia.evaluation.statistics.compare import compare
from aitia.testing.tiny_bench import JUDGE, write_tiny_bench
from aitia.testing.written_bench import add_answers, add_scores, write_empty_bench


@pytest.fixture(scope="module")
def measures(bench):
    return {(m.system, m.metric, m.type): m for m in measure(bench)}


def test_two_runs_by_hand(measures):
    found = measures["hcg:S", "answer_correctness", ALL]
    assert (found.judge, found.runs, found.n, found.scores, found.nan, found.failed) == (JUDGE, 2, 3, 6, 0, 0)
    assert found.mean == pytest.approx(0.65)  # runs .7 and .6
    assert found.sd == pytest.approx(0.1 / math.sqrt(2))
    assert found.over_runs
    facts = measures["hcg:S", "answer_correctness", "Fact Retrieval"]
    assert (facts.n, facts.mean, facts.sd) == (2, pytest.approx(0.6), pytest.approx(0.0))


def test_what_failed_is_counted_and_not_averaged(measures):
    failed = measures["hcg:L", "answer_correctness", ALL]
    assert (failed.n, failed.scores, failed.nan, failed.failed) == (3, 5, 0, 1)
    assert failed.mean == pytest.approx(0.7)  # runs .7 and .7
    nan = measures["plain:hybrid", "answer_correctness", ALL]
    assert (nan.n, nan.scores, nan.nan, nan.failed) == (3, 5, 1, 0)
    assert nan.mean == pytest.approx(0.5)  # runs .5 and .5
    assert measures["plain:hybrid", "answer_correctness", "Fact Retrieval"].nan == 1
    assert measures["hcg:L", "answer_correctness", "Complex Reasoning"].failed == 1


def test_one_run_has_an_interval_and_no_deviation(tmp_path):
    found = measure(read_bench(write_tiny_bench(tmp_path / "one", runs=1)))
    one = next(m for m in found if m.system == "hcg:S" and m.metric == "answer_correctness" and m.type == ALL)
    assert (one.sd, one.runs) == (None, 1)
    assert (one.low, one.high) == (pytest.approx(0.5), pytest.approx(0.9))  # 1 in 27 draws is all of one
    alone = next(m for m in found if m.type == "Complex Reasoning")
    assert (alone.low, alone.high) == (None, None)


def test_interval_agrees_with_the_paired_bootstrap():
    values = np.random.default_rng(5).uniform(size=60)
    low, high = interval(values)
    other = compare(
        dict.fromkeys(map(str, range(60)), 0.0), dict(zip(map(str, range(60)), values, strict=True))
    )
    assert (low, high) == (pytest.approx(other.low, abs=0.004), pytest.approx(other.high, abs=0.004))
    assert interval(np.full(9, 0.25)) == (0.25, 0.25)


def test_published_rules_of_a_dataset(tmp_path):
    folder = write_tiny_bench(tmp_path / "medical")
    settings = folder / "bench.toml"
    settings.write_text(settings.read_text().replace('"mini"', '"medical"'))
    kinds = {m.type for m in measure(read_bench(folder)) if m.metric == "evidence_recall"}
    assert kinds == {"Fact Retrieval", "Complex Reasoning", ALL}


def test_runs_that_are_all_alike_tell_no_spread(tmp_path):
    folder = write_tiny_bench(tmp_path / "alike")
    for part in ("answers", "scores"):
        for path in (folder / part).iterdir():
            lines = [line for line in path.read_text().splitlines() if '"run": 0' in line]
            path.write_text(
                "".join(line + "\n" + line.replace('"run": 0', '"run": 1') + "\n" for line in lines)
            )
    bench = read_bench(folder)
    assert {(m.runs, m.sd, m.over_runs) for m in measure(bench)} == {(2, 0.0, False)}
    assert quality_tables(bench, measure(bench)).overview[1].rows[0][1].note == "[0.500, 0.900]"


def test_judges_stand_in_the_order_in_which_they_were_asked(tmp_path):
    made = write_empty_bench(tmp_path / "bench", dataset="mixed", judges=["zeta", "alpha"])
    add_answers(made, "qcg", {"q1": "x"})
    for judge in ("alpha", "zeta"):  # as the files have them, which are sorted
        add_scores(made, {"qcg": {"q1": [0.5]}}, "accuracy", judge)
    assert [judge for judge, _ in keys_of(measure(read_bench(made)))] == ["zeta", "alpha"]
