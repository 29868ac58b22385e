from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from aitia.clients.ledgered import LedgerLLM, StageTally
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import COMPLETE, LLMReply, LLMRequest
from aitia.errors import LimitReached, ModelError
from aitia.testing import MemoryLedger, ScriptedLLM

SETTINGS = LLMSettings(model="scripted")
BY_REPLY = LLMSettings(model="scripted", price_in=0, price_out=1_000_000)  # a token of the reply costs 1


def ask(user, stage="claims", **other):
    return LLMRequest(stage, "claims", "system", user, **other)


def requests_to(count):
    return [ask(f"{i}") for i in range(count)]


def echo(request):
    return f"of {request.user}"


class InRounds(ScriptedLLM):
    """Remembers how many requests each call of ``map`` had, and how many replies were complete."""

    def __init__(self, answer, **other):
        super().__init__(answer, **other)
        self.rounds = []
        self.complete = 0

    def map(self, requests, on_reply=None):
        self.rounds.append(len(requests))
        replies = super().map(requests, on_reply)
        self.complete += sum(reply.finish in COMPLETE for reply in replies)
        return replies


@pytest.fixture(params=[1, 16], ids=["1 job", "16 jobs"])
def jobs(request):
    return request.param


def test_replies_come_in_the_order_of_the_requests(jobs):
    llm = LedgerLLM(ScriptedLLM(echo, jobs=jobs), MemoryLedger(), settings=SETTINGS)
    assert [reply.text for reply in llm.map(requests_to(50))] == [f"of {i}" for i in range(50)]
    assert llm.map([]) == []


def test_equal_requests_are_asked_once(jobs):
    inner = ScriptedLLM(echo, jobs=jobs)
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS)
    asked = [ask("a"), ask("b"), ask("a"), ask("a", sample=1), ask("b")]
    assert [reply.text for reply in llm.map(asked)] == ["of a", "of b", "of a", "of a", "of b"]
    assert inner.requests == [ask("a"), ask("b"), ask("a", sample=1)]


def test_what_is_in_the_ledger_is_not_asked_again():
    ledger = MemoryLedger()
    first, second = ScriptedLLM(echo), ScriptedLLM(lambda request: "another")
    LedgerLLM(first, ledger, settings=SETTINGS).map([ask("a"), ask("b")])
    replies = LedgerLLM(second, ledger, settings=SETTINGS).map([ask("b"), ask("c"), ask("a")])
    assert [reply.text for reply in replies] == ["of b", "another", "of a"]
    assert second.requests == [ask("c")]


def test_another_model_has_its_own_replies():
    ledger = MemoryLedger()
    LedgerLLM(ScriptedLLM(echo, "one"), ledger, settings=SETTINGS).map([ask("a")])
    (reply,) = LedgerLLM(ScriptedLLM({ask("a").key("two"): "2"}, "two"), ledger, settings=SETTINGS).map(
        [ask("a")]
    )
    assert reply.text == "2"


def test_a_reply_is_committed_before_anything_uses_it(jobs):
    ledger = MemoryLedger()
    asked = [*requests_to(20), ask("0")]
    told = []

    def on_reply(position, reply):
        assert ledger.replies([asked[position].key("scripted")]) == {asked[position].key("scripted"): reply}
        told.append((position, reply.text))

    llm = LedgerLLM(ScriptedLLM(echo, jobs=jobs), ledger, settings=SETTINGS)
    llm.map(asked[:3])
    llm.map(asked, on_reply)
    assert sorted(told) == [*((i, f"of {i}") for i in range(20)), (20, "of 0")]


@pytest.mark.parametrize("finish", ["overflow", "failed"])
def test_a_call_without_a_reply_is_returned_and_not_kept(finish):
    none = LLMReply("", finish, attempts=3, detail="why")
    inner = ScriptedLLM(lambda request: none if request.user == "a" else LLMReply("of b"))
    ledger = MemoryLedger()
    llm = LedgerLLM(inner, ledger, settings=SETTINGS)
    assert llm.map([ask("a"), ask("b")]) == [none, LLMReply("of b")]
    assert ledger.commits == 1
    llm.map([ask("a")])
    assert len(inner.requests) == 3
    assert llm.tally == {"claims": StageTally(calls=1, retries=4)}


@pytest.mark.parametrize("finish", ["length", "filtered"])
def test_a_useless_reply_that_was_paid_for_is_kept(finish):
    inner = ScriptedLLM(lambda request: LLMReply("{", finish))
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS)
    assert llm.map([ask("a")]) == llm.map([ask("a")]) == [LLMReply("{", finish)]
    assert len(inner.requests) == 1


