"""The lexicon file keeps its own rules."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from aitia.analyst.rules.lexicon import Frame, Kind, lexicon, stem_of
from aitia.spec.model import Polarity

CUES = [cue for group in lexicon().cues.values() for cue in group] + list(lexicon().affixes.values())


def test_cues_have_known_frames_kinds_and_polarities() -> None:
    assert {cue.frame for cue in CUES} <= set(get_args(Frame))
    assert {cue.kind for cue in CUES} <= set(get_args(Kind))
    assert {cue.polarity for cue in CUES} <= set(get_args(Polarity)) - {"none"}
    assert all(0 < cue.confidence < 1 for cue in CUES)


def test_only_a_gated_cue_is_listed_twice() -> None:
    counts = Counter((cue.words, cue.frame) for cue in CUES)
    for (words, frame), count in counts.items():
        readings = [cue for cue in CUES if (cue.words, cue.frame) == (words, frame)]
        assert count == 1 or [cue.gated for cue in readings] == [True, False], words


def test_longer_cues_are_tried_first() -> None:
    for group in lexicon().cues.values():
        lengths = [len(cue.words) for cue in group]
        assert lengths == sorted(lengths, reverse=True)


def test_nouns_of_effect_and_remedies_are_known_by_word_or_ending() -> None:
    words = lexicon()
    assert words.is_effect("headache")
    assert words.is_effect("dermatitis")
    assert not words.is_effect("letter")
    assert words.is_remedy("surgery")
    assert words.is_remedy("appendectomy")
    assert not words.is_remedy("garden")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("causes", "caus"),
        ("caused", "caus"),
        ("causing", "caus"),
        ("cause", "caus"),
        ("trigger", "trigger"),
        ("is", "is"),
    ],
)
def test_stems_unite_the_forms_of_a_verb(word: str, stem: str) -> None:
    assert stem_of(word) == stem


def test_cues_are_seen_without_tagging() -> None:
    assert lexicon().has_cue(["it", "triggered", "this"])
    assert not lexicon().has_cue(["a", "green", "house"])
