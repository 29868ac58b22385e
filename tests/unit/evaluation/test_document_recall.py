from __future__ import annotations

import json

import pytest

from aitia.evaluation.datasets import Question
from aitia.evaluation.document_recall import main, score

QUESTIONS = (
    Question("s1", "", "", "Single", evidence_documents=("a",)),
    Question("s2", "", "", "Single", evidence_documents=("b",)),
    Question("m1", "", "", "Multi", evidence_documents=("a", "b")),
    Question("m2", "", "", "Multi", evidence_documents=("a", "c")),
    Question("n", "", "", "Null"),
    Question("absent", "", "", "Single", evidence_documents=("a",)),
)
RETRIEVED = {
    "s1": ["x", "a", "y"],
    "s2": ["x", "x", "x", "b"],  # one document thrice: b is the second
    "m1": ["b", "x", "a"],  # a is the third
    "m2": ["a", "c"],
    "n": ["x"],
}


def test_all_documents_must_be_among_the_first_k_distinct_ones():
    scores = score(QUESTIONS, RETRIEVED, k=2)
    assert scores.ids == ("s1", "s2", "m1", "m2")
    assert scores.types == ("Single", "Single", "Multi", "Multi")
    assert scores.all_found.tolist() == [1.0, 1.0, 0.0, 1.0]
    assert scores.missing == 1
    assert score(QUESTIONS, RETRIEVED, k=3).all_found.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert score(QUESTIONS, RETRIEVED, k=1).all_found.tolist() == [0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def files(tmp_path):
    questions = [
        {"id": q.id, "question": "?", "question_type": q.type, "evidence_documents": q.evidence_documents}
        for q in QUESTIONS
    ]
    lines = [
        {"id": id, "contexts": [], "documents": names, "graph_matched": id != "m2"}
        for id, names in RETRIEVED.items()
    ]
    (tmp_path / "q.json").write_text(json.dumps(questions), "utf-8")
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return ["--questions", str(tmp_path / "q.json"), "--retrieved", str(tmp_path / "r.jsonl")]


def test_the_report_is_by_type(files, capsys):
    assert main([*files, "--k", "2"]) == 0
    assert capsys.readouterr().out == (
        "Single                   n=    2 all@2=1.0000\n"
        "Multi                    n=    2 all@2=0.5000\n"
        "ALL                      n=    4 all@2=0.7500\n"
        "questions without documents: 1\n"
    )


def test_a_fallback_may_count_as_empty(files, capsys):
    assert main([*files, "--k", "2", "--fallback-empty"]) == 0
    assert "Multi                    n=    2 all@2=0.0000" in capsys.readouterr().out


def test_one_half_may_be_scored(files, capsys):
    # The SHA-1 of s1 begins with 6, of s2 with 4, of m1 with a, of m2 with 3, of absent with 1.
    assert main([*files, "--k", "1", "--half", "even"]) == 0
    assert "ALL                      n=    3 all@1=0.0000" in capsys.readouterr().out
    assert main([*files, "--k", "2", "--half", "odd"]) == 0
    assert capsys.readouterr().out == (
        "Multi                    n=    1 all@2=1.0000\n"
        "ALL                      n=    1 all@2=1.0000\n"
        "questions without documents: 1\n"
    )


def test_nothing_to_score_is_one_line(files, tmp_path, capsys):
    (tmp_path / "r.jsonl").write_text('{"id": "n", "contexts": []}', "utf-8")
    assert main(files) == 1
    assert capsys.readouterr().err == "no question that names its documents was found in --retrieved\n"
