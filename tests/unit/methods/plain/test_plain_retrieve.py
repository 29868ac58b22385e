from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.plain.retrieve import rank_plain
from aitia.methods.query import Query
from aitia.retrieval.text_index import index_text

TEXT = index_text(
    ["mites kill", "cold kills", "bees dance", "sun"],
    lambda texts: np.array([[0.6, 0.8], [0.8, 0.6], [1, 0], [-1, 0]], np.float32),
)


@pytest.mark.parametrize(
    ("ranking", "order"),
    [("naive", [2, 1, 0]), ("bm25", [2, 0]), ("rrf", [2, 0, 1]), ("hybrid", [2, 0, 1])],
)
def test_best_first_without_what_has_no_score(ranking, order):
    ranked = rank_plain(TEXT, Query("mites dance dance", np.array([1, 0], np.float32)), ranking)
    assert np.asarray(ranked.order).tolist() == order
    assert ranked.graph_matched
    assert dict(ranked.trace()) == {}
    assert ranked.text.chunk_cosine.tolist() == pytest.approx([0.6, 0.8, 1, -1])
