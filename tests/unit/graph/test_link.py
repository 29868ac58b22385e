from __future__ import annotations

import numpy as np
import pytest

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.corpus.fold import fold_text
from aitia.graph.causal import EdgeEvidence
from aitia.graph.link import QuoteFinder, merge_evidence, nearest_chunks

TEXT = "Mites weaken bees.  In winter,\nmites “kill” bees. Straße und ΟΔΟΣ. Mites weaken bees."
#       0                   20         31                 50               67
DOCUMENT = Document("a.md", "a", TEXT)
OTHER = Document("b.md", "b", "Cold bees die.")


def chunk(document, ordinal, start, end):
    return Chunk(document.id, document.path, ordinal, start, end, document.text[start:end])


CHUNKS = [
    chunk(DOCUMENT, 0, 0, 30),
    chunk(OTHER, 0, 0, 14),
    chunk(DOCUMENT, 1, 31, 66),
    chunk(DOCUMENT, 2, 67, 85),
]


def find(quote, own, prefix=200):
    return QuoteFinder([DOCUMENT, OTHER], CHUNKS, prefix).find(quote, own, "quote")


@pytest.mark.parametrize(
    ("quote", "own", "span", "rows"),
    [
        ("Mites weaken bees.", 0, (0, 18), [0]),
        ("Mites weaken bees.", 3, (67, 85), [3]),  # the occurrence in its own chunk
        ("MITES  WEAKEN BEES.", 3, (67, 85), [3]),  # folded too
        ("Mites weaken bees.", 2, (0, 18), [0]),  # its chunk has none: the document's first
        ('in winter, Mites "kill" bees', 0, (20, 48), [0, 2]),  # across two chunks, folded
        ("In winter,\nmites “kill” bees", 0, (20, 48), [0, 2]),  # across two chunks, as it stands
        ("STRASSE UND οδός", 2, None, []),
        ("STRASSE UND οδος", 2, (50, 65), [2]),
        ("  weaken bees.\n", 0, (6, 18), [0]),
        ("Cold bees die.", 0, None, []),  # of another document
        ("bees fly", 0, None, []),
        ("", 0, None, []),
        (" \n", 0, None, []),
    ],
)
def test_where_a_quote_is_found(quote, own, span, rows):
    found = find(quote, own)
    assert [item.chunk for item in found] == rows
    assert {(item.start, item.end) for item in found} == ({span} if span else set())
    assert all(item.quote == TEXT[slice(*span)] for item in found)


def test_the_first_characters_decide_and_the_rest_is_kept_where_it_stands():
    (item,) = find("Mites weaken bees.", 0, prefix=12)
    assert item == EdgeEvidence(0, 0, 18, "Mites weaken bees.", "quote")
    (item,) = find("MITES WEAKEN BEES.", 0, prefix=12)
    assert item == EdgeEvidence(0, 0, 18, "Mites weaken bees.", "quote")
    (item,) = find("Mites weaken wasps.", 0, prefix=12)
    assert item == EdgeEvidence(0, 0, 12, "Mites weaken", "quote")


def test_only_the_first_characters_touch_chunks():
    found = find("In winter,\nmites “kill” bees", 0, prefix=10)
    assert [item.chunk for item in found] == [0]
    assert (found[0].start, found[0].end) == (20, 48)


def test_folding_remembers_where_characters_were():
    folded = fold_text("Aß \t“İ”")
    assert folded.text == 'ass "i̇"'
    assert folded.origin.tolist() == [0, 1, 1, 2, 4, 5, 5, 6]


def test_a_quote_is_stronger_than_a_mention_and_that_than_a_cosine():
    near, mention = EdgeEvidence(0, 0, 9, "", "cosine"), EdgeEvidence(0, 0, 9, "both ends", "mention")
    quote, later = EdgeEvidence(0, 0, 9, "both ends", "quote"), EdgeEvidence(0, 2, 9, "th ends", "quote")
    assert merge_evidence([near, mention]) == (mention,)
    assert merge_evidence([near, later, mention, quote]) == (quote, later)
    elsewhere = EdgeEvidence(1, 0, 9, "", "cosine")
    assert merge_evidence([elsewhere, later, near]) == (later, near, elsewhere)
    assert merge_evidence([]) == ()


def test_nearest_chunks_best_first_at_or_above_the_threshold():
    chunks = np.array([[0.5, 0], [0.75, 0], [0.75, 0], [0.25, 0]], np.float32)
    edges = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    assert nearest_chunks(edges, chunks, 0.5, 9) == [[1, 2, 0], [], []]
    assert nearest_chunks(edges, chunks, 0.5, 2) == [[1, 2], [], []]
    assert nearest_chunks(edges, chunks, 0.0, 1) == [[1], [0], []]
    assert nearest_chunks(edges, chunks, 0.0, 0) == [[], [], []]
    assert nearest_chunks(edges[:0], chunks, 0.0, 2) == []
