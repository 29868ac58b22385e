"""QCG-RAG command by command: by rules, and by a model that is the stand-in behind a real server."""

from __future__ import annotations

import pytest

from aitia.testing.llm_server import LLMServer

QUESTION = "Why do honey-bee colonies die in winter?"


@pytest.fixture(scope="module")
def questions(bees, launch, tmp_path_factory):
    """The example's graph of questions, by rules; not to be changed."""
    folder = tmp_path_factory.mktemp("qcg") / "bees"
    ran = launch("build", bees, "--index", folder, "--method", "qcg", "--quiet")
    assert (ran.status, ran.err) == (0, "")
    return folder


def test_the_index_is_whole_and_says_what_it_holds(questions, run):
    assert run("check", "--index", questions).out == "nothing found\n"
    stats = run("show", "stats", "--index", questions, "--json").json
    nodes = stats["query_nodes"]
    assert (stats["method"], stats["build"]["keep"], stats["documents"]) == ("qcg", 0.8, 14)
    assert 100 < nodes["kept"] < nodes["distinct"] <= nodes["written"]
    assert nodes["kept"] == nodes["with_question"] + nodes["sentences"]
    rows = run("show", "questions", "drone", "--index", questions, "--json").json
    assert rows
    assert all("drone" in str(list(row.values())).lower() for row in rows)


@pytest.mark.parametrize("retrieval", ["fused", "graph"])
def test_answers_cite_and_explain(questions, run, retrieval):
    asked = ("ask", QUESTION, "--index", questions, "--retrieval", retrieval)
    answer = run(*asked, "--json").json
    assert answer["sufficient"]
    assert answer["citations"]
    explained = run(*asked, "--explain").out
    assert f"How this was found: retrieval {retrieval}" in explained
    assert "Nodes near the question" in explained
    assert "chunks reached: " in explained


def test_a_model_writes_the_questions(bees, run, monkeypatch, tmp_path):
    folder = tmp_path / "index"
    with LLMServer() as server:
        monkeypatch.setenv("AITIA_BASE_URL", server.base_url)
        monkeypatch.setenv("AITIA_MODEL", "stand-in")
        plan = run("plan", bees, "--method", "qcg", "--json").json
        built = run("build", bees, "--index", folder, "--method", "qcg", "--analyst", "llm", "--quiet")
        assert (built.status, built.err) == (0, "")
        stats = run("show", "stats", "--index", folder, "--json").json
        assert stats["llm_calls"]["questions"]["calls"] == stats["chunks"] == len(server.log)
        assert (plan["calls"], [stage["exact"] for stage in plan["stages"]]) == (stats["chunks"], [True])
        asked_tokens = stats["llm_calls"]["questions"]["prompt_tokens"]
        assert plan["prompt_tokens"] == pytest.approx(asked_tokens, rel=0.25)
        assert stats["query_nodes"]["sentences"] == 0
        assert run("check", "--index", folder).out == "nothing found\n"
        asked = len(server.log)
        again = run("build", bees, "--index", folder, "--method", "qcg", "--analyst", "llm", "--quiet")
        assert (again.status, len(server.log)) == (0, asked)
