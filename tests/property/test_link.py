"""Evidence links against naive searches."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.corpus.fold import fold_text
from aitia.graph.calibrate import random_cosine
from aitia.graph.causal import EdgeEvidence
from aitia.graph.link import QuoteFinder, merge_evidence, nearest_chunks
from aitia.retrieval.dense import unit_rows

ALPHABET = "aAbB \n\t“\"”'’İiıßSsΣσςﬁ.\u00a0\u0301"
PLAIN_QUOTES = {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’‚`", "'")}


def naive_fold(text):
    """The folded text, and the offset that each of its characters came from."""
    folded, origin = "", []
    for offset, character in enumerate(text):
        piece = " " if character.isspace() else PLAIN_QUOTES.get(character, character).casefold()
        if piece == " " and folded.endswith(" "):
            continue
        folded += piece
        origin += [offset] * len(piece)
    return folded, origin


texts = st.text(st.sampled_from(ALPHABET), max_size=40)


@given(texts | st.text(st.characters(exclude_categories=["Cs"])))
@example("İ“ß”  Σ\n\n")
def test_folding_character_by_character(text):
    folded = fold_text(text)
    assert (folded.text, folded.origin.tolist()) == naive_fold(text)


@st.composite
def searches(draw):
    """A document, its chunks (in order, with gaps or overlaps), a quote like a part of it, and a prefix."""
    text = draw(st.text(st.sampled_from(ALPHABET), min_size=1, max_size=60))
    document = Document("a.md", "a", text)
    chunks, start = [], 0
    while start < len(text) and len(chunks) < 5:
        end = draw(st.integers(start + 1, len(text)))
        chunks.append(Chunk(document.id, "a.md", len(chunks), start, end, text[start:end]))
        start = draw(st.integers(start + 1, min(end + 2, len(text))))
    first = draw(st.integers(0, len(text) - 1))
    part = text[first : draw(st.integers(first + 1, len(text)))]
    quote = draw(
        st.sampled_from(
            [part, part.upper(), part.casefold(), re.sub(r"\s", "\n ", part), part.replace("“", '"')]
        )
        | texts
    )
    return document, chunks, quote, draw(st.integers(0, len(chunks) - 1)), draw(st.integers(1, 30))


@settings(max_examples=500, deadline=None)
@given(searches())
def test_a_quote_is_found_where_a_folded_search_finds_it(search):
    document, chunks, quote, own, prefix = search
    found = QuoteFinder([document], chunks, prefix).find(quote, own, "quote")
    head = quote.strip()[:prefix].rstrip()
    wanted, _ = naive_fold(head)
    folded, origin = naive_fold(document.text)
    places = [match for match in range(len(folded)) if wanted and folded.startswith(wanted, match)]
    if not places:
        assert found == []
        return
    inside = [place for place in places if chunks[own].start <= origin[place] < chunks[own].end]
    spans = [(origin[place], origin[place + len(wanted) - 1] + 1) for place in inside or places[:1]]
    exact = document.text.find(head, chunks[own].start)
    if not 0 <= exact < chunks[own].end:
        exact = None
    start, head_end = (exact, exact + len(head)) if exact is not None else spans[0]
    assert [item.chunk for item in found] == [
        row for row, chunk in enumerate(chunks) if chunk.start < head_end and chunk.end > start
    ]
    for item in found:
        assert (item.start, item.found_by) == (start, "quote")
        assert item.quote == document.text[item.start : item.end]
        whole, _ = naive_fold(quote.strip())
        assert item.end == head_end or naive_fold(item.quote)[0].startswith(whole)


@settings(max_examples=200, deadline=None)
@given(searches())
def test_a_verbatim_quote_in_its_chunk_is_found_there(search):
    document, chunks, _, own, prefix = search
    quote = chunks[own].text.strip()
    if not quote:
        return
    found = QuoteFinder([document], chunks, prefix).find(quote, own, "mention")
    assert own in [item.chunk for item in found]
    assert all(item.quote == quote for item in found)


# Merging


evidence = st.builds(
    EdgeEvidence,
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(3, 5),
    st.just(""),
    st.sampled_from(["quote", "mention", "chunk", "cosine"]),
)


@given(st.lists(evidence, max_size=8), st.randoms(use_true_random=False))
def test_merging_keeps_the_strongest_of_each_place_in_one_order(items, chance):
    strength = ["quote", "mention", "chunk", "cosine"]
    merged = merge_evidence(items)
    places = [(item.chunk, item.start, item.end) for item in merged]
    assert len(set(places)) == len(places)
    assert set(places) == {(item.chunk, item.start, item.end) for item in items}
    for item, place in zip(merged, places, strict=True):
        rivals = [each.found_by for each in items if (each.chunk, each.start, each.end) == place]
        assert item.found_by == min(rivals, key=strength.index)
    keys = [(strength.index(item.found_by), item.chunk, item.start, item.end) for item in merged]
    assert keys == sorted(keys)
    shuffled = items.copy()
    chance.shuffle(shuffled)
    assert merge_evidence(shuffled) == merged == merge_evidence(merged)


# Nearest chunks, and thresholds


@settings(deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 6),
    st.integers(0, 9),
    st.integers(0, 4),
    st.sampled_from([-1.0, 0.3, 0.9]),
)
def test_nearest_chunks(seed, edges, chunks, limit, tau):
    generator = np.random.default_rng(seed)
    left = generator.integers(-1, 2, (edges, 3)).astype(np.float32)
    right = generator.integers(-1, 2, (chunks, 3)).astype(np.float32)
    found = nearest_chunks(left, right, tau, limit)
    assert len(found) == edges
    for edge, rows in zip(left, found, strict=True):
        scores = [float(edge @ chunk) for chunk in right]
        near = [row for row in range(chunks) if scores[row] >= tau]
        assert rows == sorted(near, key=lambda row: (-scores[row], row))[:limit]


def test_more_edges_than_are_scored_at_once():
    generator = np.random.default_rng(0)
    left = unit_rows(generator.standard_normal((1_030, 4)).astype(np.float32))
    right = unit_rows(generator.standard_normal((7, 4)).astype(np.float32))
    one_by_one = [nearest_chunks(edge[None], right, 0.2, 2)[0] for edge in left]
    assert nearest_chunks(left, right, 0.2, 2) == one_by_one


@pytest.mark.parametrize("pairs", [10, 20_000, 50_001])
def test_random_cosine_is_a_percentile_of_the_pairs_that_the_seed_draws(pairs):
    generator = np.random.default_rng(1)
    left = unit_rows(generator.standard_normal((30, 8)).astype(np.float32))
    right = unit_rows(generator.standard_normal((50, 8)).astype(np.float32))
    draws = np.random.default_rng(7)
    rows, columns = draws.integers(0, 30, pairs), draws.integers(0, 50, pairs)
    cosines = sorted(float(left[row] @ right[column]) for row, column in zip(rows, columns, strict=True))
    found = random_cosine(left, right, 99.0, 7, pairs)
    assert found == random_cosine(left, right, 99.0, 7, pairs) == round(found, 4)
    assert found == pytest.approx(np.percentile(cosines, 99.0), abs=1e-4)
    assert found != random_cosine(left, right, 99.0, 8, pairs)


def test_nothing_is_near_where_there_is_nothing():
    rows, none = np.ones((2, 3), np.float32), np.zeros((0, 3), np.float32)
    assert random_cosine(none, rows, 99.0, 0) == random_cosine(rows, none, 99.0, 0) == 1.0
