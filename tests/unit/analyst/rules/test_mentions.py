"""Which variables a sentence mentions: binding of attributes, ownership, states."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.mentions import MentionIndex, attribute_words
from aitia.corpus.chunk import Chunk
from aitia.spec.model import Dimension, Metric

DIMENSIONS = (
    Dimension(name="disease", entities=("melanoma", "lung cancer", "ALL"), aliases={"MM": "melanoma"}),
    Dimension(name="treatment", entities=("chemotherapy", "surgery")),
    Dimension(name="symptom", entities=("nausea", "hair loss")),
    Dimension(name="cell", entities=("cancer cell",)),
)


def metric(name: str, signature: str, category: str = "outcome") -> Metric:
    return Metric(name=name, signature=tuple(signature.split()), description="", category=category)


METRICS = (
    metric("DiseaseOccurrence", "disease", "state"),
    metric("TreatmentUse", "treatment", "state"),
    metric("SymptomOccurrence", "symptom", "state"),
    metric("DiseaseTreatment", "disease treatment", "relation"),
    metric("SideEffect", "treatment symptom"),
    metric("Stage", "disease"),
    metric("Growth", "disease"),
    metric("CellGrowth", "cell"),
    metric("TreatmentOption", "treatment"),
    metric("QualityOfLife", "disease"),
)
INDEX = MentionIndex(DIMENSIONS, METRICS)


def found(text: str) -> list[tuple[str, str]]:
    return [
        (" ".join(token.text for token in sentence.tokens[one.first : one.last + 1]), one.variable.key)
        for sentence in read_sentences(Chunk("d", "d.txt", 0, 0, len(text), text))
        for one in INDEX.find(sentence)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The stage of her melanoma is late.", ("stage of her melanoma", "Stage(melanoma)")),
        ("They know her melanoma stage.", ("melanoma stage", "Stage(melanoma)")),
        ("They know the melanoma's stage.", ("melanoma's stage", "Stage(melanoma)")),
        ("The stage was not known.", ("stage", "Stage(any)")),
        (
            "The quality of life with lung cancer falls.",
            ("quality of life with lung cancer", "QualityOfLife(lung cancer)"),
        ),
        ("The growth of cancer cells slows.", ("growth of cancer cells", "CellGrowth(cancer cell)")),
        ("The growth of the melanoma slows.", ("growth of the melanoma", "Growth(melanoma)")),
        ("Surgery for melanoma is safe.", ("Surgery for melanoma", "DiseaseTreatment(melanoma, surgery)")),
        ("They need chemotherapy.", ("chemotherapy", "TreatmentUse(chemotherapy)")),
        ("The treatment was long.", ("treatment", "TreatmentUse(any)")),
        ("Options include surgery.", ("Options", "TreatmentOption(surgery)")),
        ("Nausea is a side effect of surgery.", ("side effect of surgery", "SideEffect(surgery, nausea)")),
    ],
)
def test_one_mention(text: str, expected: tuple[str, str]) -> None:
    assert expected in found(text)


def test_listed_values_give_a_mention_each_and_keep_their_own() -> None:
    assert found("Side effects of chemotherapy include nausea and hair loss.") == [
        ("Side effects of chemotherapy", "SideEffect(chemotherapy, hair loss)"),
        ("Side effects of chemotherapy", "SideEffect(chemotherapy, nausea)"),
        ("nausea", "SymptomOccurrence(nausea)"),
        ("hair loss", "SymptomOccurrence(hair loss)"),
    ]


def test_the_longest_name_wins() -> None:
    assert found("Lung cancer is bad.") == [("Lung cancer", "DiseaseOccurrence(lung cancer)")]


def test_an_alias_is_its_entity_and_an_acronym_needs_its_capitals() -> None:
    assert found("The MM is bad.") == [("MM", "DiseaseOccurrence(melanoma)")]
    assert found("We saw ALL there.") == [("ALL", "DiseaseOccurrence(ALL)")]
    assert found("We saw all there.") == []


def test_an_entity_that_only_modifies_a_person_is_not_mentioned() -> None:
    assert found("Lung cancer patients came.") == []


def test_a_near_entity_that_is_not_bound_leaves_the_attribute_open() -> None:
    assert ("stage", "Stage(any)") in found("Melanoma was found and the stage is late.")


def test_a_name_of_its_own_dimension_is_no_part_of_the_attribute() -> None:
    assert attribute_words(metric("TreatmentOption", "treatment")) == ("option",)
    assert attribute_words(metric("SideEffect", "treatment symptom")) == ("side", "effect")


def test_no_vocabulary_mentions_nothing() -> None:
    text = "Melanoma grows."
    (sentence,) = read_sentences(Chunk("d", "d.txt", 0, 0, len(text), text))
    assert MentionIndex((), ()).find(sentence) == []
