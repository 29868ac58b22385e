from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.names import clean_name, fold


@pytest.mark.parametrize(
    ("name", "key", "singular"),
    [
        ("Skin Cancers", "skincancers", "skincancer"),
        ("skin-cancer", "skincancer", "skincancer"),
        ("StagingClassification", "stagingclassification", "stagingclassification"),
        ("staging_classifications", "stagingclassifications", "stagingclassification"),
        ("biopsies", "biopsies", "biopsy"),
        ("masses", "masses", "mass"),
        ("metastasis", "metastasis", "metastasis"),
        ("AIDS", "aids", "aids"),
        ("MRIs", "mris", "mri"),
        ("Crohn\u2019s disease", "crohnsdisease", "crohndisease"),
        ("HER2+", "her2positive", "her2positive"),
        ("HER2 \u2212", "her2negative", "her2negative"),
        ("-5 C", "minus5c", "minus5c"),
        ("Stage IIIA", "stage3a", "stage3a"),
        ("stage iv", "stage4", "stage4"),
        ("Types IX", "types9", "type9"),
        ("factor xiv", "factor14", "factor14"),
        ("hepatitis C", "hepatitisc", "hepatitisc"),
        ("vitamin B 12", "vitaminb12", "vitaminb12"),
        ("grade 1-2", "grade1 2", "grade1 2"),
        ("\u2163", "iv", "iv"),
        ("--", "--", "--"),
    ],
)
def test_folded_forms(name: str, key: str, singular: str) -> None:
    folded = fold(name)
    assert (folded.key, folded.singular) == (key, singular)


@given(st.text(max_size=20))
def test_folding_keeps_something_of_every_name(name: str) -> None:
    assert fold(name).key or not name
    assert fold(name) == fold(name)


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [("  a \n b\t", "a b"), ("e\u0301", "\u00e9"), ("a\x00b", "a b"), ("\ud800", ""), ("\u00a0", "")],
)
def test_names_are_cleaned(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
