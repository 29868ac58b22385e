"""Who is asked with which key, and that the pages on evaluation say what the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from aitia.cli import bench
from aitia.cli.bench import _chosen
from aitia.cli.group import aitia
from aitia.evaluation.bench.results import Result
from aitia.evaluation.statistics.question_scores import Measure
from aitia.evaluation.systems import parse_system, parse_systems

PAGES = Path(__file__).parents[3] / "docs" / "evaluation"
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def calls():
    lines = [
        line.partition("  #")[0]
        for page in sorted(PAGES.glob("*.md"))
        for block in SHELL.findall(page.read_text("utf-8"))
        for line in block.replace("\\\n", " ").splitlines()
    ]
    return [shlex.split(line)[1:] for line in lines if line.startswith("aitia ")]


def parsed(arguments):
    """What click makes of a call, without running it."""
    group = aitia.make_context("aitia", arguments[:1])
    command = aitia.get_command(group, arguments[0])
    assert command, f"there is no command {arguments[0]}"
    return command.make_context(arguments[0], arguments[1:], parent=group).params


@pytest.mark.parametrize("arguments", calls(), ids=lambda call: shlex.join(call)[:60])
def test_a_call_of_the_pages_is_understood(arguments):
    values = parsed(list(arguments))
    if arguments[0] == "bench":
        assert parse_systems(values["methods"])


def test_every_name_in_the_table_of_systems_is_one():
    page = (PAGES / "bench.md").read_text("utf-8")
    cells = re.findall(r"^\| ((?:`[a-z]+[^`|]*`(?:, )?)+) \|", page.partition("## Which")[0], re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert len(names) > 15
    assert [parse_system(name).name for name in names] == names


@pytest.fixture
def chosen(monkeypatch):
    """What the evaluation is given for a call; keys: one for all, one for the judge."""
    for name in ("AITIA_MODEL", "OPENAI_MODEL", "AITIA_BASE_URL", "OPENAI_BASE_URL", "AITIA_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AITIA_API_KEY", "main")

    def chosen(*arguments):
        values = parsed(["bench", "medical", "--methods", "qcg", "--out", "x", *arguments])
        return _chosen(values)

    return chosen


def test_who_writes_and_who_judges(chosen):
    given = chosen("--analyst", "llm", "--model", "m", "--base-url", "http://a/v1", "--llm", "price_in=1")
    assert given["builder"] == {
        "analyst": "llm",
        "model": "m",
        "base_url": "http://a/v1",
        "api_key": "main",
        "llm": {"price_in": 1},
    }
    assert (given["writer"], given["judge"]) == (None, None)
    given = chosen("--model", "m", "--writer-model", "w", "--judge-model", "j", "--judge-llm", "attempts=2")
    assert given["builder"]["analyst"] == "rules"
    assert given["writer"] == {"analyst": "llm", "model": "w", "api_key": "main"}
    assert given["judge"] == {"analyst": "llm", "model": "j", "api_key": "main", "llm": {"attempts": 2}}
    assert chosen("--model", "m", "--writer", "llm")["writer"]["model"] == "m"
    assert chosen("--judged", "coverage, accuracy")["judged"] == ["coverage", "accuracy"]


def test_a_key_goes_to_its_own_endpoint_only(chosen, monkeypatch):
    elsewhere = ("--judge-model", "j", "--judge-base-url", "http://b/v1")
    given = chosen("--writer-model", "w", "--writer-base-url", "http://c/v1", *elsewhere)
    assert given["judge"] == {"analyst": "llm", "model": "j", "base_url": "http://b/v1", "llm": {}}
    assert "api_key" not in given["writer"]
    monkeypatch.setenv("AITIA_JUDGE_API_KEY", "own")
    assert chosen(*elsewhere)["judge"]["api_key"] == "own"


def test_measures_that_are_shown_are_written():
    from aitia.evaluation.bench.scoring import ANSWER_METRICS, DOCUMENT_METRICS, EVIDENCE_METRICS

    known = {*EVIDENCE_METRICS, *DOCUMENT_METRICS, *ANSWER_METRICS, "abstained_right"}
    assert set(bench.SHOWN) <= known
    page = (PAGES / "bench.md").read_text("utf-8")
    assert all(name in page or name.partition("@")[0] + "@k" in page for name in known)


def test_judges_stand_in_the_order_in_which_they_were_asked():
    judges = ("zeta", "alpha")
    measures = [Measure("coverage", judge) for judge in ("alpha", "zeta")] + [Measure("rouge_l")]
    scores = dict.fromkeys(measures, 0.5)
    row = Result("hcg:S", 1, 0, None, 12.5, None, None, scores, dict.fromkeys(measures, 1))
    head = list(bench._table([row], judges)[0])
    assert head[-3:] == ["rouge_l", "coverage (zeta)", "coverage (alpha)"]
    assert "median query ms" in head
