"""Reading windows as tasks: what of them is shown, where they are, and how they get smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.passages import MAX_CHARACTERS, Passages
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.corpus.sentences import sentence_spans
from aitia.spec.model import Quote

_PLACES = 3
"""Documents that a place names before it only counts them."""


def window_tasks(
    windows: Sequence[ReadingWindow], render: Callable[[Sequence[Chunk]], str]
) -> list[Task[Chunk]]:
    """A task for each window; smaller ones have fewer of its chunks."""
    return [Task(window.chunks, render, place_of, text_of) for window in windows]


def passages_of(chunks: Sequence[Chunk]) -> Passages:
    """The chunks as fenced passages P1, P2, ..."""
    return Passages([(chunk.id, chunk.text) for chunk in chunks])


class SentenceQuotes:
    """Finds quotes in the passages of some chunks, and widens each to the sentences it stands in."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._passages = passages_of(chunks)
        self._texts = {chunk.id: chunk.text for chunk in chunks}
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def locate(self, label: str, quote: str) -> Quote | None:
        """The sentences that hold a verbatim quote, or the quote alone where they are very long."""
        found = self._passages.locate(label, quote)
        if found is None:
            return None
        text = self._texts[found.chunk_id]
        if found.chunk_id not in self._spans:
            self._spans[found.chunk_id] = sentence_spans(text)
        first = text.find(found.text)
        last = first + len(found.text)
        held = [(start, end) for start, end in self._spans[found.chunk_id] if start < last and end > first]
        sentences = text[held[0][0] : held[-1][1]]
        return found.model_copy(update={"text": sentences}) if len(sentences) <= MAX_CHARACTERS else found


def text_of(chunks: Sequence[Chunk]) -> str:
    """All the text of the chunks."""
    return "\n".join(chunk.text for chunk in chunks)


def place_of(chunks: Sequence[Chunk]) -> str:
    """Where the chunks stand: ``a.md, passages 3 to 9``."""
    places = []
    for path, group in groupby(chunks, key=lambda chunk: chunk.path):
        ordinals = [chunk.ordinal + 1 for chunk in group]
        span = f"passage {ordinals[0]}"
        if len(ordinals) > 1:
            span = f"passages {ordinals[0]} to {ordinals[-1]}"
        places.append(f"{path}, {span}")
    if len(places) > _PLACES:
        return f"{places[0]}, and {len(places) - 1} more documents to {chunks[-1].path}"
    return "; ".join(places)
