from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest

from aitia.testing.written_bench import add_answers, add_builds, add_scores, write_empty_bench

IDS = [f"q{number}" for number in range(12)]
TYPES = {id: "Complex Reasoning" if number < 8 else "Fact Retrieval" for number, id in enumerate(IDS)}
PASSAGES = {id: number % 4 + 1 for number, id in enumerate(IDS)}
BASE, HIGH, MIXED = [0.25] * 12, [0.5] * 12, [0.0, 0.5] * 6
SYSTEMS = {"hcg:S": HIGH, "hug": MIXED, "plain:naive": BASE}


def per_question(scores: dict[str, list[float]]) -> dict[str, dict[str, list[float | None]]]:
    return {name: {id: [v, v] for id, v in zip(IDS, values, strict=True)} for name, values in scores.items()}


@pytest.fixture
def bench(tmp_path) -> Path:
    """Three systems, a model-free metric and two judges that see hcg:S in different lights."""
    folder = write_empty_bench(tmp_path / "bench", dataset="mixed")
    add_scores(folder, per_question(SYSTEMS))
    for metric in ("answer_correctness", "coverage"):
        add_scores(folder, per_question(SYSTEMS), metric, "glm")
        add_scores(folder, per_question({**SYSTEMS, "hcg:S": MIXED}), metric, "kimi")
    for system in SYSTEMS:
        add_answers(folder, system, TYPES, passages=PASSAGES, failed=IDS[:1] if system == "hug" else ())
    add_builds(folder, {"hcg:S": 902, "hug": 5000, "plain:naive": 0})
    return folder


def test_one_baseline_one_metric(run, bench):
    ran = run("compare", bench, "--baseline", "plain:naive", "--metric", "evidence_recall", "--quiet")
    assert (ran.status, ran.err) == (0, "")
    table = ran.out.split("\n\n")[0].splitlines()
    assert table[0].split("\t") == [
        *("metric", "judge", "slice", "baseline", "system", "n", "differing", "dropped", "nan", "failed"),
        *("baseline_mean", "mean", "delta", "low", "high", "p", "q", "verdict"),
    ]
    assert table[1].split("\t") == [
        *("evidence_recall", "-", "all", "plain:naive", "hcg:S", "12", "12", "0", "0/0", "0/0"),
        *("0.2500", "0.5000", "+0.2500", "+0.2500", "+0.2500", "<0.001", "<0.001", "better"),
    ]
    row = table[2].split("\t")
    assert row[4:10] == ["hug", "12", "12", "0", "0/0", "0/1"]
    assert row[12:] == ["+0.0000", *row[13:15], *row[15:17], "not significant"]
    assert len(table) == 3


def test_all_pairs_and_a_second_judge(run, bench):
    ran = run("compare", bench)
    assert ran.err == "judges: glm, kimi; the flags are of glm (--judge)\n"
    comparisons, judges, changed, standings = ran.out.split("\n\n")
    assert len(comparisons.splitlines()) == 1 + 3 * 3  # three metrics, three pairs
    assert "kimi" not in comparisons
    title, head, *rows = (line.split("\t") for line in judges.splitlines())
    assert title == ["Second judges, beside glm"]
    first = dict(zip(head, rows[0], strict=True))
    assert {
        name: first[name] for name in ("metric", "judge", "second", "shift", "significant", "survive")
    } == {
        "metric": "answer_correctness",
        "judge": "glm",
        "second": "kimi",
        "shift": "-0.0833",
        "significant": "2",
        "survive": "0",
    }
    assert (first["verdicts"], first["kept"], first["n_systems"], first["n_questions"]) == (
        "3",
        "1",
        "3",
        "36",
    )
    assert first["spearman_systems"] == "-"  # the second judge's means are all alike
    assert changed.splitlines()[2:4] == [
        "answer_correctness\tall\thcg:S\thug\tglm\tworse\tkimi\ttoo few",
        "answer_correctness\tall\thcg:S\tplain:naive\tglm\tworse\tkimi\tnot significant",
    ]
    assert standings.splitlines()[1:] == [
        "system\tanswer_correctness\tcoverage\tnodes\tfrontier",
        "hcg:S\t0.5000\t0.5000\t902\tyes",
        "hug\t0.2500\t0.2500\t5000\tno",
        "plain:naive\t0.2500\t0.2500\t0\tyes",
    ]


