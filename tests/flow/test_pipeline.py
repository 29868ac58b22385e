"""From documents to cited answers, command by command."""

from __future__ import annotations

import json

import pytest

QUESTION = "Why do honey-bee colonies die in winter?"


def test_the_index_is_whole(index, run):
    assert (run("check", "--index", index).out, run("check", "--index", index).status) == (
        "nothing found\n",
        0,
    )
    names = ["aitia.toml", "graph_spec.yaml", "index.db", "ledger.db", "outcomes.yaml"]
    assert sorted(path.name for path in index.iterdir()) == names


def test_stats(index, run):
    stats = run("show", "stats", "--index", index, "--json").json
    assert (stats["status"], stats["documents"], stats["skipped"]) == ("complete", 14, [])
    assert stats["chunks"] >= 40
    assert 5 <= stats["metrics"] <= 64
    assert stats["variables"] > stats["metrics"] * 0.5
    assert stats["edges"] >= 5
    assert stats["edges_with_verbatim_evidence"] >= 0.95 * stats["edges"]


def test_an_answer_rests_on_numbered_sources(index, run):
    ran = run("ask", QUESTION, "--index", index, "--json")
    answer = ran.json
    assert answer["sufficient"]
    assert answer["citations"]
    for citation in answer["citations"]:
        assert f"[{citation['number']}]" in answer["answer"]
        assert answer["retrieval"]["contexts"][citation["number"] - 1] == citation["text"]
    text = run("ask", QUESTION, "--index", index)
    assert text.out.startswith(answer["answer"])
    assert "Sources\n[1] " in text.out
    assert text.err.splitlines()[-1] == "\u2192 add --explain to see how this was found"
    assert run("ask", QUESTION, "--index", index, "--quiet").err == ""


def test_every_context_is_a_verbatim_span(index, run):
    found = run("retrieve", QUESTION, "--index", index, "--json").json
    export = run("export", "--index", index).json
    texts = {each["path"]: each["text"] for each in export["documents"]}
    places = {each["id"]: each for each in export["chunks"]}
    assert (
        len(found["contexts"]) == len(found["chunks"]) == len(found["documents"]) == len(found["scores"]) > 3
    )
    columns = (found[name] for name in ("contexts", "chunks", "chunk_ids", "spans"))
    for context, chunk, touched, (start, end) in zip(*columns, strict=True):
        assert chunk in touched
        first, last = places[touched[0]], places[touched[-1]]
        assert first["start"] <= start < first["end"]
        assert last["start"] < end <= last["end"]
        assert texts[first["document"]][start:end] == context


@pytest.mark.parametrize("words", [1, 50, 200])
def test_the_budget_is_kept(index, run, words):
    found = run("retrieve", QUESTION, "--index", index, "--budget-words", words, "--json").json
    assert sum(len(context.split()) for context in found["contexts"]) == words


def test_evidence_of_some_documents(index, run):
    found = run("retrieve", QUESTION, "--index", index, "--documents", "winter.jsonl#*", "--json").json
    assert found["documents"]
    assert set(found["documents"]) <= {"autumn-brood", "winter-bees", "stores", "moisture", "spring-dwindle",
                                       "reading-a-dead-hive"}  # fmt: skip


def test_explanations_name_gate_cones_and_passages(index, run):
    arguments = (
        "retrieve",
        QUESTION,
        "--index",
        index,
        "--budget-words",
        "300",
        "--set",
        "tau_min=0.2",
        "--explain",
    )
    trace = run(*arguments, "--json").json["trace"]
    assert trace["retrieval"] == "fused"
    assert trace["gate"]
    assert trace["matches"]
    assert len(trace["reach"]["share_by_hop"]) == 4
    assert trace["cones"]["kept"]
    out = run(*arguments).out
    for title in (
        "Metrics that passed the gate",
        "Variables matched",
        "Reach: ",
        "Outcome cones kept",
        "Why each passage",
    ):
        assert title in out
    assert trace["gate"][0]["metric"] in out
    plain = run(
        "ask", QUESTION, "--index", index, "--retrieval", "plain:bm25", "--budget-words", "100", "--explain"
    ).out
    assert "Why each passage" in plain
    assert "Metrics that passed" not in plain


