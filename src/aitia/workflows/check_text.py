"""Checks of what every index has: documents, chunks, and the arrays of text retrieval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from aitia.corpus.windows import block_spans, window_spans, words_of
from aitia.workflows.index import Index

NORM_TOLERANCE = 1e-3


def _chunks(index: Index) -> Iterator[str]:
    """A chunk is a verbatim span of its document."""
    texts = {document.id: document.text for document in index.store.documents()}
    for chunk in index.store.chunks():
        text = texts.get(chunk.document_id)
        if text is None:
            yield f"chunk {chunk.id}: its document {chunk.path} is missing"
        elif not chunk.text or text[chunk.start : chunk.end] != chunk.text:
            yield f"chunk {chunk.id}: it is not the text of {chunk.path} at {chunk.start}-{chunk.end}"


def _units(index: Index) -> Iterator[str]:
    """Windows and blocks are those that the chunks' words give."""
    counts = np.array([len(words_of(chunk.text)) for chunk in index.store.chunks()], np.int64)
    arrays = index.store.arrays()
    if not np.array_equal(arrays["chunk_words"], counts):
        yield "array chunk_words: it is not the number of words of each chunk"
    for name, spans in (("window", window_spans), ("block", block_spans)):
        expected = _expected(counts, spans)
        found = [arrays[f"{name}_{part}"] for part in ("chunk", "first", "last")]
        if any(not np.array_equal(left, right) for left, right in zip(found, expected.T, strict=True)):
            yield f"arrays {name}_chunk, {name}_first, {name}_last: they are not the {name}s of the chunks"


def _expected(
    counts: NDArray[np.int64], spans: Callable[[int], Sequence[tuple[int, int]]]
) -> NDArray[np.int64]:
    rows = [(row, *span) for row, count in enumerate(counts.tolist()) for span in spans(count)]
    return np.array(rows, np.int64).reshape(-1, 3)


def _block_vectors(index: Index) -> Iterator[str]:
    blocks = len(index.store.array("block_chunk"))
    yield from wrong_vectors("block_vectors", index.store.array("block_vectors"), blocks, index)


def _terms(index: Index) -> Iterator[str]:
    """The BM25 matrices have a row a unit, a column a term, and no entry outside."""
    arrays = index.store.arrays()
    for name, units in (("window", len(arrays["window_chunk"])), ("chunk", len(arrays["chunk_words"]))):
        text = np.asarray(arrays[f"{name}_terms"], np.uint8).tobytes().decode()
        terms = len(text.split("\n")) if text else 0
        indptr = np.asarray(arrays[f"{name}_bm25_indptr"], np.int64)
        rows = np.asarray(arrays[f"{name}_bm25_units"], np.int64)
        weights = np.asarray(arrays[f"{name}_bm25"], np.float32)
        whole = (
            int(arrays[f"{name}_bm25_count"][0]) == units
            and len(indptr) == terms + 1
            and int(indptr[-1]) == len(rows) == len(weights)
            and bool((np.diff(indptr) >= 0).all())
            and bool(((rows >= 0) & (rows < units)).all())
            and bool(np.isfinite(weights).all())
        )
        if not whole:
            yield f"arrays {name}_bm25*: they do not fit {units} {name}s and {terms} terms"


def wrong_vectors(name: str, vectors: NDArray[np.generic], rows: int, index: Index) -> Iterator[str]:
    """Whether an array of vectors has another shape than expected, or rows that are not of length 1."""
    shape = (rows, index.settings["embedder"].get("dimensions"))
    if not rows and not len(vectors):
        return  # an empty graph has none, of whatever width
    if vectors.shape != shape:
        yield f"array {name}: shape {vectors.shape}, expected {shape}"
        return
    norms = np.linalg.norm(np.asarray(vectors, np.float64).reshape(rows, -1), axis=1)
    wrong = int((~(np.abs(norms - 1) <= NORM_TOLERANCE)).sum())
    if wrong:
        yield f"array {name}: {wrong} of {rows} vectors are not of length 1"


TEXT_CHECKS = (_chunks, _units, _block_vectors, _terms)
