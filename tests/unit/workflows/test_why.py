"""Why a passage was chosen, or not: worked on the bundled embedder's stand-in over two documents."""

from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.testing.hash_embedder import HashEmbedder
from aitia.testing.tiny_index import write_tiny_index
from aitia.web.pages.why import reason
from aitia.workflows.index import open_index
from aitia.workflows.why import find_passages, order_passages

QUESTION = "Why do mites raise the mortality of bees?"


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setattr("aitia.workflows.index.open_embedder", lambda *_, **__: HashEmbedder())
    return open_index(write_tiny_index(tmp_path / "tiny"))


def test_the_order_is_that_of_the_evidence(index):
    order = order_passages(index, QUESTION, "plain:bm25")
    found = index.retrieve(QUESTION, retrieval="plain:bm25")
    assert [index.store.chunks([row])[0].id for row in order.passages.tolist()] == [
        each.chunk_id for each in found.evidence
    ]
    assert order.chosen == {0, 1}


def test_a_small_budget_leaves_the_second_out_and_says_so(index):
    order = order_passages(index, QUESTION, "plain:bm25", 5)
    mites, cold = order.standings([1, 0])
    assert (mites.chosen, mites.rank, mites.bm25_rank) == (True, 1, 1)
    assert (cold.chosen, cold.rank, cold.bm25_rank) == (False, 2, 2)
    assert (
        reason(order, mites)
        == "Chosen: its best part makes it number 1 of 2, within the 5 words of evidence."
    )
    assert reason(order, cold) == (
        "Not chosen: its best part makes it number 2 of 2, and the 5 words of evidence were full after number 1."
    )


def test_a_passage_without_a_word_of_the_question_is_not_in_the_order(index):
    order = order_passages(index, "What hides in winter?", "plain:bm25")
    [cold] = order.standings([0])
    assert (cold.rank, cold.bm25) == (None, 0.0)
    assert reason(order, cold).startswith("Not chosen: it shares no word")


def test_the_graph_says_its_part(index):
    order = order_passages(index, "level mite", "fused")
    assert [standing.graph is not None for standing in order.standings([0, 1])].count(True) >= 1


def test_passages_are_found_by_their_words(index):
    assert find_passages(index, "winter", 5) == [1]
    assert find_passages(index, "nothing of the kind", 5) == []


def test_what_cannot_be_asked_is_refused(index):
    with pytest.raises(UsageError, match="question is empty"):
        order_passages(index, " ")
    with pytest.raises(UsageError, match="retrieval 'no'"):
        order_passages(index, QUESTION, "no")
