"""Reading windows as tasks: what of them is shown, where they are, and how they get smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.passages import Passages
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow

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
