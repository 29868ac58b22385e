"""Shapes of sentences, letter by letter."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.lexicon import lexicon
from aitia.analyst.rules.shape import shape_of
from aitia.corpus.chunk import Chunk


def letters(text: str) -> str:
    (sentence,) = read_sentences(Chunk(text, "a.txt", 0, 0, len(text), text))
    return shape_of(sentence, lexicon()).symbols


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The storm caused severe damage.", "NKN;"),
        ("The damage was caused by the storm.", "NBKN;"),
        ("The damage (see page 3) was caused by the storm.", "NBKN;"),
        ("Radon is a cause of cancer.", "NBHN;"),
        ("Loss of appetite may follow.", "NoNAV;"),
        ("A red and swollen eye opened.", "NV;"),
        ("Germs that cause disease grow quickly.", "NrKNVA;"),
        ("Fruits such as apples help to reduce hunger.", "NhNAKN;"),
        ("Rain fell, and rivers rose.", "NV,cNV;"),
        ("Deaths due to malaria fell.", "NKNV;"),
        ("Floods led to crop failure.", "NKN;"),
        ("Delays contributed to market losses.", "NKN;"),
        ("Repairs contributed to reduce costs.", "NAKN;"),
        ("They led him to harvest crops.", "NVNtVN;"),
    ],
)
def test_each_phrase_is_one_letter(text: str, expected: str) -> None:
    assert letters(text) == expected


def test_units_hold_head_and_determiner() -> None:
    (sentence,) = read_sentences(Chunk("d", "a.txt", 0, 0, 0, "The very old storm caused damage."))
    phrase = shape_of(sentence, lexicon()).units[0]
    words = [token.text for token in sentence.tokens]
    assert words[phrase.start : phrase.last + 1] == ["The", "very", "old", "storm"]
    assert words[phrase.head] == "storm"
    assert phrase.first == 1


def test_a_heading_without_a_full_stop_ends_at_the_next_capital() -> None:
    assert letters("Side effects The drug causes nausea.") == "N;NKN;"
