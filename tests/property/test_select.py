"""Windows, pooling and the choice of contexts against loops over words."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aitia.corpus.windows import BLOCK_WORDS, STRIDE_WORDS, WINDOW_WORDS, block_spans, window_spans, words_of
from aitia.retrieval.select import Units, select_contexts
from aitia.retrieval.text_index import from_arrays, index_text

# Windows and blocks


@given(st.integers(0, 2_000))
@example(0)
@example(WINDOW_WORDS)
@example(WINDOW_WORDS + 1)
def test_windows_cover_all_words_and_none_lies_in_another(count):
    windows = window_spans(count)
    assert {word for first, last in windows for word in range(first, last)} == set(range(count))
    assert all(first == row * STRIDE_WORDS for row, (first, _) in enumerate(windows))
    assert all(last - first == WINDOW_WORDS for first, last in windows[:-1])
    assert all(0 < last - first <= WINDOW_WORDS for first, last in windows)
    assert all(before[1] < after[1] for before, after in itertools.pairwise(windows))
    assert not windows or windows[-1][1] == count


@given(st.integers(0, 2_000))
def test_blocks_tile_the_words_and_windows_are_made_of_whole_blocks(count):
    blocks = block_spans(count)
    assert [word for first, last in blocks for word in range(first, last)] == list(range(count))
    assert all(last - first == BLOCK_WORDS for first, last in blocks[:-1])
    edges = {0, count, *(last for _, last in blocks)}
    assert all(first in edges and last in edges for first, last in window_spans(count))


@given(
    st.text(st.sampled_from("ab \n\t.é蜂") | st.characters(exclude_categories=["Cs"]), max_size=60), st.data()
)
def test_words_are_cut_verbatim(text, data):
    words = words_of(text)
    if not len(words):
        assert not text.strip()
        return
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    start, end = words.span(first, last)
    assert words.cut(first, last) == text[start:end]
    assert text[start:end] == text[start:end].strip()
    assert len(words_of(text[start:end])) == last - first
    assert words.cut(0, len(words)) == text.strip()


# Pooling


def one_hot(texts):
    return np.eye(len(texts), dtype=np.float32)


@settings(deadline=None)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=5))
@example([0])
@example([5, 0])
@example([0, 5])
@example([31, 0, 0, 61])
def test_a_vector_is_the_mean_of_the_blocks_weighted_by_their_words_inside(counts):
    texts = [" ".join(f"w{row}" for _ in range(count)) for row, count in enumerate(counts)]
    index = index_text(texts, one_hot)
    blocks = [(row, *span) for row, count in enumerate(counts) for span in block_spans(count)]
    windows = [(row, *span) for row, count in enumerate(counts) for span in window_spans(count)]
    chunks = [(row, 0, count) for row, count in enumerate(counts)]
    assert index.chunk_words.tolist() == counts
    for units, vectors in ((windows, index.window_vectors), (chunks, index.chunk_vectors)):
        assert vectors.shape == (len(units), len(blocks))
        for (chunk, first, last), vector in zip(units, vectors, strict=True):
            inside = [
                max(0, min(last, end) - max(first, start)) if chunk == owner else 0
                for owner, start, end in blocks
            ]
            assert sum(inside) == last - first
            norm = np.linalg.norm(inside) or 1
            assert vector.tolist() == pytest.approx([words / norm for words in inside], abs=1e-6)


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["bee", "mite", "the", "蜂"]), max_size=70).map(" ".join),
        min_size=1,
        max_size=4,
    )
)
def test_an_index_of_text_survives_its_arrays(texts):
    index = index_text(texts, one_hot)
    again = from_arrays(index.arrays())
    for name, array in index.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array, strict=True)
    for query in ("bee", "mite mite", "the", "unseen"):
        np.testing.assert_array_equal(again.chunk_terms.scores(query), index.chunk_terms.scores(query))
        np.testing.assert_array_equal(again.window_terms.scores(query), index.window_terms.scores(query))
    np.testing.assert_array_equal(again.window_vectors, index.window_vectors)


# Contexts


@st.composite
def rankings(draw):
    """Units of a few chunks, in any order and with repeats, and a budget."""
    count = draw(st.integers(1, 14))
    rows = []
    for _ in range(count):
        chunk, first = draw(st.integers(0, 2)), draw(st.integers(0, 20))
        rows.append((chunk, first, first + draw(st.integers(1, 8))))
    table = np.array(rows, np.int64)
    order = draw(st.lists(st.integers(0, count - 1), max_size=20))
    return Units(*table.T), order, draw(st.integers(0, 80))


def naive_words(units, order, budget):
    """The words (chunk, word) that are shown: unit by unit, those not shown yet, while the budget lasts."""
    shown = {}
    for unit in order:
        chunk = int(units.chunk[unit])
        for word in range(int(units.first[unit]), int(units.last[unit])):
            if len(shown) < budget:
                shown.setdefault((chunk, word), unit)
    return shown


@settings(max_examples=400)
@given(rankings())
def test_contexts_show_the_words_of_the_best_units_to_the_word(case):
    units, order, budget = case
    contexts = select_contexts(order, units, budget)
    words = [(each.chunk, word) for each in contexts for word in range(each.first, each.last)]
    assert len(words) == len(set(words)) <= budget
    assert set(words) == set(naive_words(units, order, budget))


@settings(max_examples=400)
@given(rankings())
def test_contexts_that_touch_are_one_and_stand_where_their_best_unit_does(case):
    units, order, budget = case
    contexts = select_contexts(order, units, budget)
    shown = naive_words(units, order, budget)
    used = list(dict.fromkeys(shown.values()))
    for each in contexts:
        assert (each.chunk, each.first - 1) not in shown
        assert (each.chunk, each.last) not in shown
        inside = {shown[each.chunk, word] for word in range(each.first, each.last)}
        assert each.unit == min(inside, key=used.index)
    places = [used.index(each.unit) for each in contexts]
    assert places == sorted(places)
