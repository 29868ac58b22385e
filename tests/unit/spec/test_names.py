from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.names import clean_name, fold, opposed


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("stage I", "stage II"),
        ("stage 1", "stage 11"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("diabetes", "type 2 diabetes"),
        ("small cell lung cancer", "non-small cell lung cancer"),
        ("small cell lung cancer", "nonsmall cell lung cancer"),
        ("hypothyroidism", "hyperthyroidism"),
        ("HER2-positive cancer", "HER2-negative cancer"),
        ("HER2+", "HER2-"),
        ("HER2", "HER2+"),
        ("vitamin B1", "vitamin B12"),
        ("hepatitis A", "hepatitis B"),
        ("T1", "T2"),
        ("left lung", "right lung"),
        ("increased survival", "decreased survival"),
        ("benign tumour", "malignant tumour"),
        ("acute leukaemia", "chronic leukaemia"),
        ("inpatient care", "outpatient care"),
        ("in-patient care", "out-patient care"),
        ("pre-treatment biopsy", "post-treatment biopsy"),
        ("pretreatment biopsy", "treatment biopsy"),
        ("typical naevus", "atypical naevus"),
        ("symptomatic disease", "asymptomatic disease"),
        ("bilateral surgery", "unilateral surgery"),
        ("intravenous dose", "intervenous dose"),
        ("nitrate level", "nitrite level"),
        ("lactase deficiency", "lactose deficiency"),
        ("knee arthritis pain", "knee arthrosis pain"),
        ("epinephrine dose", "norepinephrine dose"),
        ("insulin clearance", "inulin clearance"),
        ("NSCLC stage", "SCLC stage"),
        ("IgA nephropathy", "IgG nephropathy"),
        ("DSO", "DPO"),
        ("melanoma", "cutaneous melanoma"),
        ("glucose to insulin ratio", "insulin to glucose ratio"),
        ("care with drains", "care without drains"),
        ("<5 cm tumour", ">5 cm tumour"),
        ("10 %", "10"),
        ("\u80ba\u764c\u4e00\u671f\u60a3\u8005", "\u80ba\u764c\u4e8c\u671f\u60a3\u8005"),
        ("\U0001f600 mood", "\U0001f622 mood"),
    ],
)
def test_opposites_are_kept_apart(one: str, other: str) -> None:
    assert opposed(fold(one), fold(other))
    assert opposed(fold(other), fold(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tumour size", "tumor size"),
        ("anaemia", "anemia"),
        ("paediatric patients", "pediatric patient"),
        ("oesophageal cancer", "esophageal cancer"),
        ("diarrhoea", "diarrhea"),
        ("haemorrhage", "hemorrhage"),
        ("orthopaedic surgery", "orthopedic surgery"),
        ("anaesthesia", "anesthesia"),
        ("caesarean section", "cesarean section"),
        ("centre volume", "center volume"),
        ("catheterisation", "catheterization"),
        ("leucocyte count", "leukocyte count"),
        ("cancer of the lung", "lung cancer"),
        ("type 2 diabetes melitus", "type 2 diabetes mellitus"),
        ("staging clasification", "StagingClassification"),
        ("increased survival", "increase survival"),
        ("glucose to insulin ratio", "glucose to insulin ratios"),
    ],
)
def test_spellings_are_not(one: str, other: str) -> None:
    assert not opposed(fold(one), fold(other))
    assert not opposed(fold(other), fold(one))


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_guard_is_symmetric_and_never_parts_a_name_from_itself(one: str, other: str) -> None:
    assert opposed(fold(one), fold(other)) == opposed(fold(other), fold(one))
    assert not opposed(fold(one), fold(one))
    assert fold(one).key or not one


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [("  a \n b\t", "a b"), ("e\u0301", "\u00e9"), ("a\x00b", "a b"), ("\ud800", ""), ("\u00a0", "")],
)
def test_names_are_cleaned(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
