"""What every splitter promises, over arbitrary text."""

from __future__ import annotations

import itertools

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.corpus.clusters import find_clusters
from aitia.corpus.document import Document, Section
from aitia.corpus.sentences import sentence_spans
from aitia.corpus.split import CHARACTERS_PER_UNIT, open_splitter
from aitia.corpus.words import LONGEST_WORD, word_starts

SPECS = ["passage:1", "passage:3", "passage", "words:3/1", "words:5/0", "tokens:4/2", "tokens:512/64"]

AWKWARD = [
    *" \t\n\r\0\x01\x1c\x85\xa0\u200b\u200d\ufe0f\u0301\u0308\u0903\u093f\u094d\u0e33\u2028\ufeff",
    *".!?;:()[]{}'\"”’-–_…。！؟۔।",
    *"aBcé1٣中の한각각क\u0600🎉👩👨\U0001f3fd🇩🇪\U000e0067\U000e007f\ud83d\ude00",
]
WORDS = [
    "the",
    "Dr.",
    "e.g.",
    "\r\n",
    "\n\n",
    "# ",
    "- ",
    "A: ",
    "👨‍👩‍👧",
    "e\u0301",
    " \u0301",
    "x" * 130,
    "3.5",
]
text_of_anything = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(AWKWARD + WORDS), max_size=120).map("".join),
    st.lists(st.sampled_from([*WORDS, "word", "stage", "II."]), max_size=200).map(" ".join),
)


@st.composite
def documents(draw):
    text = draw(text_of_anything)
    starts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    headings = st.sampled_from([(), ("A",), ("A", "B"), ("C",)])
    pages = st.sampled_from([None, 1, 2])
    sections = tuple(Section(start, draw(headings), draw(pages)) for start in starts)
    return Document("d.txt", "d", text, sections)


def cluster_bounds(text):
    return {0, *(match.end() for match in regex.finditer(r"\X", text))}


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents())
@settings(max_examples=40, deadline=None)
def test_chunks_are_verbatim_ordered_uncut_and_deterministic(spec, document):
    chunks = open_splitter(spec)(document)
    bounds = cluster_bounds(document.text)
    for ordinal, chunk in enumerate(chunks):
        assert chunk.text == document.text[chunk.start : chunk.end] != ""
        assert (chunk.document_id, chunk.path, chunk.ordinal) == (document.id, "d.txt", ordinal)
        assert {chunk.start, chunk.end} <= bounds
        section = document.section_at(chunk.start)
        assert (chunk.heading_path, chunk.page) == (section.heading_path, section.page)
    assert all(a.start < b.start and a.end < b.end for a, b in itertools.pairwise(chunks))
    assert chunks == open_splitter(spec)(document)


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents())
@settings(max_examples=40, deadline=None)
def test_chunks_cover_all_that_is_not_white_space(spec, document):
    covered = [0] * len(document.text)
    for chunk in open_splitter(spec)(document):
        for position in range(chunk.start, chunk.end):
            covered[position] += 1
    solid = [
        count for count, character in zip(covered, document.text, strict=True) if not character.isspace()
    ]
    assert all(solid)
    if spec.startswith("passage") or spec == "words:5/0":
        assert max(covered, default=1) <= 1


@pytest.mark.parametrize("size", [1, 3, 160])
@given(document=documents())
@settings(max_examples=40, deadline=None)
def test_a_passage_is_bounded_and_stays_under_its_heading(size, document):
    for chunk in open_splitter(f"passage:{size}")(document):
        words = word_starts(find_clusters(chunk.text).hide_spaces(chunk.text))
        assert len(words) <= size + 1  # cutting may make two words of one
        assert len(chunk.text) <= max(size * CHARACTERS_PER_UNIT, LONGEST_WORD + 300)
        crossed = [s for s in document.sections if chunk.start < s.start < chunk.end]
        headings = {document.section_at(s.start).heading_path for s in crossed} - {chunk.heading_path}
        solid_before = [s for s in crossed if document.text[chunk.start : s.start].strip()]
        assert not headings or not solid_before or not cluster_aligned(document.text, crossed)


def cluster_aligned(text, sections):
    bounds = cluster_bounds(text)
    return all(section.start in bounds for section in sections)


@given(text=text_of_anything)
@settings(max_examples=150, deadline=None)
def test_sentences_are_a_partition_of_what_is_not_white_space(text):
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    inside = {position for a, b in spans for position in range(a, b)}
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)
    assert all(character.isspace() for position, character in enumerate(text) if position not in inside)


@given(text=text_of_anything)
@settings(max_examples=150, deadline=None)
def test_clusters_are_those_of_unicode(text):
    clusters = find_clusters(text)
    spans = [match.span() for match in regex.finditer(r"\X", text)]
    expected = [span for span in spans if span[1] - span[0] > 1 and text[slice(*span)] != "\r\n"]
    assert list(zip(clusters.starts.tolist(), clusters.ends.tolist(), strict=True)) == expected
    assert len(clusters.hide_spaces(text)) == len(text)
