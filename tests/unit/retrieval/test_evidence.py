from __future__ import annotations

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.retrieval.evidence import read_evidence
from aitia.retrieval.result import Evidence
from aitia.retrieval.select import Context

CHUNKS = {
    3: Chunk("d1", "bees.pdf", 0, 100, 127, " Mites  weaken\nbees. Often.", ("Bees", "Mites"), 12),
    8: Chunk("d2", "cold.md", 2, 0, 10, "Cold kills"),
}


TEXT = "Mites weaken bees. Weak bees die early.\n\nLosses follow."
FIRST = Chunk("d", "a.md", 0, 0, 18, TEXT[:18], ("A",))
SECOND = Chunk("d", "a.md", 1, 19, 39, TEXT[19:39], ("A",))
THIRD = Chunk("d", "a.md", 2, 41, 55, TEXT[41:], ("B",))


def unread(document):
    raise AssertionError("one chunk holds it all")


def joined(*contexts):
    rows = [FIRST, SECOND, THIRD]
    return read_evidence(
        list(contexts),
        np.array([0.1, 0.9, 0.5], np.float32),
        lambda wanted: [rows[row] for row in wanted],
        lambda document: TEXT,
        {"d": "a"},
    )


def test_what_goes_on_in_the_next_chunk_is_one_context():
    (item,) = joined(Context(1, 0, 2, 1), Context(0, 1, 3, 0))
    assert item.text == "weaken bees. Weak bees"
    assert (item.chunk_id, item.chunk_ids) == (SECOND.id, (FIRST.id, SECOND.id))
    assert (item.start, item.end, item.score) == (6, 28, np.float32(0.9))


def test_a_gap_or_another_heading_keeps_contexts_apart():
    assert [item.text for item in joined(Context(1, 1, 4, 1), Context(0, 0, 3, 0))] == [
        "bees die early.",
        "Mites weaken bees.",
    ]
    assert len(joined(Context(1, 0, 4, 1), Context(2, 0, 2, 2))) == 2


def test_contexts_become_spans_of_their_documents():
    asked = []

    def read(rows):
        asked.append(list(rows))
        return [CHUNKS[row] for row in rows]

    scores = np.array([0.25, 0.5, 0.75], np.float32)
    found = read_evidence(
        [Context(3, 1, 3, 2), Context(8, 0, 2, 0), Context(3, 3, 4, 1)],
        scores,
        read,
        unread,
        {"d1": "bees", "d2": "cold"},
    )
    assert asked == [[3, 8, 3]]
    assert found == (
        Evidence(
            "weaken\nbees.", CHUNKS[3].id, (CHUNKS[3].id,), "bees", 'bees.pdf p. 12, "Mites"', 108, 120, 0.75
        ),
        Evidence("Cold kills", CHUNKS[8].id, (CHUNKS[8].id,), "cold", "cold.md", 0, 10, 0.25),
        Evidence("Often.", CHUNKS[3].id, (CHUNKS[3].id,), "bees", 'bees.pdf p. 12, "Mites"', 121, 127, 0.5),
    )
    for item, context in zip(found, (3, 8, 3), strict=True):
        chunk = CHUNKS[context]
        assert chunk.text[item.start - chunk.start : item.end - chunk.start] == item.text


def test_no_contexts():
    assert read_evidence([], np.zeros(0, np.float32), lambda rows: [], unread, {}) == ()
