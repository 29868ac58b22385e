from __future__ import annotations

import pytest

from aitia.retrieval.stems import stem


@pytest.mark.parametrize("words", [
    ("plan", "plans", "planned", "planning"),
    ("move", "moves", "moved", "moving"),
    ("party", "parties"),
    ("class", "classes"),
])  # fmt: skip
def test_forms_of_a_word_meet(words):
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize("word", ["", "is", "sing", "bus", "2026", "日"])
def test_short_words_stay(word):
    assert stem(word) == word


def test_other_words_stay_apart():
    assert stem("planet") != stem("plan")
    assert stem("being") == "being"
