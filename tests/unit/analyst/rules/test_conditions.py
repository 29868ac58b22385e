"""Conditions and what is decided under them."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.conditions import conditional_links
from aitia.analyst.rules.language import read_sentences
from aitia.corpus.chunk import Chunk


def decisions(text: str) -> set[tuple[str, str, str]]:
    (sentence,) = read_sentences(Chunk(text, "a.txt", 0, 0, len(text), text))
    return {
        (
            sentence.tokens[link.cause_head].text.lower(),
            sentence.tokens[link.effect_head].text.lower(),
            link.polarity,
        )
        for link in conditional_links(sentence)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "If the tumor has spread, chemotherapy may be recommended.",
            {("tumor", "chemotherapy", "positive")},
        ),
        ("A scan may be used if the tumor has returned.", {("tumor", "scan", "positive")}),
        ("If the tumor is small, surgery is not recommended.", {("tumor", "surgery", "negative")}),
        ("If you have pain, your doctor may recommend rest.", {("pain", "rest", "positive")}),
        ("If the disk fails, a repair is an option.", {("disk", "repair", "positive")}),
        ("After surgery, antibiotics are given.", {("surgery", "antibiotics", "positive")}),
        ("For large tumors, surgery is preferred.", {("tumors", "surgery", "positive")}),
        ("A scan is used to see if the tumor has returned.", set()),
        ("If the weather is good, the garden looks nice.", set()),
        ("The tumor was large.", set()),
    ],
)
def test_a_state_calls_for_a_decision(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert decisions(text) == expected
