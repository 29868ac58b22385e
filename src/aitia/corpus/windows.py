"""Windows: overlapping spans inside a chunk that retrieval ranks, and the blocks that are embedded.

Text is embedded once, in blocks that do not overlap; a window's, chunk's or longer vector is the
word-weighted mean of its blocks (`aitia.retrieval.pool`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = re.compile(r"\S+")
WINDOW_WORDS = 60
STRIDE_WORDS = 30
BLOCK_WORDS = 30


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets into the text of a chunk, and the words between them."""

    start: int
    end: int
    words: int


def spans(text: str, size: int, stride: int) -> list[Span]:
    """Spans of ``size`` words every ``stride`` words; the last one ends with the text.

    A text of at most ``size`` words is one span; white space alone gives none.
    """
    words = [match.span() for match in WORD.finditer(text)]
    if not words:
        return []
    starts = range(0, max(1, len(words) - size + stride), stride)
    return [
        Span(
            words[first][0],
            words[min(first + size, len(words)) - 1][1],
            min(first + size, len(words)) - first,
        )
        for first in starts
    ]


def window_spans(text: str) -> list[Span]:
    """The windows of a chunk."""
    return spans(text, WINDOW_WORDS, STRIDE_WORDS)


def block_spans(text: str) -> list[Span]:
    """The blocks of a chunk: the finest unit that is embedded."""
    return spans(text, BLOCK_WORDS, BLOCK_WORDS)
