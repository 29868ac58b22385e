from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.spec.names import fold
from aitia.spec.opposites import opposed
from aitia.spec.spelling import are_variants, respelled


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tumour size", "tumor size"),
        ("anaemia", "anemia"),
        ("paediatric patients", "pediatric patient"),
        ("oesophageal cancer", "esophageal cancer"),
        ("diarrhoea", "diarrhea"),
        ("haemorrhage", "hemorrage"),
        ("orthopaedic surgery", "orthopedic surgery"),
        ("anaesthesia", "anesthesia"),
        ("caesarean section", "cesarean section"),
        ("centre volume", "center volume"),
        ("catheterisation", "catheterization"),
        ("analysed samples", "analyzed samples"),
        ("leucocyte count", "leukocyte count"),
        ("sulphate", "sulfate"),
        ("licence", "license"),
        ("manoeuvre", "maneuver"),
        ("metastases", "metastasis"),
        ("nuclei", "nucleus"),
        ("bacteria", "bacterium"),
        ("vertebrae", "vertebra"),
        ("hospital menus", "hospital menu"),
        ("biopsy indices", "biopsy index"),
        ("neurological signs", "neurologic signs"),
        ("cancer of the lung", "lung cancer"),
        ("type 2 diabetes melitus", "type 2 diabetes mellitus"),
        ("staging clasification", "StagingClassification"),
        ("chemotheraphy", "chemotherapy"),
        ("increased survival", "increase survival"),
        ("esophagael", "esophageal"),
        ("glucose to insulin ratio", "glucose to insulin ratios"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert respelled(fold(one), fold(other))
    assert respelled(fold(other), fold(one))
    assert not opposed(fold(one), fold(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancer", "lung cancer"),
        ("melanoma", "cutaneous melanoma"),
        ("knee injection", "knee infection"),
        ("expression", "depression"),
        ("border", "order"),
        ("flight", "light"),
        ("factors", "facts"),
        ("breathing", "breath"),
        ("younger", "young"),
        ("staging treatment", "starting treatment"),
        ("prednisone", "prednisolone"),
        ("laryngoscope", "laryngoscopy"),
        ("contact dose", "contract dose"),
        ("glucose to insulin ratio", "insulin to glucose ratio"),
        ("lesion size", "size before size"),
    ],
)
def test_other_names(one: str, other: str) -> None:
    assert not respelled(fold(one), fold(other))
    assert not respelled(fold(other), fold(one))


words = st.text(alphabet="aeioursczymplt", min_size=1, max_size=11)


@given(words, words)
def test_variants_are_symmetric(one: str, other: str) -> None:
    assert are_variants(one, other) == are_variants(other, one)
    assert are_variants(one, one)