def test_a_terminal_gets_a_table_for_each_metric_and_slice(run, bench, monkeypatch):
    monkeypatch.setattr("aitia.cli.output.on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "130")
    out = run("compare", bench, "--baseline", "hug", "--metric", "coverage", "--quiet").out
    assert "coverage, glm, all questions, against hug\n" in out
    assert re.search(
        r"hcg:S +12 +6 +0; 0/0; 1/0 +\+0\.2500 \[\+0\.\d+, \+0\.\d+\] +[<0-9.]+ +[<0-9.]+ +better", out
    )
    assert re.search(r"coverage +kimi +-0\.0833 +0 of 1 +1 of 2 +-, - \(n 3\)", out)
    out = run(
        "compare", bench, "--baseline", "hcg:S", "--metric", "coverage", "--slice", "lookup-heavy", "-q"
    ).out
    assert "coverage, glm, lookup-heavy questions, against hcg:S, none dropped, nan or failed\n" in out


def test_as_json(run, bench):
    ran = run("compare", bench, "--baseline", "plain:naive", "--judge", "kimi", "--json", "--quiet")
    found = json.loads(ran.out)
    assert {
        name: found[name] for name in ("dataset", "questions", "judge", "resamples", "seed", "level")
    } == {
        "dataset": "mixed",
        "questions": 12,
        "judge": "kimi",
        "resamples": 10_000,
        "seed": 42,
        "level": 0.05,
    }
    assert [pair["judge"] for pair in found["comparisons"]] == ["kimi"] * 4 + [None] * 2
    pair = found["comparisons"][4]
    assert pair["nan"] == {"baseline": 0, "system": 0}
    assert (pair["metric"], pair["system"], pair["delta"], pair["p"], pair["q"], pair["verdict"]) == (
        *("evidence_recall", "hcg:S", 0.25, 0, 0, "better"),
    )
    assert found["second_judges"][0]["second"] == "glm"
    assert found["changed_verdicts"][0]["second_verdict"] == "better"
    assert [row["frontier"] for row in found["standings"]] == [False, False, True]


def test_slices(run, bench):
    parts = ("all", "hop-heavy", "lookup-heavy", "type=Fact Retrieval", "evidence")
    options = [option for part in parts for option in ("--slice", part)]
    ran = run("compare", bench, "--metric", "evidence_recall", "--baseline", "hug", "--json", *options)
    pairs = json.loads(ran.out)["comparisons"]
    assert {pair["n"] for pair in pairs if pair["p"] is None and pair["q"] is None} == {3, 4}
    assert all(pair["p"] <= pair["q"] for pair in pairs if pair["differing"] >= 6)
    sizes = {pair["slice"]: pair["n"] for pair in pairs}
    assert sizes == {
        "all": 12, "hop-heavy": 8, "lookup-heavy": 4, "type=Fact Retrieval": 4,
        "evidence=1": 3, "evidence=2": 3, "evidence=3+": 6,
    }  # fmt: skip
    assert {pair["verdict"] for pair in pairs if pair["differing"] < 6} == {"too few"}
    assert "comparisons with fewer than 6 differing questions, without q and verdict: 10\n" in ran.err


def test_measures_left_out_are_counted(run, bench):
    hits = {"hcg:S": "q1", "hug": "q2", "plain:naive": ""}
    add_scores(bench, {name: {id: [float(id == hit)] for id in IDS} for name, hit in hits.items()}, "all@5")
    ran = run("compare", bench, "--json")
    found = json.loads(ran.out)
    assert found["left_out"] == [{"metric": "all@5", "judge": None}]
    assert "all@5" not in {pair["metric"] for pair in found["comparisons"]}
    assert (
        "measures left out, as every pair of theirs is such a one (--metric NAME shows one): 1\n" in ran.err
    )
    asked = json.loads(run("compare", bench, "--metric", "all@5", "--json").out)
    assert [pair["verdict"] for pair in asked["comparisons"]] == ["too few"] * 3
    assert [pair["differing"] for pair in asked["comparisons"]] == [2, 1, 1]


def test_a_copy_of_a_bench_against_itself(run, bench, tmp_path):
    shutil.copytree(bench, tmp_path / "copy")
    ran = run(
        "compare",
        bench,
        tmp_path / "copy",
        "--metric",
        "evidence_recall",
        "--json",
        "--baseline",
        "bench/hug",
    )
    found = {pair["system"]: pair for pair in json.loads(ran.out)["comparisons"]}
    copy = found["copy/hug"]
    assert [copy[name] for name in ("delta", "low", "high", "p", "q", "verdict")] == [
        *(0, 0, 0, 1, None, "too few"),
    ]
    assert (copy["n"], copy["differing"]) == (12, 0)


def test_the_order_of_folders_files_and_lines_changes_no_digit(run, tmp_path):
    draw = random.Random(3)
    folders = [write_empty_bench(tmp_path / name) for name in ("one", "two")]
    for folder, systems in zip(folders, (("hug", "qcg"), ("hug", "hcg:S")), strict=True):
        for system in systems:
            values = {id: [draw.random() for _ in range(3)] for id in IDS}
            add_scores(folder, {system: values}, "coverage", "glm")
            add_scores(folder, {system: {id: runs[::-1] for id, runs in values.items()}}, "coverage", "kimi")
            add_answers(folder, system, TYPES, passages=PASSAGES)
    options = ("--json", "--slice", "all", "--slice", "type")
    before = run("compare", *folders, *options).out
    for path in tmp_path.rglob("*.jsonl"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        draw.shuffle(lines)
        path.unlink()
        path.with_name(f"{draw.randrange(1000)}.jsonl").write_text("".join(lines), "utf-8")
    assert run("compare", *folders[::-1], *options).out == before


def test_no_silence_is_called_agreement(run, bench):
    word = re.compile(r"\b(equal|equals|equally|tie|ties|tied|same score)\b", re.IGNORECASE)
    for options in ((), ("--json",), ("--slice", "type"), ("--help",)):
        ran = run("compare", bench, *options)
        assert ran.status == 0
        assert not word.search(ran.out + ran.err)
    verdicts = {pair["verdict"] for pair in json.loads(run("compare", bench, "--json").out)["comparisons"]}
    assert verdicts == {"worse", "not significant"}


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--metric", "bleu"), 2, "no scores of metric 'bleu'; expected of answer_correctness, "),
        (("--baseline", "raptor"), 2, "baseline 'raptor' has no scores; expected one of hcg:S, hug, plain:naive"),
        (("--judge", "gpt"), 2, "no scores by judge 'gpt'; found glm, kimi"),
        (("--slice", "hard"), 2, "slice 'hard' holds no question here"),
        (("--family", "none at all"), 2, "Invalid value for '--family'"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_one_line(run, bench, options, status, message):
    ran = run("compare", bench, *options)
    assert (ran.status, ran.out, ran.err.count("\n")) == (status, "", 1)
    assert message in ran.err


def test_folders_that_cannot_be_compared_are_one_line(run, bench, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    unscored = write_empty_bench(tmp_path / "unscored")
    add_answers(unscored, "hug", TYPES)
    alone = write_empty_bench(tmp_path / "alone")
    add_scores(alone, per_question({"hug": BASE}))
    other = write_empty_bench(tmp_path / "other", dataset="novel", digest="e" * 64)
    add_scores(other, per_question({"hug": BASE}))
    broken = write_empty_bench(tmp_path / "broken")
    (broken / "scores" / "hug.jsonl").write_text("{}\n")
    beyond = write_empty_bench(tmp_path / "beyond")
    add_scores(beyond, {"hug": {"q0": [37]}})
    for folders, status, message in (
        ([], 2, "Missing argument 'OUT...'"),
        ([tmp_path / "missing"], 1, "missing is no bench folder"),
        ([empty], 1, "empty is no bench folder (it has no bench.toml)"),
        ([unscored], 1, "unscored holds no scores"),
        ([alone], 2, "expected two scored systems or more, found hug"),
        ([bench, bench], 2, "given twice"),
        ([bench, other], 2, "only folders with the same questions can be compared"),
        ([broken], 1, "hug.jsonl:1: not a line of ScoreRecord"),
        (
            [beyond],
            1,
            "hug.jsonl:1: evidence_recall of question 'q0', run 0 is 37; expected a number from 0 to 1",
        ),
    ):
        ran = run("compare", *folders)
        assert (ran.status, ran.out, ran.err.count("\n")) == (status, "", 1)
        assert message in ran.err


def test_systems_without_scores_are_named(run, bench):
    add_answers(bench, "peer:lightrag", TYPES)
    ran = run("compare", bench, "--metric", "evidence_recall")
    assert "answers without scores, left out: peer:lightrag\n" in ran.err
    assert "peer:lightrag" not in ran.out
