"""BM25 over any units of text, with its scores computed at index time (Lù 2024, "BM25S")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from aitia.retrieval.terms import content_terms


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """BM25 weights, a column a term: ``weights[unit, vocabulary[term]]``, shape (units, terms)."""

    vocabulary: Mapping[str, int]
    weights: csc_array

    def scores(self, query: str) -> NDArray[np.float32]:
        """BM25 of every unit, shape (units,); 0 where no content term is shared."""
        columns = [self.vocabulary[term] for term in content_terms(query) if term in self.vocabulary]
        if not columns:
            return np.zeros(self.weights.shape[0], np.float32)
        return np.asarray(self.weights[:, columns].sum(axis=1), np.float32).ravel()


def index_terms(texts: Sequence[str]) -> LexicalIndex:
    """Index texts with Lucene's BM25 (k1 = 1.5, b = 0.75). The vocabulary is in alphabetical order."""
    from bm25s import BM25

    units = [content_terms(text) for text in texts]
    vocabulary = {
        term: column for column, term in enumerate(sorted({term for unit in units for term in unit}))
    }
    if not vocabulary:
        return LexicalIndex({}, csc_array((len(texts), 0), dtype=np.float32))
    model = BM25(method="lucene", k1=1.5, b=0.75)
    model.index(
        ([[vocabulary[term] for term in unit] for unit in units], vocabulary),
        create_empty_token=False,
        show_progress=False,
    )
    arrays = model.scores
    weights = csc_array(
        (arrays["data"], arrays["indices"], arrays["indptr"]),
        shape=(len(texts), len(vocabulary)),
    )
    return LexicalIndex(vocabulary, weights)
