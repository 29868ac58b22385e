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
        {"d1": "bees", "d2": "cold"},
    )
    assert asked == [[3, 8, 3]]
    assert found == (
        Evidence("weaken\nbees.", CHUNKS[3].id, "bees", 'bees.pdf p. 12, "Mites"', 108, 120, 0.75),
        Evidence("Cold kills", CHUNKS[8].id, "cold", "cold.md", 0, 10, 0.25),
        Evidence("Often.", CHUNKS[3].id, "bees", 'bees.pdf p. 12, "Mites"', 121, 127, 0.5),
    )
    for item, context in zip(found, (3, 8, 3), strict=True):
        chunk = CHUNKS[context]
        assert chunk.text[item.start - chunk.start : item.end - chunk.start] == item.text


def test_no_contexts():
    assert read_evidence([], np.zeros(0, np.float32), lambda rows: [], {}) == ()
