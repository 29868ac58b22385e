"""Relations between variables of a small vocabulary."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.relations import find_relations
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import RelationClaim
from aitia.spec.model import Dimension, Metric

DIMENSIONS = (
    Dimension(
        name="disease", entities=("lung cancer", "diabetes"), aliases={"cancer of the lung": "lung cancer"}
    ),
    Dimension(name="habit", entities=("smoking", "exercise")),
    Dimension(name="symptom", entities=("cough", "fatigue")),
)
METRICS = (
    Metric(name="Disease", signature=("disease",), description="", category="state"),
    Metric(name="Habit", signature=("habit",), description="", category="state"),
    Metric(name="Symptom", signature=("symptom",), description="", category="state"),
    Metric(name="Risk", signature=("disease",), description="", category="property"),
)


def relations(text: str) -> list[RelationClaim]:
    window = ReadingWindow((Chunk("d", "d.txt", 0, 0, len(text), text),))
    return find_relations([window], DIMENSIONS, METRICS, ())


def test_a_link_joins_the_variables_that_its_ends_mention() -> None:
    (claim,) = relations("It is known that smoking causes lung cancer.")
    assert (claim.source, claim.target) == ("Habit(smoking)", "Disease(lung cancer)")
    assert claim.polarity == "positive"
    assert claim.confidence == 0.9
    assert claim.mechanism == "smoking causes lung cancer"


def test_the_quote_is_the_sentence_verbatim_in_its_chunk() -> None:
    text = "Read on.  Smoking\ncauses lung cancer. That is all."
    (claim,) = relations(text)
    assert claim.quote is not None
    assert claim.quote.text == "Smoking\ncauses lung cancer."
    assert claim.quote.text in text
    assert claim.quote.chunk_id == Chunk("d", "d.txt", 0, 0, len(text), text).id


def test_a_passive_turns_the_edge_round() -> None:
    (claim,) = relations("Lung cancer is often caused by smoking.")
    assert (claim.source, claim.target) == ("Habit(smoking)", "Disease(lung cancer)")


def test_every_member_of_a_list_is_an_edge() -> None:
    found = {
        (claim.source, claim.target)
        for claim in relations("Symptoms of lung cancer include cough and fatigue.")
    }
    assert found == {
        ("Disease(lung cancer)", "Symptom(cough)"),
        ("Disease(lung cancer)", "Symptom(fatigue)"),
    }


def test_a_stated_non_effect_is_kept_as_one() -> None:
    (claim,) = relations("Exercise does not cause diabetes.")
    assert claim.polarity == "none"


def test_a_noun_without_content_leaves_its_modifier() -> None:
    (claim,) = relations("Smoking increases cough counts.")
    assert claim.target == "Symptom(cough)"
    assert relations("Smoking increases cough doctors.") == []


def test_a_complement_stands_for_its_head_with_less_confidence() -> None:
    (claim,) = relations("Smoking causes the return of lung cancer.")
    assert claim.target == "Disease(lung cancer)"
    assert claim.confidence == pytest.approx(0.9 * 0.85, abs=0.001)


@pytest.mark.parametrize(
    "text",
    [
        "Does smoking cause lung cancer?",
        "Smoking and lung cancer are studied here.",
        "Lung cancer causes lung cancer.",
        "It causes lung cancer.",
        "Smoking Lung Cancer Diabetes Fatigue Causes Of Exercise And Cough Treatment.",
    ],
)
def test_questions_lists_and_pronouns_state_nothing(text: str) -> None:
    assert relations(text) == []


def test_order_of_windows_is_the_order_of_claims() -> None:
    texts = ("Smoking causes fatigue.", "Exercise prevents diabetes.")
    windows = [
        ReadingWindow((Chunk(text, "d.txt", 0, 0, len(text), text),)) for text in (*texts, *reversed(texts))
    ]
    found = [claim.target for claim in find_relations(windows, DIMENSIONS, METRICS, ())]
    assert found == ["Symptom(fatigue)", "Disease(diabetes)", "Disease(diabetes)", "Symptom(fatigue)"]


def test_a_place_of_the_head_is_not_meant() -> None:
    assert relations("Damage of the road to diabetes causes fatigue.") == []
    assert relations("Smoking causes a picture of lung cancer.") == []


def test_things_set_apart_or_about_the_text_have_no_relation() -> None:
    assert relations("Smoking causes illness other than lung cancer.") == []
    assert relations("As this chapter says, smoking causes lung cancer.") == []


def test_two_things_of_one_kind_are_related_by_change_only() -> None:
    assert [claim.target for claim in relations("Cough causes fatigue.")] == ["Symptom(fatigue)"]
    assert relations("Cough depends on fatigue.") == []
