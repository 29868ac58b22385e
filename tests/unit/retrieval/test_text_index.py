from __future__ import annotations

import numpy as np
import pytest

from aitia.retrieval.rankings import best_first, explain_chunks, hybrid, rank_text, score_text
from aitia.retrieval.text_index import from_arrays, index_text

WORDS = [f"w{number}" for number in range(75)]
TEXTS = [" ".join(WORDS), "Mites  kill\nbees."]
QUERY = np.array([1, 0.5, 0, 0.5], np.float32) / np.float32(1.5**0.5)


@pytest.fixture
def embedded():
    """The index, and what was embedded for it: the first axis for the first block, and so on."""
    asked = []

    def embed(texts):
        asked.append(list(texts))
        return np.eye(len(texts), dtype=np.float32)

    return index_text(TEXTS, embed), asked


def test_blocks_are_embedded_once_in_order_and_verbatim(embedded):
    _, asked = embedded
    assert asked == [
        [" ".join(WORDS[:30]), " ".join(WORDS[30:60]), " ".join(WORDS[60:]), "Mites  kill\nbees."]
    ]


def test_windows_and_chunks(embedded):
    index, _ = embedded
    assert index.chunk_words.tolist() == [75, 3]
    assert index.units.chunk.tolist() == [0, 0, 1]
    assert index.units.first.tolist() == [0, 30, 0]
    assert index.units.last.tolist() == [60, 75, 3]
    assert index.chunk_units.last.tolist() == [75, 3]


def test_vectors_are_means_weighted_by_words(embedded):
    index, _ = embedded
    half, thirds = 0.5**0.5, np.array([30, 15]) / 1125**0.5
    assert index.window_vectors[0].tolist() == pytest.approx([half, half, 0, 0])
    assert index.window_vectors[1].tolist() == pytest.approx([0, *thirds, 0])
    assert index.window_vectors[2].tolist() == pytest.approx([0, 0, 0, 1])
    assert index.chunk_vectors[0].tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3, 0])


def test_terms_of_windows_and_of_chunks(embedded):
    index, _ = embedded
    assert (index.window_terms.scores("w10") > 0).tolist() == [True, False, False]
    assert (index.window_terms.scores("w40") > 0).tolist() == [True, True, False]
    assert (index.chunk_terms.scores("kill w70") > 0).tolist() == [True, True]


def test_it_comes_back_from_its_arrays(embedded):
    index, _ = embedded
    arrays = index.arrays()
    again = from_arrays(arrays)
    assert arrays["block_vectors"].dtype == np.float32
    np.testing.assert_array_equal(again.window_vectors, index.window_vectors)
    assert again.chunk_terms.vocabulary == index.chunk_terms.vocabulary
    assert again.window_terms.scores("w40").tolist() == index.window_terms.scores("w40").tolist()


def test_an_index_without_terms_comes_back():
    index = index_text(["the of"], lambda texts: np.ones((len(texts), 1), np.float32))
    assert from_arrays(index.arrays()).chunk_terms.scores("bees").tolist() == [0]


@pytest.mark.parametrize(
    ("ranking", "order"),
    [
        ("naive", [0, 1]),
        ("bm25", [1]),
        ("rrf", [1, 0]),  # 1/62 + 1/61 before 1/61
        ("hybrid", [2, 0, 1]),
    ],
)
def test_rankings(embedded, ranking, order):
    index, _ = embedded
    scores = score_text(index, "kill", QUERY)
    units, by_unit = rank_text(index, scores, ranking)
    assert best_first(by_unit).tolist() == order
    assert len(units.chunk) == len(by_unit) == (3 if ranking == "hybrid" else 2)


def test_hybrid_by_hand(embedded):
    index, _ = embedded
    scores = score_text(index, "kill", QUERY)
    # Cosines: windows 0.866, 0.365, 0.408; chunks 0.816, 0.408. BM25: the last window and chunk alone.
    first, last = 1 / 21 + 1 / 21, 1 / 22 + 1 / 21 + 1 / 22 + 1 / 21
    assert hybrid(index, scores).tolist() == pytest.approx([first, 1 / 23 + 1 / 21, last])
    further = np.array([5.0, 0.0], np.float32)
    with_list = hybrid(index, scores, [further], [0.1])
    assert with_list.tolist() == pytest.approx([first + 0.1 / 21, 1 / 23 + 1.1 / 21, last])


def test_the_place_of_a_chunk_by_meaning_and_by_word(embedded):
    index, _ = embedded
    found = explain_chunks(score_text(index, "kill", QUERY), np.array([1, 0]))
    bm25 = round(float(index.chunk_terms.scores("kill")[1]), 4)
    assert found == [
        {"cosine": 0.4082, "cosine_rank": 2, "bm25": bm25, "bm25_rank": 1},
        {"cosine": 0.8165, "cosine_rank": 1, "bm25": 0.0, "bm25_rank": 2},
    ]
