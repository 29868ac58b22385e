"""Windows: overlapping spans inside a chunk that retrieval ranks, and the blocks that are embedded.

Text is embedded once, in blocks that do not overlap; a window's, chunk's or longer vector is the
word-weighted mean of its blocks (`aitia.retrieval.dense.pool`). Blocks are as long as the stride, so
that every window is made of whole blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

from aitia.corpus.words import word_starts

WINDOW_WORDS = 60
STRIDE_WORDS = 30
BLOCK_WORDS = 30


@dataclass(frozen=True, slots=True)
class Words:
    """A text by its words: word i and the white space behind it are ``text[starts[i]:starts[i + 1]]``."""

    text: str
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.starts)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets of the words ``first`` to ``last`` (exclusive), without outer white space."""
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        start = self.starts[first]
        return start, start + len(self.text[start:end].rstrip())

    def cut(self, first: int, last: int) -> str:
        """The words ``first`` to ``last`` (exclusive), verbatim."""
        start, end = self.span(first, last)
        return self.text[start:end]


def words_of(text: str) -> Words:
    """The words of a text, as splitters count them (a Chinese or Japanese character is one)."""
    return Words(text, tuple(word_starts(text).tolist()))


def spans(count: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Word spans of ``size`` words every ``stride`` over ``count`` words; the last ends with the text."""
    if not count:
        return []
    return [(first, min(first + size, count)) for first in range(0, max(1, count - size + stride), stride)]


def window_spans(count: int) -> list[tuple[int, int]]:
    """The windows of a chunk of ``count`` words."""
    return spans(count, WINDOW_WORDS, STRIDE_WORDS)


def block_spans(count: int) -> list[tuple[int, int]]:
    """The blocks of a chunk of ``count`` words: what is embedded."""
    return spans(count, BLOCK_WORDS, BLOCK_WORDS)