def test_contexts_to_compare_with(index, run):
    nodes = run(
        "ask", QUESTION, "--index", index, "--context", "nodes_only", "--set", "tau_min=0.2", "--json"
    ).json
    assert all(" -> " in citation["text"] for citation in nodes["citations"])
    whole = run("ask", QUESTION, "--index", index, "--context", "in_context", "--json").json
    assert all(citation["place"].partition("#")[0].endswith((".md", ".txt", ".html", ".jsonl"))
               for citation in whole["citations"])  # fmt: skip


def test_a_question_that_nothing_speaks_of(index, run):
    ran = run("ask", "zyxwvut qqqq", "--index", index, "--json")
    assert (ran.status, ran.json["sufficient"], ran.json["citations"]) == (0, False, [])


def test_a_batch_is_a_line_a_question_and_equals_single_ones(index, run, tmp_path):
    questions = [
        {"id": "a", "question": QUESTION},
        {"id": "b", "question": "What does oxalic acid do to mites?"},
    ]
    (tmp_path / "q.json").write_text(json.dumps(questions))
    out = tmp_path / "r.jsonl"
    ran = run(
        "retrieve",
        "--questions",
        tmp_path / "q.json",
        "--out",
        out,
        "--index",
        index,
        "--budget-words",
        "100",
        "--json",
    )
    assert ran.json["questions"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q.json", "r.jsonl"]
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["a", "b"]
    assert list(lines[0]) == [
        "id",
        "contexts",
        "chunks",
        "documents",
        "scores",
        "matched",
        "graph_matched",
        "seconds",
    ]
    assert list(lines[0]["seconds"]) == ["embed", "retrieve"]
    for question, line in zip(questions, lines, strict=True):
        single = run(
            "retrieve", question["question"], "--index", index, "--budget-words", "100", "--json"
        ).json
        for name in ("contexts", "chunks", "documents", "matched", "graph_matched"):
            assert single[name] == line[name]


def test_every_retrieval_of_the_index(index, run):
    def retrieve(name, *options):
        return run("retrieve", QUESTION, "--index", index, "--retrieval", name, "--json", *options).json

    for name in ("fused", "plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid"):
        assert retrieve(name)["contexts"]
    linked = {item["chunk"] for item in run("show", "evidence", "--index", index, "--json").json}
    matched = retrieve("graph", "--set", "tau_min=0.2")
    assert matched["graph_matched"]
    assert set(matched["chunks"]) <= linked
    fallback = retrieve("graph", "--set", "tau_min=0.99")
    assert not fallback["graph_matched"]
    assert fallback["chunks"] == retrieve("plain:naive")["chunks"]


def test_the_demo_shows_all_of_it(own, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own.rename("aitia-demo")  # an index of its own, which it builds again
    ran = run("demo")
    assert ran.status == 0
    assert ran.out.count("\n? ") == 2
    assert ran.out.count("\nSources\n[") == 2
    for line in ran.out.splitlines():
        assert "\t" not in line
    commands = [
        line.partition("aitia ")[2].split()[0]
        for line in ran.out.partition("Where to go next")[2].splitlines()
        if "aitia " in line
    ]
    assert commands == ["show", "ask", "check", "build"]
    assert run("check", "--index", "aitia-demo").status == 0


def test_the_answers_of_the_demo_as_json(own, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own.rename("aitia-demo")
    demo = run("demo", "--json", "--quiet").json
    assert demo["index"] == "aitia-demo"
    assert [bool(answer["citations"]) for answer in demo["answers"]] == [True, True]


def test_an_index_without_a_graph_says_so(run, tmp_path):
    (tmp_path / "letter.txt").write_text("The cat sat on a mat in the sun.")
    index = tmp_path / "index"
    built = run("build", tmp_path / "letter.txt", "--index", index)
    assert "no causal graph: the text names no attribute or class often enough (1 document" in built.err
    assert run("check", "--index", index).out == "nothing found\n"
    for command in ("ask", "retrieve"):
        ran = run(command, "Why is the cat in the sun?", "--index", index, "--explain")
        assert ran.err == "the graph of this index is empty: this evidence is from its text alone\n"
        assert "The graph of this index is empty" in ran.out
