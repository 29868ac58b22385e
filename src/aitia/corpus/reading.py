"""Reading windows: what an analyst reads at once."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.corpus.chunk import Chunk


@dataclass(frozen=True, slots=True)
class ReadingWindow:
    """What is read at once: consecutive chunks up to the tier's reading size."""

    chunks: tuple[Chunk, ...]
