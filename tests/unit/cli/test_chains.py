from __future__ import annotations

from aitia.answering.answer import Answer, Citation
from aitia.cli.passages import write_answer, write_trace
from aitia.retrieval.result import Evidence, Retrieval

TEXT = "Frost breaks pipes."


def evidence(number):
    return Evidence(TEXT, f"c{number}", (f"c{number}",), "d", f"d{number}.md", 0, len(TEXT), 0.5)


def path(number, kinds=("causal",), confidence=0.9):
    nodes = ["frost", "pipe", "leak"][: len(kinds) + 1]
    return {
        "name": f"P{number}",
        "path": nodes,
        "edge_types": list(kinds),
        "relations": ["break", 'causes ("result from")'][: len(kinds)],
        "evidence_documents": ["d1", "d2"],
        "confidence": confidence,
        "reason": "It points along it.",
    }


PATHS = [path(1, ("causal", "causal"), 0.614), *(path(number) for number in range(2, 7))]
TRACE = {
    "causal_paths": PATHS,
    "spurious": [path(7, ("structural", "causal, against")) | {"reason": "It points back."}],
    "chains_of": {"c1": ["P1", "P5"]},
    "chains_note": "",
}
SEARCH = {
    "retrieval": "fused",
    "text": {},
    "seeds": [{"entity": "frost", "kind": "cold", "similarity": 0.5}],
    "search": {"nodes": 3, "entities": 3, "passages": 2, "stopped": "nodes", "widened": False},
    "warnings": [],
    "gates": [],
    "entity_chunks": {"c2": {"rank": 4, "score": 1.0, "entity": "pipe"}},
}


def answered(trace):
    retrieval = Retrieval("Why?", [evidence(1), evidence(2)], True, True, trace, {})
    return Answer("Why?", f"{TEXT} [1]", (Citation(1, evidence(1)),), True, retrieval)


def test_under_an_answer_stand_the_first_chains_and_those_that_a_source_names(capsys):
    write_answer(answered(TRACE))
    out = capsys.readouterr().out
    assert "[1] d1.md  (P1, P5)" in out
    shown = [line for line in out.splitlines() if line[:1] == "P"]
    assert [line.split()[0] for line in shown] == ["P1", "P2", "P3", "P5"]
    assert shown[0] == 'P1  frost -[break]-> pipe -[causes ("result from")]-> leak'
    assert "confidence 0.614; d1, d2" in out
    assert out.splitlines()[-1] == "... and 2 more; --explain has all"


def test_an_explanation_tells_all_chains_once_and_why_others_are_none(capsys):
    answer = answered({**TRACE, **SEARCH})
    write_answer(answer, explained=True)
    write_trace(answer.retrieval, False, [1])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line[:1] == "P"] == [f"P{number}" for number in range(1, 8)]
    assert 'P7\tfrost -[break]- pipe <-[causes ("result from")]- leak\tIt points back.' in lines
    assert lines[-2].split("\t")[-2:] == ["graph", "entity"]
    assert lines[-1].split("\t")[:2] == ["[1]", "d1.md"]  # the other passage is not cited
    assert lines[-1].split("\t")[-2:] == ["-", "-"]


def test_a_passage_has_its_place_in_the_search_and_the_entity_that_brought_it(capsys):
    write_trace(answered({**TRACE, **SEARCH}).retrieval, False)
    assert capsys.readouterr().out.splitlines()[-1].split("\t")[-2:] == ["4", "pipe"]


def test_without_a_seed_there_is_no_empty_table(capsys):
    write_trace(answered({**TRACE, **SEARCH, "seeds": []}).retrieval, False)
    out = capsys.readouterr().out
    assert "No seed: nothing of the graph is like the question" in out
    assert "Seeds of every level" not in out
