from __future__ import annotations

import random

import pytest

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.records import BuildRecord, ScoreRecord
from aitia.evaluation.statistics.question_scores import Measure, read_bench_scores
from aitia.evaluation.statistics.slices import AskedQuestion
from aitia.testing.written_bench import (
    TYPE,
    add_answers,
    add_builds,
    add_lines,
    add_scores,
    write_empty_bench,
)

RECALL = Measure("evidence_recall")


@pytest.fixture
def bench(tmp_path):
    return write_empty_bench(tmp_path / "bench")


def test_runs_are_averaged_over_those_that_have_a_score(bench):
    add_scores(bench, {"qcg": {"a": [0.25, 0.75], "b": [0.5, None], "c": [None, None]}})
    system = read_bench_scores([bench]).systems["qcg"]
    assert system.scores[RECALL] == {"a": 0.5, "b": 0.5}
    assert system.nan[RECALL] == {"b": 1, "c": 2}


def test_nan_in_a_file_is_a_score_that_failed(bench):
    add_scores(bench, {"qcg": {"a": [float("nan"), 1.0]}})
    system = read_bench_scores([bench]).systems["qcg"]
    assert (system.scores[RECALL], system.nan[RECALL]) == ({"a": 1.0}, {"a": 1})


def test_a_judge_is_part_of_the_measure(bench):
    add_scores(bench, {"qcg": {"a": [0.2]}}, "coverage", "one")
    add_scores(bench, {"qcg": {"a": [0.8]}}, "coverage", "two")
    add_scores(bench, {"qcg": {"a": [1.0]}})
    found = read_bench_scores([bench])
    assert found.measures() == (Measure("coverage", "one"), Measure("coverage", "two"), RECALL)
    assert found.judges() == ("one", "two")


def test_judges_stand_in_the_order_in_which_they_were_asked(tmp_path):
    folders = [
        write_empty_bench(tmp_path / name, judges=judges)
        for name, judges in (("x", ["two", "one", "idle"]), ("y", ["two", "one", "idle"]), ("z", ["one"]))
    ]
    for folder in folders:
        for judge in ("a", "one", "two"):
            add_scores(folder, {"qcg": {"a": [0.5]}}, "coverage", judge)
    assert read_bench_scores(folders[:2]).judges() == ("two", "one", "a")
    assert read_bench_scores(folders).judges() == ("a", "one", "two")


def test_a_score_had_later_takes_the_place_of_one_that_failed_in_either_order(bench, tmp_path):
    other = write_empty_bench(tmp_path / "other")
    for value in (None, 0.5):
        add_scores(bench, {"qcg": {"a": [value]}})
    for value in (0.5, None):
        add_scores(other, {"qcg": {"a": [value]}})
    for folder in (bench, other):
        system = read_bench_scores([folder]).systems["qcg"]
        assert (system.scores[RECALL], system.nan[RECALL]) == ({"a": 0.5}, {})


def test_two_values_of_one_score_are_refused(bench):
    for value in (0.25, 0.5):
        add_scores(bench, {"qcg": {"a": [value]}})
    with pytest.raises(
        CorpusError, match=r"two values of evidence_recall for question 'a', run 0 \(0.25, 0.5\)"
    ):
        read_bench_scores([bench])


@pytest.mark.parametrize("value", ["high", float("inf"), [1], 37, 1.01, -0.2])
def test_what_is_no_score_is_refused(bench, value):
    good = ScoreRecord("a", "qcg", 0, "", {"mrr@10": 1})
    add_lines(bench / "scores" / "qcg.jsonl", [good, ScoreRecord("a", "qcg", 1, "", {"mrr@10": value})])
    with pytest.raises(CorpusError) as caught:
        read_bench_scores([bench])
    said = str(caught.value)
    assert said.startswith(f"{bench / 'scores' / 'qcg.jsonl'}:2: mrr@10 of question 'a', run 1 is ")
    assert said.endswith("; expected a number from 0 to 1, or null")


def test_scores_of_other_types_than_a_metric_is_of_are_not_read(bench):
    add_scores(bench, {"qcg": {"a": [0.25], "b": [0.75], "c": [0.5]}}, "rouge_l")
    add_answers(bench, "qcg", {"a": "Fact Retrieval", "b": "Creative Generation"})  # c: of no known type
    assert read_bench_scores([bench]).systems["qcg"].scores[Measure("rouge_l")] == {"a": 0.25, "c": 0.5}


def test_failed_answers_are_counted_unless_another_attempt_did(bench):
    add_scores(bench, {"qcg": {"a": [1.0]}})
    add_answers(bench, "qcg", {"a": TYPE, "b": TYPE, "c": TYPE}, failed=["b", "c"])
    add_answers(bench, "qcg", {"c": TYPE})
    assert read_bench_scores([bench]).systems["qcg"].failed == {"b": 1}


