from __future__ import annotations

import numpy as np
import pytest

from aitia.analyst.protocols import AnswerDraft, AnswerSentence, NumberedEvidence
from aitia.answering.answer import NO_EVIDENCE
from aitia.errors import EmbedderError, IndexFolderError, UsageError
from aitia.testing import HashEmbedder
from aitia.testing.tiny_index import COLD, MITES
from aitia.workflows import asking
from aitia.workflows import index as module
from aitia.workflows.index import MAX_QUESTION, Index, check_question, open_index


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    """The embedder of the tiny index, which no name opens."""
    monkeypatch.setattr(module, "open_embedder", lambda name, **options: HashEmbedder())


@pytest.fixture
def index(tiny):
    return open_index(tiny)


class Writer:
    """Cites every number it is given, and one more."""

    asked = 0

    def write_answer(self, question, evidence, language):
        self.asked += 1
        self.evidence = evidence
        numbers = tuple(item.number for item in evidence)
        return AnswerDraft((AnswerSentence(f"{question} ({language})", (*numbers, len(numbers) + 1)),))


# Retrieving


def test_evidence_is_verbatim_and_cites_its_document(index):
    found = index.retrieve("What do mites raise?")
    assert found.question == "What do mites raise?"
    assert found.matched
    assert found.evidence[0].document == "mites"
    texts = {"mites": MITES, index.names[index.store.documents()[0].id]: COLD}
    for item in found.evidence:
        assert texts[item.document][item.start : item.end] == item.text
    assert set(found.seconds) == {"embed", "retrieve"}
    assert found.trace == {}


def test_the_budget_is_kept_to_the_word(index):
    total = len(MITES.split()) + len(COLD.split())
    for budget in (1, 5, total - 1, total, total + 1):
        found = index.retrieve("mites and cold", budget_words=budget)
        assert sum(len(item.text.split()) for item in found.evidence) == min(budget, total)


@pytest.mark.parametrize(
    "retrieval", ["fused", "graph", "plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid"]
)
def test_every_retrieval_answers(index, retrieval):
    found = index.retrieve("mites mortality", retrieval=retrieval, explain=True)
    assert found.trace["retrieval"] == retrieval
    assert found.evidence


def test_several_questions_are_embedded_together_and_answered_alone(index):
    questions = ["mites mortality", " cold \n", "mites mortality"]
    found = index.retrieve_all(questions)
    assert [each.question for each in found] == ["mites mortality", "cold", "mites mortality"]
    assert [each.evidence for each in found] == [index.retrieve(each).evidence for each in questions]
    assert index.retrieve_all([]) == []


def test_only_the_documents_asked_for(index):
    for pattern in ("mites.md", "mit*", "m*"):
        found = index.retrieve("cold effect mites", documents=pattern)
        assert {item.document for item in found.evidence} == {"mites"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"retrieval": "dense"},
            "retrieval 'dense' is not one of this index (hcg); expected fused, graph, plain:naive",
        ),
        ({"budget_words": 0}, "budget of 0 words; expected at least 1"),
        ({"budget": 9}, "unknown option 'budget'; expected one of budget_words, documents, explain, "),
        ({"documents": "*.pdf"}, "no document fits '*.pdf'; expected a pattern such as"),
        ({"settings": {"hops": 1}}, "unknown setting 'hops' of hcg; expected one of "),
        ({"settings": {"metrics": 1}, "retrieval": "plain:bm25"}, "plain:bm25 has no settings"),
    ],
)
def test_options_that_cannot_be_used(index, options, message):
    with pytest.raises(UsageError) as caught:
        index.retrieve("mites", **options)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_what_nothing_speaks_of_is_not_matched(index):
    assert not index.retrieve("xylophone quartz").matched
    assert index.retrieve("winter").matched


def test_what_only_other_documents_speak_of_is_not_matched(index):
    assert index.retrieve("winter").matched
    assert index.retrieve("winter", documents="mites.md").matched
    assert not index.retrieve("winter", documents="cold*").matched


# Questions


@pytest.mark.parametrize(("question", "found"), [
    ("", "is empty"), (" \n", "is empty"), ("?!", "has no words"), ("…", "has no words"), ("🐝", "has no words"),
])  # fmt: skip
def test_a_question_without_words(question, found):
    with pytest.raises(UsageError, match=f"the question {found}; expected words"):
        check_question(question)


@pytest.mark.parametrize("question", [None, 7, b"Why?", ["Why?"]])
def test_a_question_that_is_no_text(index, question):
    with pytest.raises(UsageError, match=rf"^the question is of type {type(question).__name__}; expected"):
        index.retrieve(question)