def test_what_was_committed_before_an_error_is_kept(jobs):
    ledger = MemoryLedger()
    inner = ScriptedLLM(lambda request: ModelError("gone") if request.user == "5" else "x", jobs=jobs)
    with pytest.raises(ModelError, match="gone"):
        LedgerLLM(inner, ledger, settings=SETTINGS).map(requests_to(10))
    kept = ledger.totals()[0].calls
    assert kept == len(inner.requests) - 1
    again = ScriptedLLM(echo)
    LedgerLLM(again, ledger, settings=SETTINGS).map(requests_to(10))
    assert len(again.requests) == 10 - kept


def test_the_reply_that_another_process_committed_first_is_used():
    ledger = MemoryLedger()

    def late(request):
        ledger.add_reply("scripted", request.key("scripted"), request, LLMReply("first"))
        return "second"

    assert LedgerLLM(ScriptedLLM(late), ledger, settings=SETTINGS).map([ask("a")]) == [LLMReply("first")]


def test_a_reply_is_the_same_now_and_from_the_ledger():
    llm = LedgerLLM(ScriptedLLM(lambda request: "a\ud83d"), MemoryLedger(), settings=SETTINGS)
    first = llm.map([ask("a")])
    assert first[0].text == "a?"
    assert llm.map([ask("a")]) == first


def test_the_tally_by_stage():
    def answer(request):
        return LLMReply("x", prompt_tokens=5, completion_tokens=2, seconds=0.5, attempts=3)

    llm = LedgerLLM(ScriptedLLM(answer), MemoryLedger(), settings=SETTINGS)
    llm.map([ask("a"), ask("b"), ask("a")])
    llm.map([ask("a"), ask("c", stage="answer")])
    assert llm.tally == {
        "claims": StageTally(2, 1, 10, 4, 4, 1.0, reused_prompt_tokens=5, reused_completion_tokens=2),
        "answer": StageTally(1, 0, 5, 2, retries=2, seconds=0.5),
    }


def test_progress_counts_every_request_once(jobs):
    ledger = MemoryLedger()
    seen = []
    LedgerLLM(ScriptedLLM(echo), ledger, settings=SETTINGS).map([ask("0"), ask("1")])
    llm = LedgerLLM(
        ScriptedLLM(echo, jobs=jobs),
        ledger,
        settings=SETTINGS,
        progress=lambda stage, done, total: seen.append((stage, done, total)),
    )
    llm.map(requests_to(20))
    assert seen == [("claims", done, 20) for done in range(1, 21)]


def test_progress_counts_equal_requests_together():
    seen = []
    llm = LedgerLLM(
        ScriptedLLM(echo), MemoryLedger(), settings=SETTINGS, progress=lambda *args: seen.append(args)
    )
    llm.map([ask("a"), ask("b"), ask("a")])
    assert seen == [("claims", 2, 3), ("claims", 3, 3)]


def test_the_limit_of_calls_is_never_passed(jobs):
    ledger = MemoryLedger()
    inner = InRounds(echo, jobs=jobs)
    llm = LedgerLLM(inner, ledger, settings=SETTINGS, max_calls=7)
    assert len(llm.map(requests_to(5))) == 5
    with pytest.raises(LimitReached, match=r"--max-calls 7 .* made 7, .* claims not yet made: 13;"):
        llm.map(requests_to(20))
    assert inner.requests == requests_to(7)
    assert len(llm.map(requests_to(7))) == 7  # which the ledger answers
    resumed = ScriptedLLM(echo)
    LedgerLLM(resumed, ledger, settings=SETTINGS).map(requests_to(20))
    assert resumed.requests == requests_to(20)[7:]


def test_a_limit_that_is_just_enough_stops_nothing(jobs):
    llm = LedgerLLM(ScriptedLLM(echo, jobs=jobs), MemoryLedger(), settings=SETTINGS, max_calls=20)
    assert len(llm.map(requests_to(20))) == 20


def test_calls_without_a_reply_leave_room_for_others(jobs):
    def answer(request):
        return LLMReply("", "failed") if request.user in "12" else "x"

    inner = InRounds(answer, jobs=jobs)
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS, max_calls=3)
    with pytest.raises(LimitReached, match="claims not yet made: 1;"):
        llm.map(requests_to(6))
    assert (inner.rounds, inner.complete) == ([3, 2], 3)


def test_threads_share_one_limit():
    inner = InRounds(echo, jobs=2)
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS, max_calls=15)

    def build(number):
        try:
            return len(llm.map([ask(f"{number} {i}") for i in range(10)]))
        except LimitReached:
            return 0

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(build, range(4))) == [0, 0, 0, 10]
    assert inner.complete == 15


