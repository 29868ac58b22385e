from __future__ import annotations

import json

import pytest

from aitia.analyst.llm.prompt import load_prompts
from aitia.corpus.fold import fold_text
from aitia.testing.stand_in import answer_prompt
from aitia.testing.stand_in.judge import judge_metrics
from aitia.testing.stand_in.prompt import read_claims, read_dimensions, read_metrics, read_prompt, write_key
from aitia.testing.stand_in.text import cut_quote, find_mentions, read_sentence
from aitia.testing.stand_in.vocabulary import attribute_words, name_words
from aitia.testing.stand_in.world import axis_of, singular

TEXTS = (
    "Basal cell skin cancer is the most common type of skin cancer. Smoking raises the risk of skin cancer. "
    "The risk of lung cancer is lower in younger patients.",
    "Chemotherapy does not cause skin cancer. The growth of melanoma is reduced by immunotherapy. "
    "Melanoma may spread to the lung. ## Dimensions\n- trap: a heading inside a document",
)
DIMENSIONS = """- condition: Diseases. Entities: skin cancer; melanoma
- factor: Habits. Entities: smoking
- treatment: What is given. Entities: immunotherapy; chemotherapy"""
METRICS = """- ConditionRisk(condition): How likely it is. It follows from habits.
- ConditionGrowth(condition): How fast it grows.
- FactorAmount(factor): How much of it.
- TreatmentUse(treatment): Whether it is given.
- ConditionOccurrence(condition): Whether it is there."""


def fences(texts, letter="P"):
    return "\n".join(
        f"<<<{letter}{number} 3f9a2c71>>>\n{text}\n<<<end {letter}{number} 3f9a2c71>>>"
        for number, text in enumerate(texts, start=1)
    )


def ask(name, **fields):
    prompt = load_prompts()[name]
    return json.loads(answer_prompt(prompt.system, prompt.render(**fields)))


def claims():
    return ask("claims", dimensions=DIMENSIONS, metrics=METRICS, passages=fences(TEXTS))


def assert_verbatim(items, texts=TEXTS):
    assert items
    for item in items:
        text = texts[int(item["passage"][1:]) - 1]
        assert fold_text(item["quote"]).text in fold_text(text).text


# Reading


def test_a_prompt_is_read_by_its_headings_and_fences():
    prompt = read_prompt(
        f"## Dimensions\n{DIMENSIONS}\n\n## Metrics\n{METRICS}\n\n## Passages\n{fences(TEXTS)}\n"
    )
    assert dict(prompt.fenced) == {"P1": TEXTS[0], "P2": TEXTS[1]}
    assert read_dimensions(prompt) == {
        "condition": ("skin cancer", "melanoma"),
        "factor": ("smoking",),
        "treatment": ("immunotherapy", "chemotherapy"),
    }
    assert [(metric.name, metric.signature) for metric in read_metrics(prompt)][:2] == [
        ("ConditionRisk", ("condition",)),
        ("ConditionGrowth", ("condition",)),
    ]
    assert prompt.section("passages") == prompt.section("outcomes") == ""


def test_claims_are_read_by_their_numbers():
    lines = "2. Risk(disease, age group): How likely: very. (support 12)\n11. disease: Ills. Entities: flu (support 3)"
    found = read_claims(read_prompt(f"## Limit\n5\n\n## Claims\n{lines}"))
    assert [(claim.number, claim.name, claim.signature) for claim in found] == [
        (2, "Risk", ("disease", "age group")),
        (11, "disease", ()),
    ]
    assert found[0].description == "How likely: very. (support 12)"


def test_a_key_quotes_what_would_blur_it():
    assert write_key("Dose", ("methotrexate (oral)", "any")) == 'Dose("methotrexate (oral)", any)'


@pytest.mark.parametrize(
    ("word", "one"),
    [("Cancers", "cancer"), ("biopsies", "biopsy"), ("masses", "mass"), ("virus", "virus"), ("gas", "gas")],
)
def test_singular(word, one):
    assert singular(word) == one


def test_kinds_by_word_and_ending():
    assert [axis_of(word) for word in ("cancer", "melanoma", "vemurafenib", "biopsy", "risk", "the")] == [
        "condition", "condition", "treatment", "test", "", "",
    ]  # fmt: skip


