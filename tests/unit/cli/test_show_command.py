from __future__ import annotations

import json
import re

import pytest

from aitia.testing.tiny_index import CONTROL

ESCAPED = CONTROL.replace("\x1b", "\\x1b").replace("\x07", "\\x07")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.mark.parametrize(
    "what", ["stats", "spec", "documents", "metrics", "variables", "edges", "evidence", "rejected", "cost"]
)
def test_nothing_shown_steers_a_terminal(run, tiny, what):
    for form in ((), ("--json",)):
        ran = run("show", what, "--index", tiny, *form)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out
        assert not UNSAFE.search(ran.out)


def test_stats_as_json(run, tiny):
    stats = json.loads(run("show", "stats", "--index", tiny, "--json").out)
    assert (stats["status"], stats["warnings"]) == ("complete", [])
    assert stats["skipped"] == [{"path": "photo.png", "reason": "unsupported suffix .png"}]
    counts = {"documents": 2, "chunks": 2, "dimensions": 1, "metrics": 2, "variables": 3, "templates": 1,
              "relations": 1, "edges": 3, "edges_with_verbatim_evidence": 2, "edges_without_evidence": 0,
              "non_effects": 1}  # fmt: skip
    assert {name: stats[name] for name in counts} == counts
    assert stats["polarity"] == {"none": 0.3333, "positive": 0.3333, "unclear": 0.3333}
    assert stats["evidence"] == {"cosine": 1, "mention": 1, "quote": 2}
    assert stats["rejected"] == {"unknown_metric": 1}
    assert stats["thresholds"] == {"question_chunk": 0.5, "tau_e": 0.9, "tau_min": 0.4}
    assert stats["effort"]["bound"] == 8


def test_the_specification_is_the_file(run, tiny):
    assert run("show", "spec", "--index", tiny).out == (tiny / "graph_spec.yaml").read_text("utf-8")
    spec = json.loads(run("show", "spec", "--index", tiny, "--json").out)
    assert [metric["name"] for metric in spec["metrics"]] == ["Level", "Mortality"]


def test_tables_are_tab_separated_in_a_pipe(run, tiny):
    lines = run("show", "edges", "--index", tiny).out.splitlines()
    assert [line.split("\t") for line in lines] == [
        ["source", "target", "polarity", "confidence", "evidence", "mechanism"],
        ["Level(mite)", "Mortality(bee)", "positive", "0.85", "2", "raise the mortality"],
        ["Level(cold)", "Level(mite)", "none", "0.6", "1", f"no effect{ESCAPED}"],
        ["Level(cold)", "Mortality(bee)", "unclear", "0.5", "1", "-weakens"],
    ]


def test_documents_have_the_names_that_a_pattern_fits(run, tiny):
    assert run("show", "documents", "MITES", "--index", tiny).out == (
        "path\tname\tchunks\nmites.md\tmites\t1\n"
    )


def test_rows_are_chosen_by_text_and_limit(run, tiny):
    assert [
        row["variable"] for row in json.loads(run("show", "variables", "COLD", "--index", tiny, "--json").out)
    ] == ["Level(cold)"]
    ran = run("show", "edges", "level", "--limit", "2", "--index", tiny)
    assert len(ran.out.splitlines()) == 3
    assert ran.err == "2 of 3 edges; --limit 0 shows all\n"
    ran = run("show", "edges", "giraffe", "--index", tiny)
    assert (ran.out, ran.err) == ("", "no edges with 'giraffe'\n")


def test_tables_on_a_terminal(run, tiny, monkeypatch):
    monkeypatch.setattr("aitia.cli.output.on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "250")
    out = run("show", "evidence", "--index", tiny).out
    assert "Level(mite)" in out
    assert f"cold{ESCAPED}.md" in out
    assert "\t" not in out
    assert not UNSAFE.search(out)
    assert "variables                     3\n" in run("show", "stats", "--index", tiny).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["stats", "text"],
            "show stats takes no text and no --limit; they belong to documents, metrics, variables, edges, evidence, "
            "questions, rejected, entities, links, modules, gates, merges\n",
        ),
        (["questions"], "was built with hcg, which has no questions; qcg, plain:d2q, plain:d2q_minus have"),
        (["spec", "--limit", "3"], "show spec takes no text and no --limit"),
        (["edges", "--limit", "-1"], "limit of -1 rows; expected 0 for all, or more"),
    ],
)
def test_what_does_not_fit(run, tiny, arguments, message):
    ran = run("show", *arguments, "--index", tiny)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_cost(run, tiny):
    cost = json.loads(run("show", "cost", "--index", tiny, "--json").out)
    assert (cost["llm_calls"], cost["reading_windows"], cost["embeddings_kept"]) == (0, 1, 0)
    assert cost["index_bytes"] == (tiny / "index.db").stat().st_size
