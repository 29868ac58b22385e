from __future__ import annotations

from aitia.analyst.graph_protocols import GateRequest, ModuleSummary
from aitia.analyst.rules.gates import judge_gates
from aitia.spec.model import Quote

WEATHER = ModuleSummary("w", "weather", "")
HOUSE = ModuleSummary("h", "house", "")


def judge(*quotes):
    """Quotes, each of its own chunk unless it is a pair of chunk and text."""
    pairs = [quote if isinstance(quote, tuple) else (f"c{n}", quote) for n, quote in enumerate(quotes)]
    request = GateRequest(
        WEATHER,
        HOUSE,
        ("storm", "frost"),
        ("leak", "burst pipe"),
        tuple(Quote(text=text, chunk_id=chunk) for chunk, text in pairs),
    )
    (claim,) = judge_gates([request])
    return claim


def test_two_documents_that_point_one_way_give_three_quarters():
    claim = judge("The storm caused a leak.", "Leaks were caused by frost.")
    assert (claim.first, claim.second, claim.forward, claim.backward) == ("w", "h", 0.75, 0.0)
    assert claim.reason == (
        "From 'weather' to 'house': 2 sentences that way and 0 sentences back, as \"The storm caused a leak.\""
    )


def test_the_reason_is_told_the_way_the_gate_points():
    claim = judge(
        "A leak caused frost.", "A burst pipe caused frost.", "Leaks cause frost.", "Frost caused a leak."
    )
    assert (claim.forward, claim.backward) == (0.0, 0.667)
    assert claim.reason.startswith(
        "From 'house' to 'weather': 3 sentences that way and 1 sentence (of one document, so not counted) back, "
    )


def test_one_document_is_not_enough_however_often_it_says_so():
    claim = judge(("c", "The storm caused a leak."), ("c", "The frost caused a burst pipe."))
    assert (claim.forward, claim.backward) == (0.0, 0.0)


def test_sentences_both_ways_make_neither_sure():
    claim = judge(
        "The storm caused a leak.",
        "Frost led to a leak.",
        "A leak caused frost.",
        "A burst pipe caused frost.",
    )
    assert (claim.forward, claim.backward) == (0.5, 0.5)


def test_repeats_denials_and_sentences_without_a_cause_do_not_count():
    claim = judge(
        ("c", "The storm caused a leak."),
        ("c", "The storm caused a leak."),
        "The frost had no effect on the leak.",
        "The storm and the leak were seen.",
        "Did frost cause the leak?",
    )
    assert (claim.forward, claim.backward) == (0.0, 0.0)
    assert "1 sentence (of one document, so not counted) that way and 0 sentences back" in claim.reason


def test_no_sentence_no_gate():
    assert judge().reason == "No sentence states a cause between members of the two."


def test_causes_that_a_given_graph_tells_need_no_words():
    told = tuple(Quote(text=f"Frost FREEZES_{n} Pipe", chunk_id=f"c{n}") for n in range(3))
    names = ("frost",), ("pipe",)
    read = (Quote(text="The pipe caused frost.", chunk_id="c9"),)
    one, both, too_few = judge_gates(
        [
            GateRequest(WEATHER, HOUSE, *names, read, told=(told, ())),
            GateRequest(WEATHER, HOUSE, *names, told=(told[:2], told[2:])),
            GateRequest(WEATHER, HOUSE, *names, told=((), told[:1])),
        ]
    )
    assert (one.forward, one.backward) == (0.8, 0.0)
    assert (both.forward, both.backward) == (0.6, 0.0)
    assert (too_few.forward, too_few.backward) == (0.0, 0.0)
