from __future__ import annotations

from aitia.answering.answer import Answer, Citation
from aitia.cli.passages import write_answer, write_trace
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
