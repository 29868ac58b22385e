"""No limit is passed, whatever the replies are like."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import COMPLETE, LLMReply, LLMRequest
from aitia.errors import LimitReached
from aitia.testing import MemoryLedger, ScriptedLLM

PRICED = LLMSettings(model="scripted", price_in=0, price_out=1_000_000)  # a token of the reply costs 1
CALL = st.tuples(
    st.integers(1, 20),
    st.integers(1, 20),
    st.sampled_from(["stop", "length", "filtered", "overflow", "failed"]),
)


@settings(max_examples=60)
@given(st.lists(CALL, max_size=15), st.integers(0, 10), st.integers(0, 100), st.sampled_from([1, 16]))
def test_no_limit_is_passed_and_none_stops_too_early(calls, max_calls, max_cost, jobs):
    assume(not calls or any(finish != "failed" for *_, finish in calls))  # which is an error of its own
    replies = {
        f"{i}": LLMReply("", finish, 1, min(tokens, longest) if finish in COMPLETE else 0)
        for i, (longest, tokens, finish) in enumerate(calls)
    }
    inner = ScriptedLLM(lambda request: replies[request.user], jobs=jobs)
    llm = LedgerLLM(inner, MemoryLedger(), settings=PRICED, max_calls=max_calls, max_cost=max_cost)
    asked = [LLMRequest("s", "p", "", f"{i}", max_tokens=longest) for i, (longest, *_) in enumerate(calls)]
    try:
        llm.map(asked)
        stopped = False
    except LimitReached:
        stopped = True
    sent = [replies[request.user] for request in inner.requests]
    complete = sum(reply.finish in COMPLETE for reply in sent)
    cost = sum(reply.completion_tokens for reply in sent)
    assert inner.requests == asked[: len(sent)]
    assert complete <= max_calls
    assert cost <= max_cost
    assert stopped == (len(sent) < len(asked))
    if stopped:
        assert complete == max_calls or cost + asked[len(sent)].max_tokens > max_cost
