"""Gates: pairs by number, both directions at once."""

from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import GateClaim, GateRequest, ModuleSummary
from aitia.analyst.llm import gates
from aitia.analyst.llm.gates import judge_gates
from aitia.spec.model import Quote

SALT = Quote(text="Salt corrodes the hull.", chunk_id="c1")
HULL, SPEED, WEATHER = (
    ModuleSummary(key, key.title(), f"About {key}.") for key in ("hull", "speed", "weather")
)
REQUESTS = [
    GateRequest(WEATHER, HULL, ("salt", "storm"), ("hull",), (SALT,)),
    GateRequest(HULL, SPEED, ("hull",), ("speed",)),
]


@pytest.fixture(autouse=True)
def one_call(monkeypatch):
    """Nothing begins a call of itself."""
    monkeypatch.setattr(gates, "begins_by_content", lambda key, most: False)


def gate(pair, forward=0.9, backward=0.1, reason="Salt  does."):
    return {"pair": pair, "reason": reason, "forward": forward, "backward": backward}


def test_each_module_is_shown_once_and_pairs_in_the_order_of_their_keys(ask):
    inquiry, llm = ask({"gates": []})
    assert judge_gates(inquiry, REQUESTS) == []
    assert llm.requests[0].user.endswith(
        "## Modules\n"
        "M1. Hull: About hull. Entities: hull\n"
        "M2. Speed: About speed. Entities: speed\n"
        "M3. Weather: About weather. Entities: salt; storm\n\n"
        "## Pairs\n"
        "1. M1 and M2 []\n"
        "2. M3 and M1 [Q1]"
    )


def test_both_directions_come_in_one_claim(ask):
    inquiry, _ = ask({"gates": [gate(1, 0.2, "0.3"), gate(2), gate(2, 0.0, 0.9), gate(7)]})
    assert judge_gates(inquiry, REQUESTS) == [
        GateClaim("weather", "hull", 0.9, 0.1, "Salt does."),
        GateClaim("hull", "speed", 0.2, 0.3, "Salt does."),
    ]
    assert [one.detail for one in inquiry.rejected] == ["pair 7 is none of those asked about"]


@pytest.mark.parametrize("bad", [1.5, -0.1, 90, "high", None])
def test_a_confidence_is_a_number_from_0_to_1(ask, bad):
    inquiry, _ = ask({"gates": [gate(1, bad), gate(2, 0.5, bad)]})
    assert judge_gates(inquiry, REQUESTS) == []
    assert [one.reason for one in inquiry.rejected] == ["malformed"] * 2


def test_pairs_keep_their_numbers_when_a_call_is_halved(ask):
    inquiry, llm = ask("no", {"gates": []}, {"gates": [gate(2)]})
    assert [(claim.first, claim.second) for claim in judge_gates(inquiry, REQUESTS)] == [("weather", "hull")]
    assert "2. M1 and M2 [Q1]" in llm.requests[2].user


def test_the_example_is_no_gate(ask):
    inquiry, _ = ask({"gates": [gate(1, reason="A vorpel that smoofs soon loses its glim.")]})
    assert judge_gates(inquiry, REQUESTS) == []
    assert [one.reason for one in inquiry.rejected] == ["from_example"]


def test_the_order_of_requests_changes_no_prompt(ask):
    (one, first), (other, second) = ask({"gates": []}), ask({"gates": []})
    judge_gates(one, REQUESTS)
    judge_gates(other, REQUESTS[::-1])
    assert first.requests == second.requests


def test_as_many_pairs_a_call_as_the_reply_has_room_for(ask):
    inquiry, llm = ask({"gates": []}, max_output_tokens=100)
    judge_gates(inquiry, REQUESTS)
    assert len(llm.requests) == 2
