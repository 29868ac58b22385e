from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.names import fold
from aitia.spec.opposites import are_opposites, opposed
from aitia.spec.tables import word_pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("stage I", "stage II"),
        ("stage 1", "stage 11"),
        ("stage IIIA", "stage IIIB"),
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
        ("increased survival", "decreasing survival"),
        ("benign tumour", "malignant tumour"),
        ("acute leukaemia", "chronic leukaemia"),
        ("inpatient care", "outpatient care"),
        ("pre-treatment biopsy", "post-treatment biopsy"),
        ("pre-treatment biopsy", "treatment biopsy"),
        ("post-treatment biopsy", "treatment biopsy"),
        ("pretreatment biopsy", "treatment biopsy"),
        ("typical naevus", "atypical naevus"),
        ("symptomatic disease", "asymptomatic disease"),
        ("bilateral surgery", "unilateral surgery"),
        ("dermis", "epidermis"),
        ("nitrate level", "nitrite level"),
        ("lactase deficiency", "lactose deficiency"),
        ("knee arthritis pain", "knee arthrosis pain"),
        ("gastrotomy", "gastrostomy"),
        ("epinephrine dose", "norepinephrine dose"),
        ("insulin clearance", "inulin clearance"),
        ("NSCLC stage", "SCLC stage"),
        ("IgA nephropathy", "IgG nephropathy"),
        ("DSO", "DPO"),
        ("care with drains", "care without drains"),
        ("<5 cm tumour", ">5 cm tumour"),
        ("10 %", "10"),
        ("-5 C", "5 C"),
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
        ("auth-service", "authentication service"),
        ("melanoma", "cutaneous melanoma"),
        ("heart attack", "myocardial infarction"),
        ("increased survival", "improved survival"),
        ("HER2+", "HER2-positive"),
        ("Stage IV", "stage 4"),
    ],
)
def test_other_differences_are_not_the_guards_business(one: str, other: str) -> None:
    assert not opposed(fold(one), fold(other))


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_guard_is_symmetric_and_never_parts_a_name_from_itself(one: str, other: str) -> None:
    assert opposed(fold(one), fold(other)) == opposed(fold(other), fold(one))
    assert not opposed(fold(one), fold(one))


def test_every_pair_of_the_file_is_kept_apart() -> None:
    for one, other in word_pairs("opposites.toml", "words"):
        assert are_opposites(one + "x", other), (one, other)
    for one, other in word_pairs("opposites.toml", "prefixes"):
        assert are_opposites(f"{other}stem", f"{one}stem"), (one, other)
    for one, other in word_pairs("opposites.toml", "suffixes"):
        assert are_opposites(f"stem{one}", f"stem{other}"), (one, other)
    assert not are_opposites("stem", "stems")
