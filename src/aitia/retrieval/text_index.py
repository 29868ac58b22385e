"""The text of an index, ready to be ranked: what retrieval without a graph needs, in arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from aitia.corpus.windows import block_spans, window_spans, words_of
from aitia.retrieval.dense import Vectors, pool
from aitia.retrieval.lexical import LexicalIndex, index_terms
from aitia.retrieval.select import Units

Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class TextIndex:
    """Chunks, windows and blocks of a corpus, with their vectors and BM25 weights.

    ``blocks`` are the only stored vectors, shape (blocks, dimensions); the others are pooled from them.
    ``chunk_words``: words of each chunk. ``units`` are the windows.
    """

    chunk_words: NDArray[np.int64]
    units: Units
    block_units: Units
    blocks: Vectors
    window_terms: LexicalIndex
    chunk_terms: LexicalIndex

    @cached_property
    def chunk_units(self) -> Units:
        """Every chunk as one unit."""
        rows = np.arange(len(self.chunk_words))
        return Units(rows, np.zeros_like(rows), self.chunk_words)

    @cached_property
    def window_vectors(self) -> Vectors:
        """Unit vectors of the windows."""
        return pool(_overlap(self.units, self.block_units), self.blocks)

    @cached_property
    def chunk_vectors(self) -> Vectors:
        """Unit vectors of the chunks."""
        return pool(_overlap(self.chunk_units, self.block_units), self.blocks)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Everything as named arrays, for `from_arrays`."""
        return {
            "chunk_words": self.chunk_words,
            **_units_arrays("window", self.units),
            **_units_arrays("block", self.block_units),
            "block_vectors": self.blocks,
            **terms_arrays("window", self.window_terms),
            **terms_arrays("chunk", self.chunk_terms),
        }


def index_text(texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> TextIndex:
    """Index chunk texts; ``embed`` is called once, with every block in order."""
    words = [words_of(text) for text in texts]
    counts = np.array([len(each) for each in words], np.int64)
    windows = _units(counts, window_spans)
    blocks = _units(counts, block_spans)

    def cut(units: Units) -> list[str]:
        rows = zip(units.chunk.tolist(), units.first.tolist(), units.last.tolist(), strict=True)
        return [words[chunk].cut(first, last) for chunk, first, last in rows]

    return TextIndex(
        counts, windows, blocks, embed(cut(blocks)), index_terms(cut(windows)), index_terms(texts)
    )


def from_arrays(arrays: Arrays) -> TextIndex:
    """The index that `TextIndex.arrays` was made of."""
    return TextIndex(
        np.asarray(arrays["chunk_words"], np.int64),
        _units_from(arrays, "window"),
        _units_from(arrays, "block"),
        np.asarray(arrays["block_vectors"], np.float32),
        terms_from(arrays, "window"),
        terms_from(arrays, "chunk"),
    )


def _units(counts: NDArray[np.int64], spans: Callable[[int], list[tuple[int, int]]]) -> Units:
    rows = [
        (chunk, first, last) for chunk, count in enumerate(counts.tolist()) for first, last in spans(count)
    ]
    table = np.array(rows, np.int64).reshape(-1, 3)
    return Units(table[:, 0], table[:, 1], table[:, 2])


def _overlap(units: Units, blocks: Units) -> csr_array:
    """Words that each block has inside each unit, shape (units, blocks). Blocks tile their chunk."""
    start = np.searchsorted(blocks.chunk, units.chunk, side="left")
    size = np.zeros(int(units.chunk.max(initial=-1)) + 1, np.int64)
    heads = np.flatnonzero(blocks.first == 0)
    size[blocks.chunk[heads]] = blocks.last[heads]
    step = np.maximum(size[units.chunk], 1)
    low = start + units.first // step
    high = start + (units.last - 1) // step
    counts = high - low + 1
    rows = np.repeat(np.arange(len(low)), counts)
    columns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts) + low[rows]
    words = np.minimum(units.last[rows], blocks.last[columns]) - np.maximum(
        units.first[rows], blocks.first[columns]
    )
    return csr_array((words.astype(np.float32), (rows, columns)), shape=(len(low), len(blocks.chunk)))


def _units_arrays(name: str, units: Units) -> dict[str, NDArray[np.generic]]:
    return {f"{name}_chunk": units.chunk, f"{name}_first": units.first, f"{name}_last": units.last}


def _units_from(arrays: Arrays, name: str) -> Units:
    chunk, first, last = (
        np.asarray(arrays[f"{name}_{part}"], np.int64) for part in ("chunk", "first", "last")
    )
    return Units(chunk, first, last)


def terms_arrays(name: str, terms: LexicalIndex) -> dict[str, NDArray[np.generic]]:
    """Named arrays, for `terms_from`."""
    """A lexical index as arrays whose names begin with ``name``, for `terms_from`."""
    text = "\n".join(terms.vocabulary).encode()
    return {
        f"{name}_terms": np.frombuffer(text, np.uint8),
        f"{name}_bm25": np.asarray(terms.weights.data, np.float32),
        f"{name}_bm25_units": terms.weights.indices,
        f"{name}_bm25_indptr": terms.weights.indptr,
        f"{name}_bm25_count": np.array([terms.weights.shape[0]]),
    }


def terms_from(arrays: Arrays, name: str) -> LexicalIndex:
    """The lexical index that `terms_arrays` was made of."""
    """The lexical index that `terms_arrays` was given."""
    text = np.asarray(arrays[f"{name}_terms"], np.uint8).tobytes().decode()
    vocabulary = {term: column for column, term in enumerate(text.split("\n") if text else [])}
    parts = (np.asarray(arrays[f"{name}_{part}"]) for part in ("bm25", "bm25_units", "bm25_indptr"))
    data, rows, indptr = parts
    weights = csc_array((data, rows, indptr), shape=(int(arrays[f"{name}_bm25_count"][0]), len(vocabulary)))
    return LexicalIndex(vocabulary, weights)
