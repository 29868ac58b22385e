"""What a build would ask, by the command line; nobody is asked."""

from __future__ import annotations

import json

import pytest

TEXT = "Mites raise the mortality of bees. Cold weakens the colony. " * 40
STAGES = [
    "dimensions",
    "consolidate_dimensions",
    "metrics",
    "consolidate_metrics",
    "outcomes",
    "claims",
    "metric_edges",
    "node_edges",
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "bees.txt"
    path.write_text(TEXT)
    return path


def test_calls_of_stage_1_are_exact_and_the_rest_is_expected(run, corpus):
    plan = json.loads(run("plan", corpus, "--model", "m", "--json").out)
    assert [stage["stage"] for stage in plan["stages"]] == STAGES
    assert [stage["exact"] for stage in plan["stages"]] == [True] * 6 + [False] * 2
    assert [stage["calls"] for stage in plan["stages"][:6]] == [1] * 6
    assert (plan["model"], plan["reading_windows"], plan["kept"], plan["cost"]) == ("m", 1, 0, None)
    assert plan["calls"] <= plan["at_most"] == sum(stage["at_most"] for stage in plan["stages"])


def test_a_plan_that_looks_for_no_kept_reply_needs_no_model(run, corpus):
    plan, named = (json.loads(run("plan", corpus, "--json", *model).out) for model in ((), ("--model", "m")))
    assert (plan.pop("model"), named.pop("model")) == ("any", "m")
    assert plan == named


def test_prices_give_a_cost(run, corpus):
    prices = ("--llm", "price_in=2", "--llm", "price_out=10")
    plan = json.loads(run("plan", corpus, "--model", "m", "--json", *prices).out)
    assert plan["cost"] == pytest.approx((plan["prompt_tokens"] * 2 + plan["reply_tokens"] * 10) / 1e6)


def test_given_outcomes_are_not_asked_for(run, corpus, tmp_path):
    (tmp_path / "outcomes.yaml").write_text("terminal: [Mortality]\noutcome: []\n")
    plan = json.loads(
        run("plan", corpus, "--model", "m", "--json", "--outcomes", tmp_path / "outcomes.yaml").out
    )
    assert {stage["stage"]: stage["calls"] for stage in plan["stages"]}["outcomes"] == 0


def test_a_table_and_its_sum(run, corpus):
    ran = run("plan", corpus, "--model", "m")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[1].split("\t")[:5] == ["dimensions", "0", "1", "exact", "3"]
    assert "calls expected" in lines[-1]
    assert "price_in" in ran.err


def test_a_plan_leaves_nothing_behind(run, corpus, tmp_path):
    run("plan", corpus, "--model", "m", "--index", tmp_path / "none")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bees.txt"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--index", "index"), "needs a model"),
        (("--model", "m", "--analyst", "rules"), "no plan for "),
        (("--model", "m", "--method", "plain:bm25"), "no plan for "),
        (("--model", "m", "--llm", "colour=3"), "unknown setting --llm colour"),
        (("--model", "m", "--llm", "context_tokens=3"), "--llm context_tokens: found 3"),
        (("--model", "m", "--tier", "XXL"), "unknown tier"),
    ],
)
def test_what_cannot_be_planned(run, corpus, options, words):
    ran = run("plan", corpus, *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--llm", "model=other"), "unknown setting --llm model"),
        (("--llm", "price_in=inf"), "--llm price_in: found inf"),
        (("--jobs", "0"), "--jobs: found 0"),
        (("--ledger", "nowhere.db"), "nowhere.db is no ledger"),
    ],
)
def test_what_cannot_be_planned_with_a_model(run, corpus, options, words):
    ran = run("plan", corpus, "--model", "m", *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
