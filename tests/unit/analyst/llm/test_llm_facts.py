"""Facts of texts, and verdicts on facts under labels."""

from __future__ import annotations

import pytest

from aitia.analyst.fact_protocols import FactCounts, FactRequest, FactSets, SupportRequest
from aitia.analyst.llm.compare_facts import compare_facts
from aitia.analyst.llm.facts import extract_facts
from aitia.analyst.llm.support import find_support

WHY = FactRequest("Why does\na hull rust?", "Salt rusts it. Salt rusts it.")
SETS = FactSets("Why?", ("Salt rusts it.", "Rain does."), ("Salt rusts it.", "Paint helps.", "Tar helps."))
SUPPORT = SupportRequest("Why?", ("Salt rusts it.", "Rain does."), "Salt rusts the hull.")


def verdict(fact, supported=True, reason="So it says."):
    return {"fact": fact, "reason": reason, "supported": supported}


def verdicts(*pairs):
    return {"verdicts": [verdict(*pair) for pair in pairs]}


def test_the_facts_of_a_text_each_once_and_on_one_line(ask):
    inquiry, llm = ask({"facts": [{"fact": "Salt  rusts\na hull."}, "Salt rusts a hull.", {"fact": "So."}]})
    assert extract_facts(inquiry, [WHY]) == [("Salt rusts a hull.", "So.")]
    user = llm.requests[0].user
    assert user.startswith("## Question\nWhy does a hull rust?\n\n## Text\n<<<Text1 ")
    assert ">>>\nSalt rusts it. Salt rusts it.\n<<<end Text1 " in user
    assert (llm.requests[0].stage, llm.requests[0].prompt) == ("facts", "facts")


def test_a_blank_text_has_no_facts_and_equal_texts_are_one_call(ask):
    inquiry, llm = ask({"facts": [{"fact": "So."}]})
    assert extract_facts(inquiry, [WHY, FactRequest("Why?", " \n"), WHY]) == [("So.",), (), ("So.",)]
    assert len(llm.requests) == 1


def test_a_text_may_state_nothing(ask):
    inquiry, _ = ask({"facts": []})
    assert extract_facts(inquiry, [WHY]) == [()]


@pytest.mark.parametrize(
    "reply",
    [
        "Sorry.",
        {"facts": [{"fact": " "}, {"fact": ["x"]}]},
        {"facts": [{"fact": "Red quillow seals the drask vorpel."}]},
    ],
)
def test_a_reply_without_any_fact_that_is_one_is_a_failure(ask, reply):
    inquiry, _ = ask(reply)
    assert extract_facts(inquiry, [WHY]) == [None]
    assert inquiry.rejected or inquiry.asker.unread


def test_a_failed_text_is_named_with_its_first_words(ask):
    inquiry, llm = ask("Sorry.")
    extract_facts(inquiry, [FactRequest("Why?", "one two three four five six seven eight nine")])
    assert [one.place for one in inquiry.asker.unread] == [
        'the facts of "one two three four five six seven eight ..."'
    ]
    assert len(llm.requests) == 2


def test_both_sides_are_labelled_in_one_call(ask):
    inquiry, llm = ask(verdicts(("A1",), ("A2", False), ("R1",), ("R2", False), ("R3", False)))
    assert compare_facts(inquiry, [SETS]) == [FactCounts(tp=1, fp=1, fn=2)]
    (request,) = llm.requests
    assert "\nR1. Salt rusts it.\nR2. Paint helps.\nR3. Tar helps.\n" in request.user
    assert "\nA1. Salt rusts it.\nA2. Rain does.\n" in request.user
    assert request.user.endswith("## Facts to be judged\nA1 A2 R1 R2 R3")


def test_what_a_reply_passes_over_is_asked_about_once_more(ask):
    inquiry, llm = ask(verdicts(("A1",), ("R1",), ("R2",)), verdicts(("R3",), ("[a2]", False)))
    assert compare_facts(inquiry, [SETS]) == [FactCounts(tp=1, fp=1, fn=0)]
    assert llm.requests[1].user.endswith("## Facts to be judged\nA2 R3")
    assert "\nA1. Salt rusts it.\nA2." in llm.requests[1].user


def test_a_comparison_without_all_verdicts_is_a_failure(ask):
    inquiry, llm = ask(verdicts(("A1",), ("A9",)))
    assert compare_facts(inquiry, [SETS]) == [None]
    assert len(llm.requests) == 2
    assert {one.detail for one in inquiry.rejected} == {
        "fact A1 is none of those to be judged",
        "fact A9 is none of those to be judged",
    }


def test_a_bare_number_is_a_label_only_where_there_is_one_letter(ask):
    inquiry, _ = ask(verdicts((1,), (2, "no")))
    assert find_support(inquiry, [SUPPORT]) == [(True, False)]
    assert compare_facts(inquiry, [SETS]) == [None]


def test_a_side_without_facts_asks_nobody(ask):
    inquiry, llm = ask("never")
    empty = [FactSets("Why?", (), ("a", "b")), FactSets("Why?", ("a",), ()), FactSets("Why?", (), ())]
    assert compare_facts(inquiry, empty) == [FactCounts(0, 0, 2), FactCounts(0, 1, 0), FactCounts(0, 0, 0)]
    assert llm.requests == []


def test_support_is_a_verdict_a_fact_the_first_of_several(ask):
    inquiry, llm = ask(verdicts(("F2", False), ("F1",), ("F1", False)))
    assert find_support(inquiry, [SUPPORT, SUPPORT]) == [(True, False)] * 2
    (request,) = llm.requests
    assert "## Text\n<<<Text1 " in request.user
    assert "\nF1. Salt rusts it.\nF2. Rain does.\n" in request.user


def test_a_blank_text_supports_nothing_and_asks_nobody(ask):
    inquiry, llm = ask("never")
    requests = [SupportRequest("Why?", ("a", "b"), " "), SupportRequest("Why?", (), "x")]
    assert find_support(inquiry, requests) == [(False, False), ()]
    assert llm.requests == []


def test_a_reply_cut_off_is_asked_for_in_halves_and_is_complete(ask):
    inquiry, llm = ask('{"verdicts": [{"fact": "F1", ', verdicts(("F1",)), verdicts(("F2", False)))
    assert find_support(inquiry, [SUPPORT]) == [(True, False)]
    assert "F2." not in llm.requests[1].user


@pytest.mark.parametrize("bad", [None, "perhaps", 0.5, 2])
def test_a_verdict_is_yes_or_no(ask, bad):
    inquiry, _ = ask(verdicts(("F1", bad), ("F2", True)))
    assert find_support(inquiry, [SUPPORT]) == [None]
    assert {one.reason for one in inquiry.rejected} == {"malformed"}


def test_the_example_is_no_verdict(ask):
    reason = "Red quillow seals the drask vorpel, says the text."
    inquiry, _ = ask({"verdicts": [verdict("F1", reason=reason), verdict("F2", reason=reason)]})
    assert find_support(inquiry, [SUPPORT]) == [None]
    assert {one.reason for one in inquiry.rejected} == {"from_example"}
