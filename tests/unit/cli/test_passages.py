from __future__ import annotations

import pytest

from aitia.answering.answer import Answer, Citation
from aitia.cli.passages import text_only, write_answer, write_trace
from aitia.retrieval.result import Evidence, Retrieval

TEXT = "Bees dance. Mites kill bees."
EVIDENCE = Evidence(TEXT, "c1", ("c1",), "mites", "mites.md", 0, len(TEXT), 0.5)
WALKED = {"retrieval": "fused", "gate": [], "reach": {}, "cones": {}, "text": {}}


def test_a_source_shows_the_sentence_that_cites_it(capsys):
    retrieval = Retrieval("Why?", [EVIDENCE], True, True, {}, {})
    citations = (Citation(1, EVIDENCE, "Mites kill bees."), Citation(2, EVIDENCE))
    write_answer(Answer("Why?", "Mites kill bees. [1]", citations, True, retrieval))
    assert capsys.readouterr().out.splitlines()[2:] == [
        "Sources",
        "[1] mites.md",
        "    \u201cMites kill bees.\u201d",
        "[2] mites.md",
        f"    \u201c{TEXT}\u201d",
    ]


def test_an_explanation_tells_an_empty_graph_from_one_that_does_not_match(capsys):
    retrieval = Retrieval("Why?", [EVIDENCE], True, False, WALKED, {})
    write_trace(retrieval, True)
    assert "The graph of this index is empty; the text" in capsys.readouterr().out
    write_trace(retrieval, False)
    assert "No variable of the graph is close enough to the question" in capsys.readouterr().out


SEED = {
    "node": 7,
    "hop": 0,
    "from": None,
    "cosine": 0.9,
    "place": "a.md",
    "chunk": "c1",
    "question": "",
    "answer": "Bees dance.",
}
HOPPED = {
    **SEED,
    "node": 2,
    "hop": 1,
    "from": 7,
    "cosine": 0.5,
    "question": "What kills?",
    "answer": "Mites kill bees.",
}
NODES = {
    "retrieval": "graph",
    "queries": [SEED],
    "reached": [HOPPED],
    "hops": [1, 1],
    "query_chunks": {"c1": {"score": 0.9, "nodes": 5, "queries": [SEED, HOPPED]}},
    "text": {},
}  # fmt: skip


def test_nodes_are_named_with_the_way_to_them(capsys):
    write_trace(Retrieval("Why?", [EVIDENCE], True, True, NODES, {}), False)
    lines = capsys.readouterr().out.splitlines()
    assert "7\t0.9\ta.md\t\tBees dance." in lines
    assert "2\t1\t7\t0.5\ta.md\tWhat kills?\tMites kill bees." in lines
    assert "Nodes that hops added: 1 after 1; chunks reached: 1" in lines
    assert lines[-3].endswith("its place in the graph")
    assert lines[-1].split("\t")[-2:] == ["0.9", "7 (0.900, near); 2 (0.500, hop 1 from 7); 3 more"]


def test_many_nodes_are_counted(capsys):
    write_trace(Retrieval("Why?", [EVIDENCE], True, True, {**NODES, "reached": [HOPPED] * 43}, {}), False)
    assert "... and 3 more; --json has all" in capsys.readouterr().out


def test_no_node_no_table(capsys):
    none = {**NODES, "queries": [], "reached": [], "hops": [], "query_chunks": {}}
    write_trace(Retrieval("Why?", [EVIDENCE], True, False, none, {}), False)
    out = capsys.readouterr().out
    assert "No node is close enough to the question; the text ranking stands alone." in out
    assert "Nodes near" not in out
    assert out.splitlines()[-1].split("\t")[-2:] == ["-", "-"]


def test_a_plain_retrieval_has_no_place_in_a_graph(capsys):
    write_trace(Retrieval("Why?", [EVIDENCE], True, True, {"retrieval": "plain:bm25", "text": {}}, {}), False)
    assert "graph" not in capsys.readouterr().out


@pytest.mark.parametrize(("method", "empty", "said"), [
    ("hcg", False, "no variable of the graph matches the question"),
    ("qcg", False, "no node of the graph is close enough to the question"),
    ("qcg", True, "the graph of this index is empty"),
])  # fmt: skip
def test_why_the_text_alone(method, empty, said):
    assert text_only(method, empty) == f"{said}: this evidence is from its text alone"
