"""An embedder of a few lines, for tests that must be fast and exact."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from aitia.clients.protocols import Vectors
from aitia.corpus.document import content_hash

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Counts of words, each word hashed to one dimension; texts that share words are close.

    No cosine is negative. A text without words has the first axis as its vector.
    """

    def __init__(self, dimensions: int = 64) -> None:
        self.id = f"hash:{dimensions}"
        self.hash = content_hash("word hashes", str(dimensions))
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), float32."""
        rows = np.zeros((len(texts), self.dimensions))
        for row, text in zip(rows, texts, strict=True):
            words = _WORD.findall(text.lower())
            np.add.at(row, [self.axis(word) for word in words] or [0], 1.0)
        vectors: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return vectors

    def axis(self, word: str) -> int:
        """The dimension that a word, in lower case, counts in."""
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.dimensions
