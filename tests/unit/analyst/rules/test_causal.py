"""Causal links of single sentences, worked by hand."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.causal import CausalLink, causal_links
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.corpus.chunk import Chunk


def read(text: str) -> Sentence:
    sentences = read_sentences(Chunk(text, "a.txt", 0, 0, len(text), text))
    assert len(sentences) == 1
    return sentences[0]


def links(text: str) -> list[CausalLink]:
    return list(causal_links(read(text)))


def heads(text: str) -> set[tuple[str, str]]:
    sentence = read(text)
    return {
        (sentence.tokens[link.cause_head].text.lower(), sentence.tokens[link.effect_head].text.lower())
        for link in causal_links(sentence)
    }


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The storm caused severe damage.", "storm", "damage"),
        ("The damage was caused by the storm.", "storm", "damage"),
        ("The damage caused by the storm was severe.", "storm", "damage"),
        ("The damage that the storm caused was severe.", "storm", "damage"),
        ("The damage, which was mainly caused by the storm, was severe.", "storm", "damage"),
        ("The drought led to famine.", "drought", "famine"),
        ("Famine resulted from the drought.", "drought", "famine"),
        ("The famine resulting from the drought lasted years.", "drought", "famine"),
        ("Heavy rain fell, leading to floods.", "rain", "floods"),
        ("Smoking is a cause of cancer.", "smoking", "cancer"),
        ("Smoking is one of the leading causes of cancer.", "smoking", "cancer"),
        ("Obesity is a risk factor for diabetes.", "obesity", "diabetes"),
        ("The virus is responsible for the fever.", "virus", "fever"),
        ("Nausea is a side effect of surgery.", "surgery", "nausea"),
        ("Deaths due to malaria fell.", "malaria", "deaths"),
        ("Because of the drought, prices rose.", "drought", "prices"),
        ("The effect of caffeine on sleep is known.", "caffeine", "sleep"),
        ("Caffeine has an effect on sleep.", "caffeine", "sleep"),
        ("Drug-induced hepatitis is rare.", "drug-induced", "hepatitis"),
        ("Cancer-causing chemicals are banned.", "chemicals", "cancer-causing"),
        ("Germs are organisms that cause disease.", "germs", "disease"),
        ("Smoking increases the risk of stroke.", "smoking", "stroke"),
        ("The price depends on demand.", "demand", "price"),
        ("Aspirin is used to treat headaches.", "aspirin", "headaches"),
        ("Headaches are treated with aspirin.", "aspirin", "headaches"),
        ("Doctors use aspirin to relieve pain.", "aspirin", "pain"),
        ("The disk was full, therefore the write failed.", "disk", "write"),
    ],
)
def test_cause_and_effect_stand_where_the_cue_says(text: str, cause: str, effect: str) -> None:
    assert (cause, effect) in heads(text)
    assert (effect, cause) not in heads(text)


def test_coordinations_give_all_pairs() -> None:
    assert heads("Smoking, obesity and stress cause cancer and disease.") == {
        (cause, effect) for cause in ("smoking", "obesity", "stress") for effect in ("cancer", "disease")
    }


def test_lists_behind_a_noun_give_all_pairs() -> None:
    assert heads("Side effects of chemotherapy include nausea, fatigue and pain.") == {
        ("chemotherapy", "nausea"),
        ("chemotherapy", "fatigue"),
        ("chemotherapy", "pain"),
    }
    assert heads("Causes of anemia include malaria and infection.") == {
        ("malaria", "anemia"),
        ("infection", "anemia"),
    }


def test_one_effect_may_be_the_next_cause() -> None:
    assert heads("The drought led to famine and the famine led to war.") == {
        ("drought", "famine"),
        ("famine", "war"),
    }


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Smoking causes cancer.", "positive"),
        ("Exercise reduces stress.", "negative"),
        ("Vaccines prevent measles.", "negative"),
        ("Diet affects health.", "unclear"),
        ("Smoking does not cause diabetes.", "none"),
        ("Obesity has no effect on height.", "none"),
        ("The fever was not caused by the virus.", "none"),
        ("Smoking not only causes cancer.", "positive"),
    ],
)
def test_polarity_is_the_cues_unless_it_is_negated(text: str, polarity: str) -> None:
    assert [link.polarity for link in links(text)] == [polarity]


def test_hedges_lower_the_confidence() -> None:
    (sure,) = links("Smoking causes cancer.")
    (hedged,) = links("Smoking may cause cancer.")
    assert sure.confidence == 0.9
    assert hedged.confidence == pytest.approx(0.9 * 0.8)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Headaches from stress are common.", {("stress", "headaches")}),
        ("Letters from friends are common.", set()),
        ("He felt pain after the accident.", {("accident", "pain")}),
        ("He felt pain after midnight.", set()),
        ("Factories produce emissions.", {("factories", "emissions")}),
    ],
)
def test_weak_cues_need_a_noun_of_effect_and_no_time(text: str, expected: set[tuple[str, str]]) -> None:
    assert heads(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The tumor was found last year.",
        "The removed tissue was small.",
        "The cause of the fire is unknown.",
        "He reads books in the garden.",
    ],
)
def test_nothing_is_stated_without_both_arguments(text: str) -> None:
    assert links(text) == []


def test_spans_hold_the_phrase_and_its_complements() -> None:
    sentence = read("The loss of appetite was caused by infection of the liver.")
    (link,) = causal_links(sentence)
    words = [token.text for token in sentence.tokens]
    assert words[link.effect[0] : link.effect[1] + 1] == ["loss", "of", "appetite"]
    assert words[link.cause[0] : link.cause[1] + 1] == ["infection", "of", "the", "liver"]
    assert words[link.cue_span[0] : link.cue_span[1] + 1] == ["caused", "by"]


def test_a_glued_heading_is_no_argument() -> None:
    assert heads("Hair loss Chemotherapy causes nausea.") == {("chemotherapy", "nausea")}
