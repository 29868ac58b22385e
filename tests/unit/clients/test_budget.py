from __future__ import annotations

import pytest

from aitia.clients.budget import Budget, worst_cost
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.errors import LimitReached, UsageError

PRICED = LLMSettings(model="m", price_in=10.0, price_out=20.0)
ASKED = LLMRequest("claims", "claims", "one two ", "three", max_tokens=100)  # three tokens


def test_the_worst_is_a_long_prompt_and_the_longest_reply():
    # 1.2 * 3 tokens at 10, 100 tokens at 20, per million
    assert worst_cost(ASKED, 10.0, 20.0) == pytest.approx((36 + 2_000) / 1_000_000)


def test_a_schema_is_part_of_the_prompt():
    asked = LLMRequest("claims", "claims", "one two ", "three", schema="four five", max_tokens=100)
    assert worst_cost(asked, 10.0, 0.0) == pytest.approx(1.2 * 5 * 10 / 1_000_000)


def test_a_script_may_take_a_token_a_byte():
    asked = LLMRequest(
        "claims", "claims", "", "医生", max_tokens=100
    )  # two tokens, six bytes, two characters
    assert worst_cost(asked, 10.0, 0.0) == pytest.approx((1.2 * 2 + 4) * 10 / 1_000_000)


def test_cost_is_of_the_tokens_that_the_server_counted():
    budget = Budget(PRICED, None, 1.0)
    budget.spend(ASKED, LLMReply("x", prompt_tokens=7, completion_tokens=3))
    assert budget.spent == pytest.approx((7 * 10 + 3 * 20) / 1_000_000)
    assert budget.calls == 1


def test_cost_is_the_worst_where_the_server_counted_nothing():
    budget = Budget(PRICED, None, 1.0)
    budget.spend(ASKED, LLMReply("x"))
    assert budget.spent == pytest.approx(2_036 / 1_000_000)


@pytest.mark.parametrize(
    ("prompt", "completion", "cost"),
    [(7, 0, 70 + 2_000), (0, 3, 36 + 60), (-1_000, -5, 2_036), (7, -1, 2_070), (-1, 3, 96)],
)
def test_a_part_that_the_server_did_not_count_costs_the_most_it_may(prompt, completion, cost):
    budget = Budget(PRICED, None, 1.0)
    budget.spend(ASKED, LLMReply("x", prompt_tokens=prompt, completion_tokens=completion))
    assert budget.spent == pytest.approx(cost / 1_000_000)


@pytest.mark.parametrize("finish", ["overflow", "failed"])
def test_a_call_without_a_reply_is_no_call(finish):
    budget = Budget(PRICED, 1, 1.0)
    budget.spend(ASKED, LLMReply("", finish))
    assert (budget.calls, budget.spent, budget.affordable([0.0])) == (0, 0.0, 1)


@pytest.mark.parametrize("finish", ["stop", "length", "filtered"])
def test_a_complete_reply_is_a_call(finish):
    budget = Budget(PRICED, 1, None)
    budget.spend(ASKED, LLMReply("", finish))
    assert (budget.calls, budget.affordable([0.0])) == (1, 0)


def test_affordable_is_the_longest_beginning_that_fits_both_limits():
    assert Budget(PRICED, None, None).affordable([1.0] * 5) == 5
    assert Budget(PRICED, 3, None).affordable([1.0] * 5) == 3
    assert Budget(PRICED, 3, 2.0).affordable([1.0] * 5) == 2
    assert Budget(PRICED, None, 4.0).affordable([1.0, 3.5, 0.1]) == 1  # no call is skipped for a cheaper one
    assert Budget(PRICED, 0, 9.0).affordable([1.0]) == 0
    assert Budget(PRICED, None, 0.0).affordable([0.1]) == 0


@pytest.mark.parametrize("prices", [{}, {"price_in": 1.0}, {"price_out": 1.0}])
def test_a_cost_limit_needs_both_prices(prices):
    with pytest.raises(UsageError, match="--llm price_in=PRICE and --llm price_out=PRICE"):
        Budget(LLMSettings(model="m", **prices), None, 1.0)


def test_a_free_model_has_prices_too():
    assert Budget(LLMSettings(model="m", price_in=0, price_out=0), None, 0.0).affordable([0.0] * 3) == 3


def test_the_message_of_calls():
    budget = Budget(PRICED, 1, 9.0)
    budget.spend(ASKED, LLMReply("x"))
    error = budget.exhausted("claims", [0.1, 0.1])
    assert isinstance(error, LimitReached)
    assert str(error) == (
        "--max-calls 1 reached: calls made 1, requests of the step claims not yet made: 2; "
        "every reply is kept. Raise --max-calls to go on"
    )


def test_the_message_of_cost():
    budget = Budget(LLMSettings(model="m", price_in=0, price_out=1_000_000), 9, 5.0)
    budget.spend(ASKED, LLMReply("x", prompt_tokens=1, completion_tokens=3))
    assert str(budget.exhausted("claims", [4.0])) == (
        "--max-cost 5 reached: calls made 1 for 3, the next may cost 4, requests of the step claims "
        "not yet made: 1; every reply is kept. Raise --max-cost to go on"
    )
