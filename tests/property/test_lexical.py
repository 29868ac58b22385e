"""BM25 computed at index time against BM25 computed at query time, as Lucene defines it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.retrieval.lexical import index_terms
from aitia.retrieval.terms import content_terms

K1, B = 1.5, 0.75
WORDS = ["bee", "mite", "winter", "the", "of", "Bee", "varroa-mite", "蜂", "q10", "...", "été"]


def naive_scores(texts, query):
    """Sum over the query's terms of idf * tf / (tf + k1 (1 - b + b length / mean length))."""
    units = [content_terms(text) for text in texts]
    mean = sum(map(len, units)) / len(units)
    scores = []
    for unit in units:
        score = 0.0
        for term in content_terms(query):
            tf = unit.count(term)
            df = sum(term in other for other in units)
            if tf:
                idf = math.log(1 + (len(units) - df + 0.5) / (df + 0.5))
                score += idf * tf / (tf + K1 * (1 - B + B * len(unit) / mean))
        scores.append(score)
    return scores


texts_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=8)


@settings(deadline=None)
@given(texts_of_words, st.lists(st.sampled_from([*WORDS, "unseen"]), max_size=6).map(" ".join))
def test_scores_are_those_of_lucene(texts, query):
    found = index_terms(texts).scores(query)
    assert found.dtype == np.float32
    assert found.shape == (len(texts),)
    assert found.tolist() == pytest.approx(naive_scores(texts, query), rel=1e-5, abs=1e-7)


@settings(deadline=None)
@given(texts_of_words)
def test_the_vocabulary_is_that_of_the_texts_in_alphabetical_order(texts):
    index = index_terms(texts)
    terms = sorted({term for text in texts for term in content_terms(text)})
    assert list(index.vocabulary) == terms
    assert list(index.vocabulary.values()) == list(range(len(terms)))
    assert index.weights.shape == (len(texts), len(terms))


@given(st.text())
def test_terms_are_lower_case_words_that_stand_in_the_text(text):
    terms = content_terms(text)
    rest = text.lower()
    for term in terms:
        assert term and not term.isspace() and "_" not in term
        rest = rest[rest.index(term) + len(term) :]