def test_questions_have_their_type_and_the_most_passages_told(bench):
    add_scores(bench, {"qcg": {"a": [1.0], "b": [1.0]}})
    add_answers(bench, "qcg", {"a": TYPE}, passages={"a": 2})
    add_answers(bench, "peer:lightrag", {"a": TYPE})
    found = read_bench_scores([bench])
    assert found.questions == {"a": AskedQuestion(TYPE, 2), "b": AskedQuestion("all")}
    assert found.unscored == ("peer:lightrag",)


def test_a_question_of_two_types_is_refused(bench):
    add_scores(bench, {"qcg": {"a": [1.0]}})
    add_answers(bench, "qcg", {"a": TYPE})
    add_answers(bench, "hug", {"a": "Multi"})
    with pytest.raises(CorpusError, match="question 'a' is of type"):
        read_bench_scores([bench])


def test_nodes_are_those_of_the_build(bench):
    names = ["hcg:S", "hcg:S+fused@3000", "plain:hybrid", "peer:lightrag", "qcg"]
    add_scores(bench, {name: {"a": [1.0]} for name in names})
    add_builds(bench, {"hcg:S": 902, "peer:lightrag": 4894, "plain:hybrid": None})
    add_lines(bench / "builds.jsonl", [BuildRecord("qcg", error="out of calls")])
    found = read_bench_scores([bench]).systems
    assert {name: system.nodes for name, system in found.items()} == {
        "hcg:S": 902,
        "hcg:S+fused@3000": 902,
        "peer:lightrag": 4894,
        "plain:hybrid": 0,
        "qcg": None,
    }


def test_a_system_of_two_folders_bears_their_names(tmp_path):
    folders = [write_empty_bench(tmp_path / name) for name in ("monday", "friday")]
    add_scores(folders[0], {"hug": {"a": [0.0]}, "qcg": {"a": [0.5]}})
    add_scores(folders[1], {"hug": {"a": [1.0]}})
    found = read_bench_scores(folders).systems
    assert list(found) == ["friday/hug", "monday/hug", "qcg"]
    assert found["friday/hug"].scores[RECALL] == {"a": 1.0}


def test_folders_of_one_name_are_told_by_their_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = [write_empty_bench(tmp_path / name / "out").relative_to(tmp_path) for name in ("one", "two")]
    for folder in folders:
        add_scores(folder, {"hug": {"a": [1.0]}})
    assert list(read_bench_scores(folders).systems) == ["one/out/hug", "two/out/hug"]


def test_folders_with_other_questions_are_refused_in_one_line(tmp_path):
    one = write_empty_bench(tmp_path / "one")
    two = write_empty_bench(tmp_path / "two", dataset="novel", digest="f" * 64)
    with pytest.raises(UsageError) as caught:
        read_bench_scores([one, two])
    assert str(caught.value) == (
        f"{one} asks medical (0123456789ab) and {two} asks novel (ffffffffffff); "
        "only folders with the same questions can be compared"
    )


def test_a_folder_given_twice_is_refused(bench):
    with pytest.raises(UsageError, match="given twice"):
        read_bench_scores([bench, bench / ".." / bench.name])


def test_folders_that_cannot_be_used(bench, tmp_path):
    with pytest.raises(CorpusError, match=r"missing is no bench folder \(it has no bench.toml\)"):
        read_bench_scores([tmp_path / "missing"])
    with pytest.raises(CorpusError, match="bench holds no scores"):
        read_bench_scores([bench])
    (bench / "bench.toml").write_text('dataset = "medical"\n')
    with pytest.raises(CorpusError, match="names no 'questions_sha256'"):
        read_bench_scores([bench])
    (bench / "bench.toml").write_bytes(b"\xff = [")
    with pytest.raises(CorpusError, match=r"bench\.toml cannot be read"):
        read_bench_scores([bench])


def test_the_order_of_folders_files_and_lines_changes_nothing(tmp_path):
    draw = random.Random(5)
    folders = [write_empty_bench(tmp_path / name) for name in ("one", "two")]
    for folder in folders:
        for system in ("hcg:S", "qcg"):
            ids = [f"q{number}" for number in range(20)]
            add_scores(folder, {system: {id: [draw.random() for _ in range(3)] for id in ids}})
            add_answers(folder, system, dict.fromkeys(ids, TYPE), failed=ids[:2])
    before = read_bench_scores(folders)
    for folder in folders:
        scores = folder / "scores"
        lines = [line for path in scores.iterdir() for line in path.read_text("utf-8").splitlines()]
        draw.shuffle(lines)
        for path in scores.iterdir():
            path.unlink()
        (scores / "z.jsonl").write_text("\n".join(lines[:30]) + "\n", "utf-8")
        (scores / "a.jsonl").write_text("\n".join(lines[30:]) + "\n", "utf-8")
    after = read_bench_scores(folders[::-1])
    assert repr(after.questions) == repr(before.questions)
    for name, system in before.systems.items():
        assert after.systems[name] == system
        assert list(after.systems[name].scores[RECALL]) == list(system.scores[RECALL])
