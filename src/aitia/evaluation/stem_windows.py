"""Which content stems stand near each other: the measure under evidence recall.

A stem is the first six letters of a word that is not a stop word. Windows of 60 words, one every 20,
make the measure independent of how a corpus was cut into chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

WINDOW = 60
STRIDE = 20
STEM = 6

STOP_WORDS = frozenset(
    """
    a about after also an and are as at be been before between by can did do does during for from had has
    have her his how if in into is it its may more most not of on or other over such than that the their
    them these they this those to was were what when which who will with you your
    """.split()  # noqa: SIM905
)

_WORD = re.compile(r"[a-z0-9]+")


def stems(text: str) -> frozenset[str]:
    """The content stems of a text."""
    return frozenset(word[:STEM] for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)


class StemVocabulary:
    """The stems of the sentences sought; words of any other stem are not counted."""

    def __init__(self, sentences: Iterable[frozenset[str]]) -> None:
        known = sorted(frozenset().union(*sentences))
        self._positions = {stem: position for position, stem in enumerate(known)}
        self._words: dict[str, int] = {}

    def sentence_matrix(self, sentences: Sequence[frozenset[str]]) -> csr_array:
        """Which stem is in which sentence: ones, shape (sentences, stems)."""
        rows = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
        columns = [self._positions[stem] for sentence in sentences for stem in sorted(sentence)]
        return self._ones(rows, np.array(columns, dtype=np.int64), len(sentences))

    def window_matrix(self, texts: Iterable[str]) -> csr_array:
        """Which stem is in which window of which text: ones, shape (windows of all texts, stems)."""
        rows, columns, first = [], [], 0
        for text in texts:
            positions = self._stem_positions(text)
            windows = -(-max(1, len(positions) - WINDOW + STRIDE) // STRIDE)
            block = np.arange(len(positions)) // STRIDE
            # A word stands in the window that begins in its own stride and in those just before.
            for back in range(WINDOW // STRIDE):
                window = block - back
                inside = (window >= 0) & (window < windows) & (positions >= 0)
                rows.append(first + window[inside])
                columns.append(positions[inside])
            first += windows
        if not rows:
            return self._ones(np.empty(0, np.int64), np.empty(0, np.int64), 0)
        return self._ones(np.concatenate(rows), np.concatenate(columns), first)

    def _stem_positions(self, text: str) -> NDArray[np.int64]:
        words, cache = _WORD.findall(text.lower()), self._words
        for word in set(words).difference(cache):
            cache[word] = -1 if word in STOP_WORDS else self._positions.get(word[:STEM], -1)
        return np.fromiter((cache[word] for word in words), dtype=np.int64, count=len(words))

    def _ones(self, rows: NDArray[np.int64], columns: NDArray[np.int64], height: int) -> csr_array:
        counts = csr_array(
            (np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(height, len(self._positions))
        )
        counts.sum_duplicates()
        counts.data[:] = 1
        return counts


def best_shared(sentences: csr_array, windows: csr_array) -> NDArray[np.float32]:
    """For each sentence the largest number of its stems in one window, shape (sentences,)."""
    if not windows.shape[0]:
        return np.zeros(sentences.shape[0], dtype=np.float32)
    best: NDArray[np.float32] = (sentences @ windows.T).max(axis=1).toarray().ravel()
    return best
