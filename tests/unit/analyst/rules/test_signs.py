"""The sign of a relation where a state word lowers an end, and the stated non-effects."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.relations import find_relations
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.model import Dimension, Metric

DIMENSIONS = (
    Dimension(
        name="thing",
        entities=(
            "water",
            "oxygen",
            "rain",
            "reduced tillage",
            "nitrogen fertiliser",
            "bee",
            "colony",
            "temperature",
            "virus infection",
        ),
    ),
    Dimension(name="trouble", entities=("death", "leakage", "drought", "infestation", "deformity")),
    Dimension(name="place", entities=("groundwater", "cotton", "valley")),
)
METRICS = (
    Metric(name="Thing", signature=("thing",), description="", category="state"),
    Metric(name="Trouble", signature=("trouble",), description="", category="state"),
    Metric(name="Level", signature=("place",), description="", category="property"),
    Metric(name="Efficacy", signature=("thing",), description="", category="property"),
    Metric(name="Yield", signature=("place",), description="", category="property"),
    Metric(name="Strength", signature=("thing",), description="", category="property"),
)

LOSS = Metric(name="Loss", signature=("place",), description="", category="property")


def signs(text: str, *more: Metric) -> list[tuple[str, str, str]]:
    window = ReadingWindow((Chunk("d", "d.txt", 0, 0, len(text), text),))
    claims = find_relations([window], DIMENSIONS, (*METRICS, *more), ())
    return [(claim.source, claim.target, claim.polarity) for claim in claims]


@pytest.mark.parametrize(
    ("text", "source", "target", "polarity"),
    [
        ("Low oxygen causes death.", "Thing(oxygen)", "Trouble(death)", "negative"),
        ("Death is caused by low oxygen.", "Thing(oxygen)", "Trouble(death)", "negative"),
        ("Insufficient water causes death.", "Thing(water)", "Trouble(death)", "negative"),
        ("Lower infestation reduces the yield.", "Trouble(infestation)", "Yield(any)", "positive"),
        ("Loss of water reduces the yield.", "Thing(water)", "Yield(any)", "positive"),
        ("Lack of water causes death.", "Thing(water)", "Trouble(death)", "negative"),
        ("Leakage increases the loss of water.", "Trouble(leakage)", "Thing(water)", "negative"),
        ("Leakage causes a shortage of water.", "Trouble(leakage)", "Thing(water)", "negative"),
        ("Drought causes a decrease in oxygen.", "Trouble(drought)", "Thing(oxygen)", "negative"),
        ("Drought leads to less rain.", "Trouble(drought)", "Thing(rain)", "negative"),
    ],
)
def test_a_word_that_lowers_an_end_turns_the_sign_round(
    text: str, source: str, target: str, polarity: str
) -> None:
    assert signs(text) == [(source, target, polarity)]


def test_two_lowered_ends_leave_the_sign() -> None:
    assert signs("Decreased rain leads to lower infestation.") == [
        ("Thing(rain)", "Trouble(infestation)", "positive")
    ]


def test_a_level_is_lowered_by_the_word_before_it() -> None:
    found = signs("A low level of groundwater reduces the yield of cotton.")
    assert found == [("Level(groundwater)", "Yield(cotton)", "positive")]
    found = signs("A low groundwater level reduces the yield of cotton.")
    assert found == [("Level(groundwater)", "Yield(cotton)", "positive")]


@pytest.mark.parametrize(
    ("text", "source", "polarity"),
    [
        ("High oxygen causes death.", "Thing(oxygen)", "positive"),
        ("An increase in oxygen causes death.", "Thing(oxygen)", "positive"),
        ("A reduction in the level of groundwater causes death.", "Level(groundwater)", "negative"),
        ("A little water causes death.", "Thing(water)", "positive"),
        ("Reduced tillage causes death.", "Thing(reduced tillage)", "positive"),
    ],
)
def test_the_sign_counts_what_lowers_and_not_what_raises_or_belongs_to_the_variable(
    text: str, source: str, polarity: str
) -> None:
    assert signs(text) == [(source, "Trouble(death)", polarity)]


def test_a_metric_of_the_word_itself_keeps_its_sign() -> None:
    found = signs("The loss of groundwater causes death.", LOSS)
    assert found == [("Loss(groundwater)", "Trouble(death)", "positive")]
    found = signs("A lower loss of groundwater causes death.", LOSS)
    assert found == [("Loss(groundwater)", "Trouble(death)", "negative")]


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        ("Nitrogen fertiliser had no effect on cotton yield.", "Thing(nitrogen fertiliser)", "Yield(cotton)"),
        (
            "The loss of 300 bees has no effect on the strength of a colony.",
            "Thing(bee)",
            "Strength(colony)",
        ),
        ("The yield does not depend on temperature.", "Thing(temperature)", "Yield(any)"),
        ("Rain does not affect the yield.", "Thing(rain)", "Yield(any)"),
        ("Its efficacy does not depend on temperature.", "Thing(temperature)", "Efficacy(any)"),
        ("Rain does not have an effect on the yield.", "Thing(rain)", "Yield(any)"),
        ("Rain did not increase or decrease the yield.", "Thing(rain)", "Yield(any)"),
        ("Neither the rain nor drought affects the yield.", "Thing(rain)", "Yield(any)"),
    ],
)
def test_a_stated_non_effect_is_of_the_very_pair(text: str, source: str, target: str) -> None:
    assert (source, target, "none") in signs(text)
    assert {polarity for *_, polarity in signs(text)} == {"none"}


def test_what_is_not_shown_is_no_non_effect() -> None:
    assert signs("Bees infected as adults show no deformity.") == []
    text = (
        "Bees infected as adults show no deformity, but virus infection with the drought impairs the yield."
    )
    assert "none" not in {polarity for *_, polarity in signs(text)}


def test_a_subject_that_is_missing_is_no_denied_effect() -> None:
    assert signs("No water causes death.")[0][2] != "none"


def test_a_contrast_begins_a_clause_of_its_own() -> None:
    found = signs("Rain does not cause drought but oxygen reduces the yield.")
    assert found == [
        ("Thing(rain)", "Trouble(drought)", "none"),
        ("Thing(oxygen)", "Yield(any)", "negative"),
    ]
    found = signs("Rain causes drought but increases the yield.")
    assert ("Thing(rain)", "Yield(any)", "positive") in found


def test_where_a_change_is_everywhere_is_a_place() -> None:
    assert signs("Drought leads to a rise in all colonies.") == []
    assert signs("Drought leads to a rise in temperature.") == [
        ("Trouble(drought)", "Thing(temperature)", "positive")
    ]
