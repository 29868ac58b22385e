from __future__ import annotations

from math import log

import pytest

from aitia.retrieval.lexical import index_terms

TEXTS = ["mites kill bees", "bees, bees and more bees in winter", "the"]
# Content terms: 3, 5 (bees bees more bees winter, if "more" is one) and 0.


def test_scores_by_hand():
    """Lucene's BM25 with k1 = 1.5 and b = 0.75: idf * tf / (tf + k1 (1 - b + b * length / mean))."""
    texts = ["mites kill bees", "bees bees winter", "x"]
    index = index_terms(texts)
    mean = 7 / 3
    norm = 1.5 * (0.25 + 0.75 * 3 / mean)
    idf_bees, idf_mites = log(1 + (3 - 2 + 0.5) / 2.5), log(1 + (3 - 1 + 0.5) / 1.5)
    assert index.scores("Bees?").tolist() == pytest.approx(
        [idf_bees / (1 + norm), idf_bees * 2 / (2 + norm), 0]
    )
    both = [idf_bees / (1 + norm) + idf_mites / (1 + norm), idf_bees * 2 / (2 + norm), 0]
    assert index.scores("the mites of bees").tolist() == pytest.approx(both)


def test_a_term_asked_twice_counts_twice():
    index = index_terms(TEXTS)
    assert index.scores("winter winter").tolist() == pytest.approx((2 * index.scores("winter")).tolist())


def test_nothing_in_common_is_zero():
    index = index_terms(TEXTS)
    assert index.scores("wasps").tolist() == [0, 0, 0]
    assert index.scores("the").tolist() == [0, 0, 0]
    assert index.scores("").tolist() == [0, 0, 0]


@pytest.mark.parametrize("texts", [[], [""], ["the", "of"]])
def test_units_without_any_term(texts):
    index = index_terms(texts)
    assert index.weights.shape == (len(texts), 0)
    assert index.scores("bees").tolist() == [0] * len(texts)
