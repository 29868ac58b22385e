"""The stand-in's answers to the prompts of HugRAG."""

from __future__ import annotations

import json

from aitia.analyst.llm.prompt import load_prompts
from aitia.testing.stand_in import answer_prompt

TEXT = "Varroa mites weaken the colony. Cold winter has no effect on the virus. The queen and her brood."
MODULES = """M1. Mites: About mites. Entities: varroa mites; virus
M2. Colony: About it. Entities: colony
M3. Cold: It. Entities: cold"""
LISTED = """3. Entities: mites; virus
    Links: mites carry virus
    Quotes: [Q1]
4. Entities: cold
    Links: (none)
    Quotes: []"""


def fences(*texts, letter="Q"):
    return "\n".join(
        f"<<<{letter}{number} 3f9a2c71>>>\n{text}\n<<<end {letter}{number} 3f9a2c71>>>"
        for number, text in enumerate(texts, start=1)
    )


def ask(name, **fields):
    prompt = load_prompts()[name]
    return json.loads(answer_prompt(prompt.system, prompt.render(**fields)))


def test_entities_with_causes_denials_and_neighbours():
    found = ask("entities", passages=fences(TEXT, letter="P"))
    assert {"mites", "colony", "Cold winter", "virus", "queen", "brood"} == {
        each["name"] for each in found["entities"]
    }
    links = {(each["source"], each["target"], each["causal"], each["negated"]) for each in found["links"]}
    assert ("mites", "colony", True, False) in links
    assert ("Cold winter", "virus", True, True) in links
    assert ("queen", "brood", False, False) in links
    assert all(each["quote"] in TEXT for each in found["links"])


def test_a_summary_names_its_first_entities_and_quotes():
    found = ask("modules", quotes=fences("Mites carry it."), modules=LISTED)["modules"]
    assert found == [
        {"module": 3, "title": "mites, virus", "summary": "It is about mites and virus. Mites carry it."},
        {"module": 4, "title": "cold", "summary": "It is about cold. It is said that (none)."},
    ]


def test_a_pair_is_judged_by_what_its_quotes_state():
    quotes = fences(
        "Varroa mites weaken the colony.", "The virus damages a colony.", "A colony is due to the cold."
    )
    found = ask("gates", quotes=quotes, modules=MODULES, pairs="5. M1 and M2 [Q1 Q2]\n6. M2 and M3 [Q3]")
    assert [(each["pair"], each["forward"], each["backward"]) for each in found["gates"]] == [
        (5, 0.9, 0.1),
        (6, 0.1, 0.7),
    ]


def test_a_path_is_judged_by_the_direction_of_its_causes():
    lines = "1. a -[weakens: causal]-> b [Q1]\n2. a -[with: structural]-> b []\n3. a <-[kills: causal, against]- b []"
    found = ask("paths", question="Why?", passages=fences("x"), paths=lines)["paths"]
    assert [(each["path"], each["verdict"]) for each in found] == [
        (1, "causal"),
        (2, "spurious"),
        (3, "spurious"),
    ]
