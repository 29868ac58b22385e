"""An embedder that remembers: every text is computed once and then read from the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from aitia.clients.protocols import Embedder, Ledger, Vectors
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError

COMMIT_EVERY = 128
"""Texts computed between two commits: what a killed run loses, a second or two of work."""

_STORED = np.dtype("<f4")

Progress = Callable[[int, int], None]
"""Called with (texts computed so far, texts to compute) after each commit."""


class CachedEmbedder:
    """The vectors of ``embedder``, with ``ledger`` asked first.

    ``computed`` and ``cached`` count distinct texts of all calls so far.
    """

    def __init__(self, embedder: Embedder, ledger: Ledger, progress: Progress | None = None) -> None:
        self._embedder = embedder
        self._ledger = ledger
        self._progress = progress
        self.computed = 0
        self.cached = 0

    @property
    def id(self) -> str:
        """The id of the embedder behind it."""
        return self._embedder.id

    @property
    def hash(self) -> str:
        """The hash of the embedder behind it."""
        return self._embedder.hash

    @property
    def dimensions(self) -> int:
        """The dimensions of the embedder behind it."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), in the order of the texts."""
        hashes = [content_hash(text) for text in texts]
        distinct = dict(zip(hashes, texts, strict=True))
        rows = self._ledger.vectors(self.hash, list(distinct))
        missing = {key: text for key, text in distinct.items() if key not in rows}
        self.cached += len(distinct) - len(missing)
        rows |= self._compute(missing)
        return self._stack([rows[key] for key in hashes])

    def _compute(self, texts: dict[str, str]) -> dict[str, bytes]:
        keys = list(texts)
        rows: dict[str, bytes] = {}
        for start in range(0, len(keys), COMMIT_EVERY):
            part = keys[start : start + COMMIT_EVERY]
            vectors = self._embedder.embed([texts[key] for key in part]).astype(_STORED)
            new = {key: vector.tobytes() for key, vector in zip(part, vectors, strict=True)}
            self._ledger.add_vectors(self.hash, new)
            rows |= new
            self.computed += len(part)
            if self._progress:
                self._progress(len(rows), len(keys))
        return rows

    def _stack(self, rows: Sequence[bytes]) -> Vectors:
        # An API's dimensions cost a request, which a ledger that holds all rows should save.
        dimensions = len(rows[0]) // _STORED.itemsize if rows else self.dimensions
        wrong = next((row for row in rows if len(row) != dimensions * _STORED.itemsize), None)
        if wrong is not None:
            other = len(wrong) // _STORED.itemsize
            raise EmbedderError(
                f"{self.id}: vectors of {dimensions} and of {other} dimensions in one ledger, expected one "
                "length. Use the embedder that filled it, or another ledger"
            )
        joined = np.frombuffer(b"".join(rows), dtype=_STORED)
        return joined.reshape(len(rows), dimensions).astype(np.float32)
