"""The stand-in's answers to the prompts of the judged metrics."""

from __future__ import annotations

import json

import pytest

from aitia.analyst.llm.prompt import load_prompts
from aitia.testing.stand_in import answer_prompt


def fence(label, text):
    return f"<<<{label} 3f9a2c71>>>\n{text}\n<<<end {label} 3f9a2c71>>>"


def ask(name, **fields):
    prompt = load_prompts()[name]
    return json.loads(answer_prompt(prompt.system, prompt.render(**fields)))


def test_a_fact_a_sentence_without_marks_and_without_those_that_say_nothing():
    text = "Mites kill bees [1]. Mites kill bees [2]. The evidence does not speak of wasps."
    assert ask("facts", question="Why?", text=fence("Text1", text)) == {
        "facts": [{"fact": "Mites kill bees."}]
    }


def test_a_fact_is_compared_with_the_other_side_only():
    found = ask(
        "compare_facts",
        question="Why?",
        reference=fence("Reference1", "R1. Mites kill bees.\nR2. Cold does not kill a queen."),
        answer=fence("Answer1", "A1. Bees are killed, mites kill them.\nA2. Cold kills a queen."),
        labels="A2 A1 R2 R1",
    )
    said = [(each["fact"], each["supported"]) for each in found["verdicts"]]
    assert said == [("A2", False), ("A1", True), ("R2", False), ("R1", True)]


@pytest.mark.parametrize(("context", "rating"), [("Mites kill bees.", 2), ("Mites kill.", 1), ("Rain.", 0)])
def test_relevance_is_the_share_of_the_question(context, rating):
    sections = f"## Question\nWhy do mites kill bees?\n\n## Context\n{fence('Context1', context)}"
    assert ask("relevance", sections=sections)["ratings"][0]["rating"] == rating