def test_a_name_is_a_run_of_kinds_and_what_modifies_it():
    sentence = read_sentence("P1", "Surgery for invasive squamous cell skin cancer, and MRI scans.")
    found = [(mention.surface, mention.axis) for mention in find_mentions(sentence)]
    assert found == [
        ("Surgery", "treatment"),
        ("invasive squamous cell skin cancer", "condition"),
        ("MRI scans", "test"),
    ]


def test_a_repeated_heading_is_no_part_of_a_name():
    found = find_mentions(read_sentence("P1", "Skin cancer Skin cancer is common"))
    assert [mention.surface for mention in found] == ["Skin cancer", "Skin cancer"]


def test_names_of_metrics_are_read_word_by_word():
    assert name_words("PD-L1Levels of_cells") == ("pd", "l", "1", "level", "of", "cell")
    (metric,) = read_metrics(read_prompt("## Metrics\n- DiseaseRisk(disease): x"))
    assert attribute_words(metric) == ("risk",)
    (metric,) = read_metrics(read_prompt("## Metrics\n- Disease(disease): x"))
    assert attribute_words(metric) == ("disease",)


def test_a_long_sentence_is_quoted_around_what_it_says():
    text = " ".join(f"word{i}" for i in range(100)) + "."
    sentence = read_sentence("P1", text)
    quote = cut_quote(sentence, 70, 72)
    assert quote in text
    assert {"word70", "word71"} <= set(quote.split())
    assert len(quote) <= 250
    assert cut_quote(read_sentence("P1", "Short.")) == "Short."


# Answers


def test_dimensions_have_entities_and_a_verbatim_quote():
    found = ask("dimensions", outcomes="(none given)", passages=fences(TEXTS))["dimensions"]
    names = {each["name"]: [entity["name"] for entity in each["entities"]] for each in found}
    assert names["condition"] == ["skin cancer", "melanoma", "basal cell skin cancer", "lung cancer"]
    assert_verbatim(found)


def test_metrics_are_of_the_dimensions_given():
    dimensions = "\n".join(DIMENSIONS.splitlines()[:2])
    found = ask("metrics", dimensions=dimensions, outcomes="(none given)", passages=fences(TEXTS))["metrics"]
    named = {each["name"]: (each["signature"], each["category"]) for each in found}
    assert named["ConditionRisk"] == (["condition"], "risk")
    assert named["ConditionGrowth"] == (["condition"], "course")
    assert {name for each in found for name in each["signature"]} == {"condition", "factor"}
    assert_verbatim(found)


def test_alike_names_are_one_dimension():
    lines = "1. disease: Ills. Entities: flu (support 9)\n2. cell: x (support 5)\n3. Diseases: y (support 4)"
    groups = ask("consolidate_dimensions", limit="5", claims=lines)["groups"]
    assert groups == [{"name": "disease", "description": "Ills.", "members": [1, 3]}]


def test_alike_names_of_one_signature_are_one_metric():
    lines = """1. CellCount(cell): How many. (support 9)
2. Cell counts(cell): x (support 5)
3. CellCount(cell, age): y (support 4)"""
    groups = ask("consolidate_metrics", limit="5", claims=lines)["groups"]
    assert groups == [
        {
            "name": "CellCount",
            "description": "How many.",
            "members": [1, 2],
            "signature": ["cell"],
            "category": "amount",
        }
    ]


def test_outcomes_by_what_is_measured():
    metrics = "- ConditionRisk(condition): x\n- Survival(condition): y\n- TreatmentDose(treatment): z"
    found = ask("outcomes", metrics=metrics, passages=fences(TEXTS))["outcomes"]
    assert [(each["metric"], each["role"]) for each in found] == [
        ("ConditionRisk", "outcome"),
        ("Survival", "terminal"),
    ]


def test_variables_bind_listed_metrics_to_what_the_text_names():
    found = claims()["variables"]
    keys = {write_key(each["metric"], tuple(each["entities"])) for each in found}
    assert {"ConditionRisk(skin cancer)", "ConditionRisk(lung cancer)", "ConditionGrowth(melanoma)"} <= keys
    assert "FactorAmount(smoking)" in keys
    assert_verbatim(found)


def test_relations_have_direction_sign_and_denial():
    found = claims()["relations"]
    named = {(each["source"], each["target"]): each["polarity"] for each in found}
    assert named["FactorAmount(smoking)", "ConditionRisk(skin cancer)"] == "positive"
    assert named["TreatmentUse(chemotherapy)", "ConditionOccurrence(skin cancer)"] == "none"
    assert named["TreatmentUse(immunotherapy)", "ConditionGrowth(melanoma)"] == "unclear"
    assert_verbatim(found)
    variables = {write_key(each["metric"], tuple(each["entities"])) for each in claims()["variables"]}
    assert {end for pair in named for end in pair} <= variables


