"""Statements that one thing is a kind of another."""

from __future__ import annotations

import pytest

from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.terms import read_terms
from aitia.corpus.chunk import Chunk


def statements(text: str) -> set[tuple[str, str]]:
    found = read_terms(read_sentences(Chunk("d", "d.txt", 0, 0, len(text), text)))
    return {
        (found.name(one.general), found.name(one.member))
        for read in found.sentences
        for one in class_statements(read)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "They sell tools such as hammers, saws and drills.",
            {("tool", "hammer"), ("tool", "saw"), ("tool", "drill")},
        ),
        ("They found cracks, dirt and other defects.", {("defect", "crack"), ("defect", "dirt")}),
        ("Symptoms of flu may include fever and cough.", {("symptom", "fever"), ("symptom", "cough")}),
        ("A hammer is a tool.", {("tool", "hammer")}),
        ("They say that melanoma is a type of skin cancer.", {("skin cancer", "melanoma")}),
        ("They gave her a drug called aspirin.", {("drug", "aspirin")}),
        ("It has features of the engine, such as valves.", {("feature", "valve")}),
    ],
)
def test_patterns(text: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= statements(text)


@pytest.mark.parametrize(
    "text",
    [
        "A hammer is not a tool.",
        "The end of the war is a relief.",
        "Factors such as removing rust matter.",
        "The hammer is in the box.",
    ],
)
def test_what_states_no_class(text: str) -> None:
    assert not {pair for pair in statements(text) if pair != ("relief", "end")}
