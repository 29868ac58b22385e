from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aitia.errors import CorpusError
from aitia.evaluation.datasets import (
    CORPORA,
    Question,
    corpus_path,
    load_questions,
    read_corpus_text,
)
from aitia.evaluation.evidence_recall import main, prepare, report, score

CORPUS = "Sunlight damages skin cells. Smoking harms the lungs of young people."

SKIN = Question("q1", "", "", "Fact", ("Sunlight damages skin cells.",))
# Stems: smokin harms lungs young adults; the corpus holds four of the five.
LUNGS = Question(
    "q2", "", "", "Why", ("Smoking harms lungs; young adults", "Smoking harms the young adults' lungs")
)
# One stem of five is in the corpus; and a sentence of two stems.
UNKNOWN = Question("q3", "", "", "Why", ("Glaciers melt quickly near sunlight.", "Cells divide."))


def test_the_share_of_stems_in_a_window_is_the_recall():
    prepared = prepare([SKIN], CORPUS)
    scores = score(prepared, {"q1": ["The skin of fish", "sunlight damages wood"]})
    assert (scores.ids, scores.types) == (("q1",), ("Fact",))
    assert scores.recall.tolist() == [0.5]  # two of four stems, in the second context
    assert scores.hit.tolist() == [0.0]
    assert scores.words.tolist() == [7]


def test_what_the_corpus_cannot_give_is_not_asked():
    # "Smoking harms lungs" has 3 of 3 stems in the corpus, "young adults" is too short, and the last
    # sentence 4 of 5: retrieved in full, both are hits.
    prepared = prepare([LUNGS], CORPUS)
    scores = score(prepared, {"q2": ["Smoking harms the lungs of young people."]})
    assert (scores.recall.tolist(), scores.hit.tolist()) == ([1.0], [1.0])
    # Two of three, and two of the four that can be had.
    scores = score(prepared, {"q2": ["Smoking harms"]})
    np.testing.assert_allclose(scores.recall, [(2 / 3 + 2 / 4) / 2], atol=1e-7)
    assert scores.hit.tolist() == [0.0]


def test_evidence_that_the_corpus_does_not_hold_is_left_out():
    scores = score(prepare([UNKNOWN, SKIN], CORPUS), {"q3": [CORPUS], "q1": [CORPUS]})
    assert scores.ids == ("q1",)
    assert scores.missing == 0


def test_contexts_are_cut_to_the_budget():
    prepared = prepare([SKIN], CORPUS)
    contexts = {"q1": ["one two three", "sunlight damages skin cells"]}
    cut = [score(prepared, contexts, budget) for budget in (3, 4, 5, 6, 7, 100)]
    assert [scores.recall[0] for scores in cut] == [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]
    assert [scores.words[0] for scores in cut] == [3, 4, 5, 6, 7, 7]


def test_no_context_scores_zero_and_no_line_is_missing():
    scores = score(prepare([SKIN, LUNGS], CORPUS), {"q1": []})
    assert (scores.ids, scores.recall.tolist(), scores.hit.tolist()) == (("q1",), [0.0], [0.0])
    assert (scores.words.tolist(), scores.missing) == ([0], 1)


def test_some_of_the_prepared_questions_may_be_scored():
    prepared = prepare([SKIN, LUNGS], CORPUS)
    retrieved = {"q1": [CORPUS], "q2": [CORPUS]}
    assert score(prepared, retrieved, questions=[LUNGS]).ids == ("q2",)
    assert score(prepared, {"q1": [CORPUS]}, questions=[LUNGS]).missing == 1


def test_nothing_to_report_is_an_error():
    with pytest.raises(CorpusError, match="no question of the set was found in --retrieved"):
        report(score(prepare([SKIN], CORPUS), {}))


@pytest.fixture
def files(tmp_path):
    questions = [
        {"id": q.id, "question": "?", "question_type": q.type, "evidence": q.evidence}
        for q in (LUNGS, SKIN, UNKNOWN)
    ]
    lines = [
        {"id": "q1", "contexts": ["sunlight damages"]},
        {"id": "q2", "contexts": [CORPUS], "graph_matched": False},
    ]
    (tmp_path / "q.json").write_text(json.dumps(questions), "utf-8")
    (tmp_path / "c.txt").write_text(CORPUS, "utf-8")
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    names = {"--questions": "q.json", "--corpus": "c.txt", "--retrieved": "r.jsonl"}
    return [word for option, name in names.items() for word in (option, str(tmp_path / name))]


def test_the_report_is_by_type(files, capsys):
    assert main(files) == 0
    assert capsys.readouterr().out == (
        "Why                      n=    1 recall=1.0000 hit=1.0000\n"
        "Fact                     n=    1 recall=0.5000 hit=0.0000\n"
        "ALL                      n=    2 recall=0.7500 hit=0.5000\n"
        "words per question: mean 6; questions without contexts: 0\n"
    )


def test_a_fallback_may_count_as_empty(files, capsys):
    assert main([*files, "--fallback-empty"]) == 0
    assert "Why                      n=    1 recall=0.0000 hit=0.0000" in capsys.readouterr().out


def test_one_half_may_be_scored(files, capsys):
    # The SHA-1 of q1 begins with e, of q2 with f.
    assert main([*files, "--half", "even"]) == 0
    assert "ALL                      n=    1 recall=0.5000 hit=0.0000" in capsys.readouterr().out
    assert main([*files, "--half", "odd"]) == 0
    assert "ALL                      n=    1 recall=1.0000 hit=1.0000" in capsys.readouterr().out


def test_a_missing_file_is_one_line(files, tmp_path, capsys):
    (tmp_path / "c.txt").unlink()
    assert main(files) == 1
    assert capsys.readouterr().err.count("\n") == 1


DATA = Path(os.environ.get("AITIA_DATA", "unset/data"))
TOOL = DATA.parent / "tools" / "evidence_recall.py"


def some_contexts(question, words, draw):
    """Passages of many lengths from anywhere, half of the time with a part of the evidence among them."""
    contexts = []
    for _ in range(draw.choice((0, 3, 10))):
        start = draw.randrange(len(words))
        contexts.append(" ".join(words[start : start + draw.choice((5, 47, 60, 61, 150, 300))]))
    evidence = " ".join(question.evidence)
    if draw.random() < 0.5:
        contexts.insert(len(contexts) // 2, evidence[: draw.randrange(1, len(evidence) + 1)])
    return contexts + [""] * (draw.random() < 0.1)


@pytest.mark.data
@pytest.mark.skipif(not TOOL.is_file(), reason="$AITIA_DATA/../tools/evidence_recall.py does not exist")
@pytest.mark.parametrize("dataset", ["medical", "novel", "holisqa"])
def test_the_output_is_the_published_tools(dataset, tmp_path, capsys):
    draw = random.Random(1)
    words = read_corpus_text(corpus_path(DATA, dataset)).split()
    lines = [
        {"id": question.id, "contexts": some_contexts(question, words, draw)}
        for question in load_questions(DATA, dataset)
        if draw.random() < 0.9
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    corpus = DATA / CORPORA[dataset]
    options = ["--questions", str(corpus.parent / "questions.json"), "--corpus", str(corpus)]
    options += ["--retrieved", str(tmp_path / "r.jsonl"), "--budget", "500"]
    tool = subprocess.run([sys.executable, TOOL, *options], capture_output=True, text=True, check=True)
    assert main(options) == 0
    assert capsys.readouterr().out == tool.stdout
