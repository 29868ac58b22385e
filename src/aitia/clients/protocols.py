"""What the rest of Aitia needs from a model and from the record of what was paid for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def id(self) -> str:
        """The spec that opens it again: ``minilm``, ``dir:PATH``, ``openai:MODEL``."""
        ...

    @property
    def hash(self) -> str:
        """Identifies the weights, so that an index can refuse vectors of another model."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), float32. A vector depends on its own text only."""
        ...


class Ledger(Protocol):
    """The append-only record of what was computed at a price: embeddings (and model replies)."""

    def vectors(self, embedder_hash: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
        """The stored float32 rows among those asked for, by text hash."""
        ...

    def add_vectors(self, embedder_hash: str, rows: Mapping[str, bytes]) -> None:
        """Commit rows; one that is already there is left as it was."""
        ...
