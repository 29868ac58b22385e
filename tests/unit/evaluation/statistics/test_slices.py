from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.statistics.slices import AskedQuestion, choose, slices

EPILEPSY = {
    "m": "Mechanistic",
    "h": "Multi-hop Causal",
    "s": "Synthesis",
    "c": "Clinical Reasoning",
    "x": "Counterfactual",
    "f": "Fact Retrieval",
}


def asked(types: dict[str, str]) -> dict[str, AskedQuestion]:
    return {id: AskedQuestion(type) for id, type in types.items()}


def test_the_published_slices_of_epilepsyqa():
    found = slices(asked(EPILEPSY))
    assert found["hop-heavy"] == {"h", "s", "x"}
    assert found["lookup-heavy"] == {"m", "f"}
    assert found["all"] == set(EPILEPSY)


@pytest.mark.parametrize(
    ("types", "hop", "lookup"),
    [
        (("Fact Retrieval", "Complex Reasoning", "Contextual Summarize", "Creative Generation"), "12", "0"),
        (("Single", "Multi", "Null"), "1", "0"),
        (("inference_query", "comparison_query", "temporal_query", "null_query"), "012", None),
        (("computer_science",), None, None),
    ],
)
def test_slices_of_the_other_benchmarks(types, hop, lookup):
    found = slices(asked({str(number): type for number, type in enumerate(types)}))
    assert found.get("hop-heavy") == (hop and set(hop))
    assert found.get("lookup-heavy") == (lookup and set(lookup))


def test_slices_by_passages_of_evidence():
    counts = {"a": 1, "b": 2, "c": 3, "d": 7, "e": 0}
    found = slices({id: AskedQuestion("all", passages) for id, passages in counts.items()})
    assert {name: set(ids) for name, ids in found.items() if name.startswith("evidence")} == {
        "evidence=1": {"a"},
        "evidence=2": {"b"},
        "evidence=3+": {"c", "d"},
    }


def test_the_order_of_questions_does_not_show():
    questions = asked(EPILEPSY)
    backwards = slices(dict(reversed(questions.items())))
    assert list(backwards.items()) == list(slices(questions).items())


def test_names_choose_one_slice_or_all_that_begin_so():
    found = slices(asked(EPILEPSY))
    assert list(choose(found, ["hop-heavy", "all"])) == ["hop-heavy", "all"]
    assert list(choose(found, ["type=Synthesis", "type"])) == [
        "type=Synthesis",
        *(f"type={type}" for type in sorted(EPILEPSY.values()) if type != "Synthesis"),
    ]


def test_a_slice_without_questions_is_refused():
    with pytest.raises(UsageError, match=r"slice 'evidence' holds no question here; expected .* hop-heavy"):
        choose(slices(asked(EPILEPSY)), ["evidence"])
