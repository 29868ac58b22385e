from __future__ import annotations

from math import log2

import pytest

from aitia.evaluation.bench.scoring import Scorer
from aitia.evaluation.datasets import Question
from aitia.evaluation.records import AnswerRecord
from aitia.evaluation.systems import parse_system

CORPUS = "Mites weaken colonies in winter. Cold kills weak colonies quickly."
QUESTIONS = (
    Question("docs", "Why?", "Mites.", evidence_documents=("a", "b")),
    Question("text", "Why?", "mites", evidence=("Mites weaken colonies in winter.",)),
    Question("null", "Why?", "Insufficient information", "Null", answerable=False),
    Question("bare", "Why?", ""),
)
QCG, FUSED, PEER = map(parse_system, ("qcg", "qcg+fused", "peer:x"))


@pytest.fixture
def scorer(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS)
    return Scorer(QUESTIONS, path, 5)


def score(scorer, system, id, **values):
    given = next(each for each in QUESTIONS if each.id == id)
    answer = AnswerRecord(id, system.name, 0, given.type, given.text, given.answer, **values)
    (record,) = scorer.score(system, [answer])
    assert (record.id, record.system, record.run, record.judge) == (id, system.name, 0, "")
    return dict(record.scores)


def test_documents(scorer):
    found = score(scorer, FUSED, "docs", documents=("x", "a", "a", "y", "z", "w", "b"), contexts=("c",) * 7)
    assert found == pytest.approx(
        {
            "documents_recall": 1.0,
            "hits@5": 1.0,
            "hits@10": 1.0,
            "all@5": 0.0,  # x a y z w: b stands sixth
            "all@10": 1.0,
            "map@10": (1 / 2 + 2 / 6) / 2,
            "mrr@10": 1 / 2,
            "ndcg@10": (1 / log2(3) + 1 / log2(7)) / (1 + 1 / log2(3)),
        }
    )


def test_evidence_is_cut_to_the_words_of_the_system(scorer):
    contexts = ("Cold kills weak colonies quickly.", "Mites weaken colonies in winter.")
    assert score(scorer, FUSED, "text", contexts=contexts)["evidence_hit"] == 0
    wider = parse_system("qcg+fused@10")
    assert score(scorer, wider, "text", contexts=contexts) == {"evidence_recall": 1.0, "evidence_hit": 1.0}


def test_a_fallback_is_not_what_the_graph_found(scorer):
    given = {"contexts": ("Mites weaken colonies in winter.",), "documents": ("a",), "graph_matched": False}
    assert score(scorer, QCG, "text", **given) == {"evidence_recall": 0.0, "evidence_hit": 0.0}
    assert score(scorer, FUSED, "text", **given)["evidence_hit"] == 1
    assert set(score(scorer, QCG, "docs", **given).values()) == {0.0}


def test_words(scorer):
    found = score(scorer, FUSED, "text", reply="The mites!", contexts=())
    assert (found["exact_match"], found["contains_match"], found["rouge_l"]) == (1, 1, pytest.approx(2 / 3))
    assert score(scorer, FUSED, "bare", reply="Mites.") == {}


def test_a_question_without_an_answer_has_abstention_alone(scorer):
    assert score(scorer, FUSED, "null", reply="None.", abstained=True) == {"abstained_right": 1.0}
    assert score(scorer, FUSED, "null", reply="Mites.") == {"abstained_right": 0.0}
    assert score(scorer, FUSED, "null") == {}


def test_what_a_peer_does_not_tell_is_not_0(scorer):
    silent = score(scorer, PEER, "docs", reply="Mites.")
    assert {name for name, value in silent.items() if value is None} == {
        *("documents_recall", "hits@5", "hits@10", "all@5", "all@10", "map@10", "mrr@10", "ndcg@10")
    }
    assert score(scorer, PEER, "text")["evidence_recall"] is None
    assert score(scorer, PEER, "text", contexts=("Cold.",))["evidence_hit"] == 0
    assert score(scorer, PEER, "docs", contexts=("c",), documents=("a",))["hits@5"] == 1


def test_an_ablation_of_the_context_has_no_score_of_retrieval(scorer):
    assert score(scorer, parse_system("hcg+nodes_only"), "text") == {}
    assert set(score(scorer, parse_system("hcg+in_context"), "docs", reply="x")) == {
        *("rouge_l", "exact_match", "contains_match")
    }


def test_facts_of_multihop_rag(tmp_path):
    (tmp_path / "corpus.txt").write_text(CORPUS)
    question = Question("hop", "Why?", "Mites.", evidence=("Mites weaken colonies", "Cold kills"))
    scorer = Scorer((question,), tmp_path / "corpus.txt", 100, "multihop-rag")
    contexts = ("Nothing.", "Mites  weaken\ncolonies in winter.", "x", "x", "Cold kills weak colonies.")
    answer = AnswerRecord("hop", FUSED.name, 0, "inference_query", "Why?", "Mites.", contexts=contexts)
    (record,) = scorer.score(FUSED, [answer])
    assert {
        name: value for name, value in record.scores.items() if name.startswith("facts_")
    } == pytest.approx(
        {
            "facts_recall@10": 1.0,
            "facts_hits@4": 1.0,
            "facts_hits@10": 1.0,
            "facts_map@10": (1 / 2 + 1 / 5) / 2,
            "facts_mrr@10": 1 / 2,
        }
    )


def test_a_metric_is_of_the_types_that_it_is_published_of(tmp_path):
    (tmp_path / "corpus.txt").write_text(CORPUS)
    kinds = ("Fact Retrieval", "Creative Generation")
    questions = [Question(kind, "Why?", "Mites.", kind) for kind in kinds]
    scorer = Scorer(questions, tmp_path / "corpus.txt", 100, "novel:Novel-1")
    answers = [AnswerRecord(kind, FUSED.name, 0, kind, "Why?", "Mites.", reply="Mites.") for kind in kinds]
    found = {record.id: set(record.scores) for record in scorer.score(FUSED, answers)}
    assert found["Fact Retrieval"] - found["Creative Generation"] == {"rouge_l"}