def test_an_overlong_question():
    assert check_question("x" * MAX_QUESTION) == "x" * MAX_QUESTION
    with pytest.raises(UsageError, match=r"20,001 characters; expected at most 20,000"):
        check_question("x" * (MAX_QUESTION + 1))


# Answering


def test_answers_cite_evidence(index):
    writer = Writer()
    answer = index.ask("mites mortality", writer=writer, language="de")
    assert answer.text.startswith("mites mortality (de) [1]")
    assert [citation.evidence for citation in answer.citations] == list(answer.retrieval.evidence)
    assert answer.dropped == (len(answer.retrieval.evidence) + 1,)
    assert writer.evidence[0].text == answer.retrieval.evidence[0].text


def test_without_evidence_no_writer_is_asked(index):
    writer = Writer()
    answer = index.ask("xylophone quartz", writer=writer)
    assert (answer.text, answer.sufficient, writer.asked) == (NO_EVIDENCE, False, 0)


def test_a_walk_that_finds_no_chunk_is_no_evidence(index, monkeypatch):
    nothing = index.hcg.rank(module.Query("mites", HashEmbedder().embed(["mites"])[0]), "graph")
    monkeypatch.setattr(type(index.hcg), "rank", lambda *a: module.Ranked(
        np.zeros(0, np.int64), nothing.units, nothing.scores, nothing.text, True, dict
    ))  # fmt: skip
    writer = Writer()
    answer = index.ask("mites mortality", writer=writer, retrieval="graph")
    assert (answer.text, answer.sufficient, writer.asked) == (NO_EVIDENCE, False, 0)


def test_triples_in_the_place_of_evidence(index):
    writer = Writer()
    answer = index.ask("Level of mite", writer=writer, context="nodes_only", settings={"tau_min": 0.1})
    assert "Level(mite) -> Mortality(bee): raise the mortality" in [item.text for item in writer.evidence]
    assert not any("no effect" in item.text for item in writer.evidence)
    assert answer.citations[0].place == "graph"


def test_the_whole_corpus_in_the_place_of_evidence(index, monkeypatch):
    writer = Writer()
    index.ask("mites", writer=writer, context="in_context")
    paths = [document.path for document in index.store.documents()]
    assert writer.evidence == [NumberedEvidence(1, COLD, paths[0]), NumberedEvidence(2, MITES, paths[1])]
    monkeypatch.setattr(asking, "CONTEXT_TOKENS", 10)
    with pytest.raises(UsageError, match=r"the corpus has \d+ tokens and the context holds 10; use"):
        index.ask("mites", writer=writer, context="in_context")


def test_an_unknown_context(index):
    with pytest.raises(
        UsageError, match="unknown context 'all'; expected evidence, nodes_only or in_context"
    ):
        index.ask("mites", writer=Writer(), context="all")


# Opening


def test_what_an_index_answers_by(index, own):
    plain = ("plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid")
    assert index.retrievals == ("fused", "graph", *plain)
    edit(own, 'method = "hcg"', 'method = "plain:rrf"')
    assert Index(own, index.store).retrievals == ("plain:rrf", "plain:naive", "plain:bm25", "plain:hybrid")


def test_another_embedder_than_the_index_was_built_with(index, monkeypatch):
    monkeypatch.setattr(module, "open_embedder", lambda name, **options: HashEmbedder(32))
    with pytest.raises(EmbedderError) as caught:
        index.retrieve("mites")
    message = str(caught.value)
    assert HashEmbedder(64).hash in message and HashEmbedder(32).hash in message
    assert "build the index again" in message and "\n" not in message


def edit(folder, old, new):
    path = folder / "aitia.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_method_that_the_index_was_not_built_with(own):
    edit(own, 'method = "hcg"', 'method = "plain:bm25"')
    with pytest.raises(
        IndexFolderError, match="the method 'plain:bm25', but the index was built with hcg; put"
    ):
        open_index(own)


def test_an_edit_is_known(own):
    assert not open_index(own).is_edited
    edit(own, "question_chunk = 0.5", "question_chunk = 0.4")
    assert open_index(own).is_edited


def test_an_unknown_method(own):
    edit(own, 'method = "hcg"', 'method = "none"')
    with pytest.raises(IndexFolderError, match="names the method 'none', expected one of hcg, "):
        open_index(own)


def test_nothing_is_read_before_it_is_needed(own):
    index = open_index(own)
    (own / "index.db").unlink()
    assert index.method == "hcg"
    with pytest.raises(IndexFolderError, match="does not exist"):
        index.retrieve("mites")


def test_the_specification_and_the_graph_are_those_of_the_build(index):
    assert [variable.key for variable in index.graph.variables] == [each.key for each in index.spec.variables]
