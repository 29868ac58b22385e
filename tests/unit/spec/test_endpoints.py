from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.endpoints import Match, Vocabulary, match

DISEASES = ("melanoma", "lung tumor", "type 1 diabetes mellitus", "type 2 diabetes mellitus", "AIDS")


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("melanoma", DISEASES, Match("exact", "melanoma")),
        ("Melanomas", DISEASES, Match("exact", "melanoma")),
        ("Lung-Tumors", DISEASES, Match("exact", "lung tumor")),
        ("lung tumour", DISEASES, Match("fuzzy", "lung tumor")),
        ("tumour", ("tumor",), Match("fuzzy", "tumor")),
        ("type 2 diabetes melitus", DISEASES, Match("fuzzy", "type 2 diabetes mellitus")),
        ("aids", DISEASES, Match("exact", "AIDS")),
        ("aid", DISEASES, Match("ambiguous", None, ("AIDS",), guarded=True)),
        ("Stage IIIA", ("stage 3a", "stage 3b"), Match("exact", "stage 3a")),
        ("HER2+", ("HER2-positive", "HER2-negative"), Match("exact", "HER2-positive")),
        ("her2 \u2013", ("HER2-positive", "HER2-negative"), Match("exact", "HER2-negative")),
        ("stage I", ("stage II",), Match("ambiguous", None, ("stage II",), guarded=True)),
        ("T1", ("T2",), Match("unknown")),
        ("HER2+", ("HER2-",), Match("unknown")),
        ("vitamin B1", ("vitamin B12",), Match("ambiguous", None, ("vitamin B12",), guarded=True)),
        (
            "small cell lung cancer",
            ("non-small cell lung cancer",),
            Match("ambiguous", None, ("non-small cell lung cancer",), guarded=True),
        ),
        (
            "hypothyroidism",
            ("hyperthyroidism",),
            Match("ambiguous", None, ("hyperthyroidism",), guarded=True),
        ),
        ("left lung", ("right lung",), Match("unknown")),
        ("cancer", ("lung cancer",), Match("unknown")),
        ("knee injection", ("knee infection",), Match("ambiguous", None, ("knee infection",), guarded=True)),
        ("naevus", (), Match("unknown")),
        ("", ("melanoma",), Match("unknown")),
    ],
)
def test_what_a_name_is_taken_for(name: str, candidates: tuple[str, ...], expected: Match) -> None:
    assert match(name, candidates) == expected


def test_an_alias_is_matched_like_a_name() -> None:
    vocabulary = Vocabulary.of(
        ["melanoma", "naevus"], {"skin cancer": "melanoma", "mole": "naevus", "x": "y"}
    )
    assert vocabulary.match("Skin-cancers") == Match("alias", "melanoma")
    assert vocabulary.match("skin cancre") == Match("fuzzy", "melanoma")
    assert vocabulary.match("x") == Match("unknown")


def test_a_name_comes_before_an_alias() -> None:
    assert match("mole", ["mole", "naevus"], {"Mole": "naevus"}) == Match("exact", "mole")


def test_a_lead_under_five_is_ambiguous() -> None:
    # WRatio 96.8 and 93.3
    found = match("haemorrage rate", ["haemorrhage rate", "hemorrage rates"])
    assert found == Match("ambiguous", None, ("haemorrhage rate", "hemorrage rates"))


def test_two_names_that_fold_to_one_are_ambiguous_unless_one_is_equal() -> None:
    names = ["Crohn's disease", "crohns disease"]
    assert match("CROHNS DISEASE", names) == Match("ambiguous", None, ("Crohn's disease", "crohns disease"))
    assert match("crohns disease", names) == Match("exact", "crohns disease")


def test_an_alias_is_no_runner_up_of_its_own_name() -> None:
    found = match("haemorrage", ["haemorrhage"], {"hemorrhage": "haemorrhage"})
    assert found == Match("fuzzy", "haemorrhage")


names = st.text(alphabet="abeimnort 12+-", max_size=12)


@given(st.lists(names, max_size=6), st.lists(names, max_size=6))
def test_a_batch_answers_like_single_look_ups_in_any_order_of_names(asked, known) -> None:
    together = Vocabulary.of(known).match_all(asked)
    assert together == [match(name, known[::-1]) for name in asked]
    assert all(found.kind == "exact" for name, found in zip(asked, together, strict=True) if name in known)


def test_ten_thousand_look_ups_are_answered() -> None:
    syllables = ["car", "ci", "no", "ma", "tu", "mor", "lym", "pho", "neu", "ro"]
    words = [a + b + c for a in syllables for b in syllables for c in syllables]
    known = [f"{word} {other}" for word, other in zip(words, words[::-1], strict=True)]
    asked = [f"{word}n {other}" for word in words[:100] for other in words[-100:]]
    found = Vocabulary.of(known).match_all(asked)
    assert len(found) == 10_000
