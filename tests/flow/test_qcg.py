"""QCG-RAG command by command: by rules, and by a model that is the stand-in behind a real server."""

from __future__ import annotations

import shutil

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


@pytest.mark.parametrize(("part", "shown"), [("edges", "show questions"), ("metrics", "show questions")])
def test_what_it_has_not_is_told_with_what_it_has(questions, run, part, shown):
    ran = run("show", part, "--index", questions)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert shown in ran.err
    lines = run("show", "stats", "--index", questions).out.splitlines()
    assert not any(line.startswith(("edges", "dimensions", "metrics", "polarity")) for line in lines)
    assert any(line.startswith("query_nodes.edges\t") for line in lines)


def test_hops_are_explained_by_number(questions, run):
    asked = ("retrieve", QUESTION, "--index", questions, "--retrieval", "graph", "--explain")
    trace = run(*asked, "--json").json["trace"]
    text = run(*asked).out
    node = trace["reached"][0]
    row = [str(node["node"]), str(node["hop"]), str(node["from"]), f"{node['cosine']:.3g}", node["place"]]
    assert "\t".join(row) in text
    best = trace["queries"][0]
    assert f"{best['node']} ({best['cosine']:.3f}, near)" in text
    none = run(*asked, "--set", "gamma=2")
    assert (
        none.err
        == "no node of the graph is close enough to the question: this evidence is from its text alone\n"
    )
    assert "Nodes near the question" not in none.out


def test_edited_settings_are_told_once_or_refused(questions, run, tmp_path):
    own = shutil.copytree(questions, tmp_path / "own")
    text = (own / "aitia.toml").read_text("utf-8")
    asked = ("retrieve", QUESTION, "--index", own)
    (own / "aitia.toml").write_text(text.replace("keep = 0.8", "keep = 0.9"), "utf-8")
    ran = run(*asked)
    assert (ran.status, ran.err) == (
        0,
        f"aitia.toml was edited since the build; see: aitia check --index {own}\n",
    )
    assert run(*asked, "--quiet").err == ""
    for old, new in (
        ('method = "qcg"', 'method = "plain:bm25"'),
        ("question_chunk = ", "question_chunk = nan #"),
    ):
        assert old in text
        (own / "aitia.toml").write_text(text.replace(old, new), "utf-8")
        ran = run(*asked)
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert str(own / "aitia.toml") in ran.err


def test_numbers_that_are_none_are_refused(questions, run):
    for value in ("inf", "nan", "1e308"):
        ran = run("retrieve", QUESTION, "--index", questions, "--set", f"node_weight={value}")
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith("aitia: setting node_weight: found ")
    ran = run("retrieve", QUESTION, "--index", questions, "--set", "hops")
    assert ran.err.endswith("for example: --set graph_weight=0.5\n")