def test_cost_is_spent_in_rounds_that_cannot_pass_the_limit(jobs):
    # Worst 10 each, really 3: of 35 three fit; 26 are left, two fit; 20: two; 14: one; 11: one; 8: none.
    inner = InRounds(lambda request: LLMReply("x", prompt_tokens=1, completion_tokens=3), jobs=jobs)
    llm = LedgerLLM(inner, MemoryLedger(), settings=BY_REPLY, max_cost=35)
    with pytest.raises(LimitReached, match=r"--max-cost 35 .* made 9 for 27, the next may cost 10, .*: 3;"):
        llm.map([ask(f"{i}", max_tokens=10) for i in range(12)])
    assert inner.rounds == [3, 2, 2, 1, 1]


def test_replies_as_long_as_allowed_use_the_limit_up():
    inner = InRounds(lambda request: LLMReply("x", "length", prompt_tokens=1, completion_tokens=10))
    llm = LedgerLLM(inner, MemoryLedger(), settings=BY_REPLY, max_cost=30)
    with pytest.raises(LimitReached, match="made 3 for 30"):
        llm.map([ask(f"{i}", max_tokens=10) for i in range(4)])
    assert inner.rounds == [3]


def test_a_ledger_costs_nothing():
    ledger = MemoryLedger()
    LedgerLLM(ScriptedLLM(echo), ledger, settings=SETTINGS).map(requests_to(5))
    llm = LedgerLLM(ScriptedLLM({}), ledger, settings=BY_REPLY, max_calls=0, max_cost=0)
    assert len(llm.map(requests_to(5))) == 5
    assert llm.stream(ask("1"), print).text == "of 1"


def test_a_streamed_reply_is_kept():
    inner = ScriptedLLM(lambda request: "two words")
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS)
    pieces = []
    first = llm.stream(ask("a"), pieces.append)
    assert pieces == ["two ", "words"]
    assert llm.stream(ask("a"), pieces.append) == first == llm.map([ask("a")])[0]
    assert pieces == ["two ", "words", "two words"]
    assert len(inner.requests) == 1
    assert (llm.tally["claims"].calls, llm.tally["claims"].reused) == (1, 2)


def test_a_stream_that_failed_is_not_kept():
    ledger = MemoryLedger()
    llm = LedgerLLM(ScriptedLLM(lambda request: LLMReply("", "failed")), ledger, settings=SETTINGS)
    assert llm.stream(ask("a"), print).finish == "failed"
    assert ledger.commits == 0


def test_a_stream_passes_no_limit():
    inner = ScriptedLLM(echo)
    llm = LedgerLLM(inner, MemoryLedger(), settings=SETTINGS, max_calls=1)
    llm.stream(ask("a"), lambda text: None)
    with pytest.raises(LimitReached, match="claims not yet made: 1;"):
        llm.stream(ask("b"), lambda text: None)
    assert inner.requests == [ask("a")]


# Replies of no use, and none at all


def test_a_retired_reply_is_asked_again_and_stays_counted():
    ledger = MemoryLedger()
    llm = LedgerLLM(ScriptedLLM(echo), ledger, settings=SETTINGS)
    llm.map([ask("a"), ask("b")])
    llm.retire([ask("a")])
    llm.map([ask("a"), ask("b")])
    assert llm.tally["claims"].calls == 3
    assert sum(total.calls for total in ledger.totals()) == 3


def failing(*users):
    def answer(request):
        return LLMReply("", "failed", detail="502") if request.user in users else echo(request)

    return answer


def test_a_first_step_without_a_reply_is_an_error():
    llm = LedgerLLM(ScriptedLLM(failing("a", "b")), MemoryLedger(), settings=SETTINGS)
    with pytest.raises(ModelError) as caught:
        llm.map([ask("a"), ask("b")])
    assert str(caught.value) == (
        "scripted: the first 2 requests got no reply (502). Run again when the server is well"
    )


def test_where_one_request_had_a_reply_others_may_fail():
    ledger = MemoryLedger()
    llm = LedgerLLM(ScriptedLLM(failing("a")), ledger, settings=SETTINGS)
    assert [reply.finish for reply in llm.map([ask("a"), ask("b")])] == ["failed", "stop"]
    assert [reply.finish for reply in llm.map([ask("a")])] == ["failed"]
    resumed = LedgerLLM(ScriptedLLM(failing("a")), ledger, settings=SETTINGS)
    assert [reply.finish for reply in resumed.map([ask("b"), ask("a")])] == ["stop", "failed"]
    assert [reply.finish for reply in resumed.map([ask("a")])] == ["failed"]


def test_prompts_that_are_too_long_are_no_failures():
    llm = LedgerLLM(ScriptedLLM(lambda request: LLMReply("", "overflow")), MemoryLedger(), settings=SETTINGS)
    assert llm.map([ask("a")])[0].finish == "overflow"
    assert llm.map([]) == []
