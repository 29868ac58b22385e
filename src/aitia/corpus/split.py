"""Splitters: a document into chunks, each a verbatim span.

``passage``, ``passage:N``   whole sentences up to N words (320), within one heading
``words:N/M``                windows of N words, M of them shared with the window before
``tokens:N/M``               the same in tokens of the bundled tokenizer

Every splitter reduces the text to *units* (words or tokens) by where they begin. A chunk is a run of
units, so it reaches to the start of the next unit, less outer white space. That makes cuts exact by
construction: nothing between two units can be lost. A chunk has at most 16 characters a unit allowed
(or a single unit that is longer), so that a text without spaces does not make giant chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.corpus.clusters import Clusters, Positions, find_clusters
from aitia.corpus.document import Document, Section
from aitia.corpus.sentences import sentence_spans
from aitia.corpus.words import word_starts
from aitia.errors import UsageError

Splitter = Callable[[Document], list[Chunk]]

CHARACTERS_PER_UNIT = 16
PASSAGE_WORDS = 320
"""Measured: fewer cut evidence apart, more drown it (docs/decisions/0005)."""
_SPEC = re.compile(
    r"passage(?::(?P<size>\d{1,6}))?|(?P<unit>words|tokens):(?P<length>\d{1,6})/(?P<overlap>\d{1,6})",
    re.ASCII,
)
_CHARACTER = re.compile(r"\S")


def open_splitter(spec: str) -> Splitter:
    """The splitter of a spec (see the module). The same document always gives the same chunks.

    Raises `UsageError` for a spec that is unknown, or has no words, or an overlap as long as a window.
    """
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        raise _unusable(spec)
    if match["unit"] is None:
        size = int(match["size"] or PASSAGE_WORDS)
        if size < 1:
            raise _unusable(spec)
        return partial(_split_passages, size=size)
    length, overlap = int(match["length"]), int(match["overlap"])
    if overlap >= length:
        raise _unusable(spec)
    units = _word_units if match["unit"] == "words" else _token_units
    return partial(_split_windows, units=units, length=length, overlap=overlap)


def _unusable(spec: str) -> UsageError:
    return UsageError(
        f"splitter {spec!r} is unknown; expected passage, passage:N (N words, at least 1), words:N/M or "
        "tokens:N/M (windows of N, the last M shared with the next, M < N); for example words:1200/200"
    )


def _split_passages(document: Document, *, size: int) -> list[Chunk]:
    text, clusters = _cuttable(document.text)
    sections = _heading_starts(document)
    sentences = [start for start, _ in sentence_spans(text)]
    breaks = _at_characters(text, clusters.snap(np.array([0, *sections], dtype=np.int64)))
    parts = _at_characters(text, clusters.snap(np.array([0, *sections, *sentences], dtype=np.int64)))
    units = np.union1d(clusters.snap(word_starts(text)), parts)
    bounds = np.append(units, len(text)).tolist()
    section_ends = set(np.searchsorted(units, breaks).tolist())
    sentence_ends = [*np.searchsorted(units, parts).tolist(), len(units)]
    longest = size * CHARACTERS_PER_UNIT

    def fits(first: int, last: int) -> bool:
        return last - first <= size and bounds[last] - bounds[first] <= longest

    def runs() -> Iterator[tuple[int, int]]:
        first = done = 0
        for end in sentence_ends:
            while first < done and (done in section_ends or not fits(first, end)):
                yield first, done
                first = done
            while not fits(first, end):
                cut = _reach(bounds, first, size)
                yield first, cut
                first = cut
            done = end
        if first < done:
            yield first, done

    return _chunks(document, text, ((bounds[first], bounds[last]) for first, last in runs()))


def _split_windows(
    document: Document, *, units: Callable[[str, Clusters], Positions], length: int, overlap: int
) -> list[Chunk]:
    text, clusters = _cuttable(document.text)
    bounds = [0, *units(text, clusters)[1:].tolist(), len(text)]

    def spans() -> Iterator[tuple[int, int]]:
        first = last = 0
        while last < len(bounds) - 1:
            end = _reach(bounds, first, length)
            if end <= last:  # a long unit ahead: this window would add nothing
                first += 1
                continue
            yield bounds[first], bounds[end]
            last = end
            first += max(1, (end - first) * (length - overlap) // length)

    return _chunks(document, text, spans())


def _reach(bounds: list[int], first: int, limit: int) -> int:
    """The end of the longest run from ``first`` of at most ``limit`` units; at least one unit."""
    end = min(first + limit, len(bounds) - 1)
    widest = bisect_right(bounds, bounds[first] + limit * CHARACTERS_PER_UNIT, first, end + 1) - 1
    return max(first + 1, widest)


def _word_units(text: str, clusters: Clusters) -> Positions:
    return clusters.snap(word_starts(text))


def _token_units(text: str, clusters: Clusters) -> Positions:
    """Tokens, and the words that the tokenizer drops: bare accents and control characters."""
    from aitia.corpus.tokens import token_starts

    tokens, words = token_starts(text), word_starts(text)
    before = np.searchsorted(tokens, words)
    dropped = words[before == np.append(before[1:], tokens.size)]
    return clusters.snap(np.union1d(tokens, dropped))


def _cuttable(text: str) -> tuple[str, Clusters]:
    clusters = find_clusters(text)
    return clusters.hide_spaces(text), clusters


def _heading_starts(document: Document) -> list[int]:
    """Where the heading changes; a new page alone is no boundary."""
    starts: list[int] = []
    path: tuple[str, ...] = ()
    for section in document.sections:
        if section.heading_path != path:
            starts.append(min(section.start, len(document.text)))
            path = section.heading_path
    return starts


def _at_characters(text: str, cuts: Positions) -> Positions:
    """The cuts, each moved past white space; those at the end of the text are dropped."""
    found = (_CHARACTER.search(text, cut) for cut in cuts.tolist())
    return np.unique(np.array([match.start() for match in found if match], dtype=np.int64))


def _chunks(document: Document, text: str, spans: Iterator[tuple[int, int]]) -> list[Chunk]:
    """Chunks of the spans without outer white space. ``text`` has the spaces inside characters hidden."""
    section_starts = [section.start for section in document.sections]
    chunks: list[Chunk] = []
    for left, right in spans:
        piece = text[left:right]
        start, end = left + len(piece) - len(piece.lstrip()), left + len(piece.rstrip())
        if start >= end:
            continue
        position = bisect_right(section_starts, start)
        section = document.sections[position - 1] if position else Section(0)
        chunks.append(
            Chunk(
                document.id,
                document.path,
                len(chunks),
                start,
                end,
                document.text[start:end],
                section.heading_path,
                section.page,
            )
        )
    return chunks
