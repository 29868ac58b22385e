"""Any sentence-transformers model, for those who have that package installed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aitia.clients.protocols import Vectors
from aitia.clients.vectors import encodable, unit_rows
from aitia.corpus.document import content_hash
from aitia.errors import EmbedderError


class SentenceTransformerEmbedder:
    """A model by its name on the hub or its folder; ``hash`` is of the name."""

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise EmbedderError(
                f"st:{name}: sentence-transformers is not installed. Install it: pip install 'aitia[st]'"
            ) from None
        self.id = f"st:{name}"
        self.hash = content_hash("sentence-transformers", name)
        try:
            self._model = SentenceTransformer(name)
        except Exception as error:  # hub, file and configuration errors have no common base
            reason = " ".join(str(error).split())[:200]
            raise EmbedderError(f"{self.id}: the model cannot be loaded ({reason})") from error
        self.dimensions = int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), in the order of the texts."""
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        rows = self._model.encode(
            [encodable(text) for text in texts], batch_size=8, show_progress_bar=False, convert_to_numpy=True
        )
        return unit_rows(rows, self.id)
