"""Evidence links phi: E -> 2^C (HCG-RAG stage 2): by words, by shared mention, by vector."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.corpus.fold import Folded, fold_text
from aitia.graph.causal import EdgeEvidence, FoundBy


class QuoteFinder:
    """Finds quotes in documents and maps them to the chunks they touch.

    A quote is looked for as it stands in its own chunk, then folded in its own chunk, then folded in the
    chunk's document. Documents are folded only when a quote needs it.
    """

    def __init__(self, documents: Sequence[Document], chunks: Sequence[Chunk], prefix: int) -> None:
        self._documents = {document.id: document for document in documents}
        self._chunks = chunks
        self._prefix = prefix
        self._rows: dict[str, list[int]] = {}
        for row, chunk in enumerate(chunks):
            self._rows.setdefault(chunk.document_id, []).append(row)
        self._starts = {key: [chunks[row].start for row in rows] for key, rows in self._rows.items()}
        self._longest = max((chunk.end - chunk.start for chunk in chunks), default=0)
        self._folded: dict[str, Folded] = {}

    def find(self, quote: str, chunk: int, found_by: FoundBy) -> list[EdgeEvidence]:
        """Evidence for every chunk that the quote's first characters touch; none if it is not verbatim.

        Its span is the whole quote if all of it stands there, otherwise those first characters.
        """
        quote = quote.strip()
        head = quote[: self._prefix].rstrip()
        found = self._locate(quote, head, self._chunks[chunk]) if head else None
        if found is None:
            return []
        start, head_end, end = found
        document = self._documents[self._chunks[chunk].document_id]
        text = document.text[start:end]
        return [
            EdgeEvidence(row, start, end, text, found_by)
            for row in self._touched(document.id, start, head_end)
        ]

    def _locate(self, quote: str, head: str, chunk: Chunk) -> tuple[int, int, int] | None:
        """Where the quote begins, where its head ends, and where as much of it as was found ends."""
        text = self._documents[chunk.document_id].text
        position = text.find(head, chunk.start, chunk.end + len(head) - 1)
        if position >= 0:
            whole = quote if text.startswith(quote, position) else head
            return position, position + len(head), position + len(whole)
        if chunk.document_id not in self._folded:
            self._folded[chunk.document_id] = fold_text(text)
        folded = self._folded[chunk.document_id]
        wanted = fold_text(head).text
        first, last = np.searchsorted(folded.origin, [chunk.start, chunk.end]).tolist()
        position = folded.text.find(wanted, first, last + len(wanted) - 1)
        if position < 0:
            position = folded.text.find(wanted)
        if position < 0:
            return None
        whole = fold_text(quote).text
        longest = whole if folded.text.startswith(whole, position) else wanted
        start, head_end, end = folded.origin[
            [position, position + len(wanted) - 1, position + len(longest) - 1]
        ]
        return int(start), int(head_end) + 1, int(end) + 1

    def _touched(self, document: str, start: int, end: int) -> list[int]:
        rows, starts = self._rows[document], self._starts[document]
        first = bisect_left(starts, start - self._longest)
        last = bisect_right(starts, end - 1)
        return [row for row in rows[first:last] if self._chunks[row].end > start]


def nearest_chunks(
    edges: NDArray[np.float32], chunks: NDArray[np.float32], tau: float, limit: int
) -> list[list[int]]:
    """For each edge vector the rows of at most ``limit`` chunks with cosine >= ``tau``, best first."""
    result: list[list[int]] = []
    for first in range(0, len(edges), 512):
        scores = edges[first : first + 512] @ chunks.T
        order = np.argsort(-scores, axis=1, kind="stable")[:, :limit]
        result += [
            [int(row) for row in best if scores[position, row] >= tau] for position, best in enumerate(order)
        ]
    return result


def merge_evidence(items: Sequence[EdgeEvidence]) -> tuple[EdgeEvidence, ...]:
    """One piece of evidence a place: of several on the same span the stronger kind stays.

    The stronger kinds come first, then the order of the text; the order given does not matter.
    """
    strength = {"quote": 0, "mention": 1, "chunk": 2, "cosine": 3}
    best: dict[tuple[int, int, int], EdgeEvidence] = {}
    for item in sorted(items, key=lambda each: (strength[each.found_by], each.chunk, each.start, each.end)):
        best.setdefault((item.chunk, item.start, item.end), item)
    return tuple(best.values())
