"""From selected contexts to evidence a person can cite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from aitia.corpus.chunk import Chunk
from aitia.corpus.windows import words_of
from aitia.retrieval.fuse import Scores
from aitia.retrieval.result import Evidence
from aitia.retrieval.select import Context

ChunkReader = Callable[[Sequence[int]], list[Chunk]]
TextReader = Callable[[str], str]
"""Told a document id, gives the document's text."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A context in its chunk, with offsets into the document and its place in the ranking."""

    place: int
    chunk: Chunk
    start: int
    end: int
    score: float


def read_evidence(
    contexts: Sequence[Context],
    scores: Scores,
    read_chunks: ChunkReader,
    read_text: TextReader,
    names: Mapping[str, str],
) -> tuple[Evidence, ...]:
    """The text of each context, verbatim, with where it stands; one that goes on in the next is joined to it.

    ``scores`` are by unit, ``names`` by document id. Two contexts are one when the first ends with its
    chunk, the second begins the chunk behind it, and both stand under one heading: the border between
    two chunks is the splitter's, not the author's. What is joined stands where its best part stood.
    """
    pieces = []
    for place, (context, chunk) in enumerate(
        zip(contexts, read_chunks([context.chunk for context in contexts]), strict=True)
    ):
        start, end = words_of(chunk.text).span(context.first, context.last)
        pieces.append(
            _Piece(place, chunk, chunk.start + start, chunk.start + end, float(scores[context.unit]))
        )
    runs: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda each: (each.chunk.document_id, each.start, each.place)):
        if runs and _goes_on(runs[-1][-1], piece):
            runs[-1].append(piece)
        else:
            runs.append([piece])
    runs.sort(key=lambda run: min(piece.place for piece in run))
    text_of = cache(read_text)  # a document is read once, however many of its contexts are joined
    return tuple(_evidence(run, text_of, names) for run in runs)


def _goes_on(first: _Piece, second: _Piece) -> bool:
    return (
        first.chunk.document_id == second.chunk.document_id
        and first.chunk.ordinal + 1 == second.chunk.ordinal
        and first.chunk.heading_path == second.chunk.heading_path
        and first.end == first.chunk.end <= second.chunk.start == second.start
    )


def _evidence(run: Sequence[_Piece], text_of: TextReader, names: Mapping[str, str]) -> Evidence:
    best = min(run, key=lambda piece: piece.place)
    first, last = run[0], run[-1]
    if len(run) == 1:
        text = best.chunk.text[first.start - best.chunk.start : first.end - best.chunk.start]
    else:
        text = text_of(best.chunk.document_id)[first.start : last.end]
    return Evidence(
        text=text,
        chunk_id=best.chunk.id,
        chunk_ids=tuple(piece.chunk.id for piece in run),
        document=names[best.chunk.document_id],
        citation=best.chunk.citation,
        start=first.start,
        end=last.end,
        score=best.score,
    )
