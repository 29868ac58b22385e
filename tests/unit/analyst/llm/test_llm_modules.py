"""Summaries: several modules a call, by number."""

from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import ModuleRequest, ModuleSummary
from aitia.analyst.llm import modules
from aitia.analyst.llm.modules import summarize_modules
from aitia.spec.model import Quote

SALT = Quote(text="Salt corrodes the hull.", chunk_id="c1")
REQUESTS = [
    ModuleRequest("b", ("hull", "salt"), ("salt corrodes hull",), (SALT,)),
    ModuleRequest("a", ("ferry", "speed"), (), (SALT,)),
]


@pytest.fixture(autouse=True)
def one_call(monkeypatch):
    """Nothing begins a call of itself."""
    monkeypatch.setattr(modules, "begins_by_content", lambda key, most: False)


def said(number, title="Hulls", summary="Salt corrodes  the hull."):
    return {"module": number, "title": title, "summary": summary}


def test_modules_are_shown_by_number_in_the_order_of_their_keys(ask):
    inquiry, llm = ask({"modules": []})
    assert summarize_modules(inquiry, REQUESTS) == []
    user = llm.requests[0].user
    assert user.count(SALT.text) == 1
    assert user.endswith(
        "## Modules\n"
        "1. Entities: ferry; speed\n    Links: (none)\n    Quotes: [Q1]\n"
        "2. Entities: hull; salt\n    Links: salt corrodes hull\n    Quotes: [Q1]"
    )


def test_summaries_come_in_the_order_of_the_requests_the_first_of_each(ask):
    inquiry, _ = ask({"modules": [said(1, "Ferries"), said(2), said(2, "Again"), said(3)]})
    assert summarize_modules(inquiry, REQUESTS) == [
        ModuleSummary("b", "Hulls", "Salt corrodes the hull."),
        ModuleSummary("a", "Ferries", "Salt corrodes the hull."),
    ]
    assert [one.detail for one in inquiry.rejected] == ["module 3 is none of those asked about"]


def test_a_module_that_is_left_out_has_no_summary(ask):
    inquiry, _ = ask({"modules": [said(2), said(1, " ")]})
    assert [summary.key for summary in summarize_modules(inquiry, REQUESTS)] == ["b"]
    assert [one.reason for one in inquiry.rejected] == ["malformed"]


def test_numbers_stay_when_a_call_is_halved(ask):
    inquiry, llm = ask("no JSON", {"modules": []}, {"modules": [said(2)]})
    assert [summary.key for summary in summarize_modules(inquiry, REQUESTS)] == ["b"]
    assert "2. Entities: hull" in llm.requests[2].user


def test_quotes_are_cut_to_the_best_and_few_modules_share_a_short_reply(ask):
    quotes = tuple(Quote(text=f"Sentence {number}.", chunk_id="c") for number in range(15))
    requests = [ModuleRequest(f"{number}", ("hull",), (), quotes) for number in range(6)]
    inquiry, llm = ask({"modules": []}, max_output_tokens=400)
    summarize_modules(inquiry, requests)
    assert len(llm.requests) == 3  # 200 tokens a summary
    assert "Sentence 9." in llm.requests[0].user
    assert "Sentence 10." not in llm.requests[0].user


def test_the_example_is_no_summary(ask):
    inquiry, _ = ask(
        {"modules": [said(1, summary="Smoofing of the drask vorpel is prevented by thick red quillow. "
                             "A vorpel that smoofs may have a shorter glimspan.")]}
    )  # fmt: skip
    assert summarize_modules(inquiry, REQUESTS) == []
    assert [one.reason for one in inquiry.rejected] == ["from_example"]


def test_nothing_is_asked_about_nothing(ask):
    inquiry, llm = ask({"modules": []})
    assert summarize_modules(inquiry, []) == []
    assert llm.requests == []
