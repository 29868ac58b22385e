from __future__ import annotations

import pytest

from aitia.clients.ledgered import LedgerLLM
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.clients.replay import ReplayLLM, Unrecorded
from aitia.errors import ModelError
from aitia.testing import MemoryLedger, ScriptedLLM

A, B, C = (LLMRequest("claims", "claims", "system", user) for user in "abc")


@pytest.fixture
def ledger():
    ledger = MemoryLedger()
    LedgerLLM(ScriptedLLM(lambda request: request.user), ledger, settings=LLMSettings(model="m")).map([A, B])
    return ledger


def test_replies_come_from_the_ledger(ledger):
    told = []
    replies = ReplayLLM("scripted", ledger).map([B, A, B], lambda i, reply: told.append((i, reply.text)))
    assert [reply.text for reply in replies] == ["b", "a", "b"]
    assert told == [(0, "b"), (1, "a"), (2, "b")]
    assert ReplayLLM("scripted", ledger).map([]) == []


def test_what_is_missing_is_named_once_and_in_order(ledger):
    told = []
    with pytest.raises(Unrecorded) as caught:
        ReplayLLM("scripted", ledger).map([C, A, C], lambda i, reply: told.append(i))
    assert caught.value.missing == (C,)
    assert isinstance(caught.value, ModelError)
    assert str(caught.value) == (
        f"replies not recorded for scripted: 1, the first of step claims (key {C.key('scripted')}). "
        "Ask the model for them, or give the ledger that holds them"
    )
    assert told == []


def test_another_model_has_nothing(ledger):
    with pytest.raises(Unrecorded) as caught:
        ReplayLLM("other", ledger).map([B, A, B])
    assert caught.value.missing == (B, A)


def test_a_retired_reply_is_missing(ledger):
    ledger.retire([A.key("scripted")])
    with pytest.raises(Unrecorded):
        ReplayLLM("scripted", ledger).map([A])
    ledger.add_reply("scripted", A.key("scripted"), A, LLMReply("next"))
    assert ReplayLLM("scripted", ledger).map([A]) == [LLMReply("next")]


def test_a_stream_gives_the_whole_text(ledger):
    pieces = []
    assert ReplayLLM("scripted", ledger).stream(A, pieces.append).text == "a"
    assert pieces == ["a"]
    with pytest.raises(Unrecorded):
        ReplayLLM("scripted", ledger).stream(C, pieces.append)
