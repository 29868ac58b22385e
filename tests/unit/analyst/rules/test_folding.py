"""Folding: all forms of a noun give one word."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.folding import fold


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("tumor", "tumors"),
        ("biopsy", "biopsies"),
        ("diagnosis", "diagnoses"),
        ("disease", "diseases"),
        ("dose", "doses"),
        ("virus", "viruses"),
        ("mass", "masses"),
        ("box", "boxes"),
        ("headache", "headaches"),
        ("beach", "beaches"),
        ("woman", "women"),
        ("Child", "children"),
        ("patient", "patient's"),
        ("melanoma", "melanoma’s"),
    ],
)
def test_forms_of_a_noun_fold_to_one_word(singular: str, plural: str) -> None:
    assert fold(singular) == fold(plural)


@pytest.mark.parametrize(("one", "other"), [("stage", "staging"), ("lupus", "lupu"), ("gas", "ga")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert fold(one) != fold(other)