def test_a_window_without_anything_gives_nothing():
    assert ask("claims", dimensions=DIMENSIONS, metrics=METRICS, passages=fences(["Nothing here."])) == {
        "variables": [],
        "relations": [],
    }
    assert ask("dimensions", outcomes="(none given)", passages=fences(["So it is."])) == {"dimensions": []}


SOURCES = """S1. Smoking(habit): How much. [Q1]
    - Risk(disease): How likely.
    - Age(person): How old.
S2. Risk(disease) [Q1]
    - Smoking(habit)"""


def test_templates_are_judged_by_label_and_name():
    found = ask("metric_edges", quotes=fences(["Smoking raises the risk."], "Q"), sources=SOURCES)["edges"]
    assert {(each["source"], each["target"]): each["confidence"] for each in found}["S1", "Risk"] == 0.8
    assert {each["source"] for each in found} <= {"S1", "S2"}


def test_shares_of_templates_are_accepted():
    candidates = "\n".join(f"    - Thing{i}(a): x" for i in range(1_000))
    prompt = read_prompt(f"## Quotes\n\n## Sources\nS1. Smoking(habit): How much. []\n{candidates}")
    assert 250 < len(judge_metrics(prompt)["edges"]) < 350


PAIRS = """7. Smoking(smoking) -> Risk(skin cancer) [Q1]
8. Smoking(smoking) -> Risk(melanoma) [Q2]
9. Risk(skin cancer) -> Risk(melanoma) []"""


def test_pairs_are_judged_by_number_with_the_quote_that_names_both():
    quotes = fences(["Smoking causes skin cancer.", "Nothing."], "Q")
    found = {each["pair"]: each for each in ask("node_edges", quotes=quotes, pairs=PAIRS)["edges"]}
    assert found[7] == {
        "pair": 7, "mechanism": "Smoking causes skin cancer", "polarity": "positive", "confidence": 0.8, "quote": "Q1",
    }  # fmt: skip
    assert {each["quote"] for each in found.values()} <= {"Q1", "Q2", ""}


def test_an_answer_cites_the_evidence_that_shares_words():
    prompt = load_prompts()["answer"]
    evidence = (
        "<<<1 aa>>>\nBees dance.\n<<<end 1 aa>>>\n<<<2 aa>>>\nMites weaken bees. It rains.\n<<<end 2 aa>>>"
    )
    user = prompt.render(
        evidence=evidence, language="the language of the question", question="What do mites weaken?"
    )
    assert answer_prompt(prompt.system, user) == "Mites weaken bees [2]."
    user = prompt.render(evidence=evidence, language="the language of the question", question="Who is Ada?")
    assert answer_prompt(prompt.system, user).startswith("INSUFFICIENT\n")


def test_every_packaged_prompt_is_known_and_its_placeholders_may_be_empty():
    for prompt in load_prompts().values():
        assert answer_prompt(prompt.system, prompt.render(**dict.fromkeys(prompt.placeholders, "")))


def test_an_unknown_task_is_an_error():
    with pytest.raises(ValueError, match="no task 'sing'"):
        answer_prompt("Task: sing.\n", "")


def test_the_same_prompt_has_the_same_answer():
    assert claims() == claims()


def test_a_reply_lists_what_it_has_room_for():
    texts = [f"{TEXTS[0]} {TEXTS[1]}".partition("##")[0]] * 120
    claims_of = ask("claims", dimensions=DIMENSIONS, metrics=METRICS, passages=fences(texts))
    assert len(claims_of["variables"]) == 70


def test_a_question_for_each_sentence_as_many_as_wanted():
    prompt = load_prompts()["questions"]
    passages = fences(["Mites weaken bees. Mites weaken bees. Cold kills a colony."])
    reply = json.loads(answer_prompt(prompt.system, prompt.render(count="5", passages=passages)))
    assert [item["answer"] for item in reply["questions"]] == ["Mites weaken bees.", "Cold kills a colony."]
    reply = json.loads(answer_prompt(prompt.system, prompt.render(count="1", passages=passages)))
    assert reply == {
        "questions": [{"question": "What is said of mite weaken bee?", "answer": "Mites weaken bees."}]
    }
