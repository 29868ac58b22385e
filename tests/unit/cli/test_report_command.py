from __future__ import annotations

import json

import pytest

from aitia.evaluation.report.figure import Figure
from aitia.testing.tiny_bench import write_tiny_bench
from aitia.testing.written_bench import add_answers, add_scores, write_empty_bench

TEXTS = ["report.csv", "report.html", "report.md", "report.tex"]


@pytest.fixture
def folder(tmp_path):
    return write_tiny_bench(tmp_path / "bench")


@pytest.fixture
def undrawn(monkeypatch):
    monkeypatch.setattr("aitia.evaluation.report.render.can_draw", lambda: False)


def test_with_figures(run, folder, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    images = {ending: ending.encode() for ending in ("svg", "pdf", "png")}
    drawn = (Figure("cost-build", "Cost", "What it took.", images),)
    monkeypatch.setattr("aitia.evaluation.report.plots.draw", lambda bench, measures: drawn)
    out = tmp_path / "new" / "report"
    ran = run("report", folder, "--out", out, "--title", "A & B", "--baseline", "plain:hybrid")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:2] == [str(out / "report.md"), str(out / "report.csv")]
    assert str(out / "figures" / "cost-build.svg") in lines
    assert {path.name: path.read_text() for path in (out / "figures").iterdir()} == {
        f"cost-build.{ending}": ending for ending in images
    }
    assert (out / "report.md").read_text("utf-8").startswith("# A \\& B\n")
    assert "Differences from plain:hybrid" in (out / "report.md").read_text("utf-8")


def test_without_matplotlib_one_line_says_how_to_get_figures(run, folder, undrawn):
    ran = run("report", folder)
    assert ran.status == 0
    assert ran.err == (
        'no figures: matplotlib is not installed; pip install "aitia[eval]" and call this again\n'
    )
    assert sorted(path.name for path in folder.glob("report.*")) == TEXTS
    assert not (folder / "figures").exists()
    assert (folder / "report.md").read_text("utf-8").startswith("# Benchmark: mini\n")
    assert run("report", folder, "--quiet").err == ""


def test_json_lists_the_files(run, folder, undrawn):
    ran = run("report", folder, "--json", "-q")
    assert json.loads(ran.out) == {
        "written": [str(folder / f"report.{ending}") for ending in ("md", "csv", "tex", "html")],
        "figures": False,
    }


def test_faults_are_one_line(run, folder, tmp_path, undrawn):
    beyond = write_tiny_bench(tmp_path / "beyond")
    add_scores(beyond, {"hcg:S": {"q1": [-0.5]}})
    unscored = write_empty_bench(tmp_path / "unscored")
    add_answers(unscored, "hcg:S", {"q1": "Fact Retrieval"})
    for arguments, status, message in (
        (
            ("report", beyond),
            1,
            "evidence_recall of question 'q1', run 0 is -0.5; expected a number from 0 to 1",
        ),
        (
            ("report", unscored, "--baseline", "nope"),
            2,
            "baseline 'nope' has no scores here; expected one of none",
        ),
        (("report", unscored, "--baseline", "hcg:S"), 2, "baseline 'hcg:S' has no scores here"),
        (("report", tmp_path / "missing"), 2, "is no folder"),
        (("report", tmp_path), 2, "no records of a benchmark"),
        (("report", folder, "--baseline", "qcg"), 2, "has no scores here"),
        (("report", folder, "--out", "/proc/aitia/x"), 1, "choose another --out"),
    ):
        ran = run(*arguments)
        assert (ran.status, ran.out, ran.err.count("\n")) == (status, "", 1)
        assert message in ran.err
