"""Evidence links phi: E -> 2^C (HCG-RAG stage 2): by words, by shared mention, by vector."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.graph.causal import EdgeEvidence, FoundBy

_FOLDS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"}
)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Folded:
    """A text in lower case with single spaces and plain quotation marks, and where each character was."""

    text: str
    origin: NDArray[np.int64]


def fold_text(text: str) -> Folded:
    """Fold white space, case and quotation marks, keeping the offset of every folded character."""
    pieces: list[str] = []
    origin: list[int] = []
    for match in re.finditer(r"\s+|\S", text):
        piece = " " if match.group().isspace() else match.group().translate(_FOLDS).lower()
        pieces.append(piece)
        origin += [match.start()] * len(piece)
    return Folded("".join(pieces), np.array(origin, np.int64))


class QuoteFinder:
    """Finds quotes in documents and maps them to the chunks they touch.

    A quote is looked for as it stands, in its own chunk and then in the chunk's document, and then
    folded. Documents are folded only when a quote needs it.
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
        """Evidence for every chunk that the quote's first characters touch; none if it is not verbatim."""
        head = quote[: self._prefix]
        span = self._locate(head, self._chunks[chunk])
        if span is None:
            return []
        start, end = span[0], span[1]
        document = self._documents[self._chunks[chunk].document_id]
        if len(quote) > len(head) and document.text.startswith(quote, start):
            end = start + len(quote)
        text = document.text[start:end]
        return [
            EdgeEvidence(row, start, end, text, found_by)
            for row in self._touched(document.id, start, span[1])
        ]

    def _locate(self, head: str, chunk: Chunk) -> tuple[int, int] | None:
        if not head.strip():
            return None
        position = chunk.text.find(head)
        if position >= 0:
            return chunk.start + position, chunk.start + position + len(head)
        document = self._documents[chunk.document_id]
        position = document.text.find(head)
        if position >= 0:
            return position, position + len(head)
        folded = self._folded.setdefault(document.id, fold_text(document.text))
        wanted = _SPACE.sub(" ", head.translate(_FOLDS).lower()).strip()
        position = folded.text.find(wanted)
        if position < 0:
            return None
        return int(folded.origin[position]), int(folded.origin[position + len(wanted) - 1]) + 1

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
    """One piece of evidence a place: of several on the same span the stronger kind stays."""
    strength = {"quote": 0, "mention": 1, "cosine": 2}
    best: dict[tuple[int, int, int], EdgeEvidence] = {}
    for item in sorted(items, key=lambda each: (strength[each.found_by], each.chunk, each.start)):
        best.setdefault((item.chunk, item.start, item.end), item)
    return tuple(sorted(best.values(), key=lambda each: (strength[each.found_by], each.chunk, each.start)))
