"""Reading windows: what an analyst reads at once.

A change should cost as little reading as possible, so where a window ends must not depend on what stands
far before it. A document begins a window by its *own* content hash, with a probability in proportion to its
length (content-defined chunking). Only where no such document comes in time is the likeliest one cut at.

One inserted, changed or deleted document then changes its own window and at most one neighbour, always
where no cut was forced. Where cuts were forced it can change a third or fourth: 7 in 1,000 of 36,000 simulated
random edits did. The price is that windows of short documents are about half full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document
from aitia.corpus.tokens import count_tokens

_CUTS_PER_WINDOW = 2.0
"""Expected cuts in a window's length of text: fewer fill windows better, more force fewer cuts."""


@dataclass(frozen=True, slots=True)
class ReadingWindow:
    """What is read at once: consecutive chunks up to the tier's reading size."""

    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Chunks that stay together, their tokens, and a number in [0, 1) drawn from their content."""

    chunks: tuple[Chunk, ...]
    tokens: int
    draw: float

    @property
    def reluctance(self) -> float:
        """How many cuts per token it would take for a window to begin here."""
        return self.draw / max(1, self.tokens)


def reading_windows(
    documents: Iterable[Document],
    chunks_of: Callable[[Document], Sequence[Chunk]],
    reading_tokens: int,
    read_under: Mapping[str, str] | None = None,
) -> list[ReadingWindow]:
    """Windows of at most ``reading_tokens`` tokens (or one larger chunk), ordered by first document.

    A document longer than half a window is read in windows of its own. Shorter ones share windows, in
    path order. The order of ``documents`` does not matter. Every chunk is in exactly one window.
    ``read_under`` has the path of a document, by id, that counts instead of the one it has now.
    """
    paths = read_under or {}
    placed: list[tuple[int, int, ReadingWindow]] = []
    short: list[_Unit] = []
    place_of: dict[str, int] = {}
    ordered = sorted(documents, key=lambda document: (paths.get(document.id, document.path), document.id))
    for place, document in enumerate(ordered):
        place_of[document.id] = place
        chunks = tuple(chunks_of(document))
        sizes = [count_tokens(chunk.text) for chunk in chunks]
        if 2 * sum(sizes) > reading_tokens:
            pieces = _fill(chunks, sizes, reading_tokens)
            placed += [(place, number, ReadingWindow(piece)) for number, piece in enumerate(pieces)]
        elif chunks:
            short.append(_Unit(chunks, sum(sizes), int(document.id, 16) / 16 ** len(document.id)))
    for run in _runs(short, reading_tokens):
        window = ReadingWindow(tuple(chunk for unit in run for chunk in unit.chunks))
        placed.append((place_of[window.chunks[0].document_id], 0, window))
    return [window for _, _, window in sorted(placed, key=lambda item: item[:2])]


def _fill(chunks: Sequence[Chunk], sizes: Sequence[int], limit: int) -> Iterator[tuple[Chunk, ...]]:
    """Consecutive chunks, as many as fit the limit, at least one."""
    piece: list[Chunk] = []
    total = 0
    for chunk, size in zip(chunks, sizes, strict=True):
        if piece and total + size > limit:
            yield tuple(piece)
            piece, total = [], 0
        piece.append(chunk)
        total += size
    if piece:
        yield tuple(piece)


def _runs(units: Sequence[_Unit], limit: int) -> Iterator[list[_Unit]]:
    """Cut before every unit whose own content says so, and further where a run exceeds the limit."""
    run: list[_Unit] = []
    for unit in units:
        if run and unit.reluctance * limit < _CUTS_PER_WINDOW:
            yield from _force(run, limit)
            run = []
        run.append(unit)
    yield from _force(run, limit)


def _force(run: list[_Unit], limit: int) -> Iterator[list[_Unit]]:
    """Cut a run that exceeds the limit where cutting is least reluctant, in the last 3/4 of a window."""
    while sum(unit.tokens for unit in run) > limit:
        total = 0
        candidates = []
        for position, unit in enumerate(run):
            if limit < 4 * total <= 4 * limit:
                candidates.append((unit.reluctance, position))
            total += unit.tokens
        cut = min(candidates)[1]
        yield run[:cut]
        run = run[cut:]
    if run:
        yield run
