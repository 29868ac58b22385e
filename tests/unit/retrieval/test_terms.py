from __future__ import annotations

import pytest

from aitia.retrieval.terms import content_terms, stop_words


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Mites, and the BEES!", ["mites", "bees"]),
        ("non-small-cell (stage III) 3.5%", ["non", "small", "cell", "stage", "iii", "3", "5"]),
        ("snake_case Größe é", ["snake", "case", "größe", "é"]),
        ("蜜蜂 dies 한국어 ミツ", ["蜜", "蜂", "dies", "한국어", "ミ", "ツ"]),
        ("of the and", []),
        ("", []),
    ],
)
def test_terms_in_order(text, terms):
    assert content_terms(text) == terms


def test_stop_words_are_terms_themselves():
    assert {"the", "of", "and"} <= stop_words()
    assert all(word == word.lower() and word.strip() for word in stop_words())
