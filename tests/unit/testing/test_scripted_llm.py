from __future__ import annotations

import threading

import pytest

from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.clients.replay import Unrecorded
from aitia.errors import ModelError
from aitia.testing import ScriptedLLM


def ask(user):
    return LLMRequest("claims", "claims", "three words here", user)


MANY = [ask(f"{i}") for i in range(40)]


@pytest.mark.parametrize("jobs", [1, 16])
def test_replies_and_requests_are_in_order(jobs):
    llm = ScriptedLLM(lambda request: request.user, jobs=jobs)
    told = {}
    replies = llm.map(MANY, told.__setitem__)
    assert [reply.text for reply in replies] == [request.user for request in MANY]
    assert told == dict(enumerate(replies))
    assert llm.requests == MANY


def test_jobs_are_threads_and_shuffled():
    first = []
    together = threading.Barrier(4, timeout=10)  # breaks unless four threads meet

    def answer(request):
        together.wait()
        first.append(request.user)
        return "x"

    ScriptedLLM(answer, jobs=4).map(MANY)
    assert sorted(first, key=int) == [request.user for request in MANY]
    assert first != sorted(first, key=int)


def test_a_text_is_counted_in_words():
    assert ScriptedLLM(lambda request: "two words").map([ask("a")]) == [
        LLMReply("two words", prompt_tokens=4, completion_tokens=2)
    ]


def test_an_exception_is_raised_and_ends_it():
    llm = ScriptedLLM(lambda request: ModelError("down") if request.user == "2" else "x")
    with pytest.raises(ModelError, match="down"):
        llm.map(MANY)
    assert llm.requests == MANY[:3]


def test_a_mapping_answers_by_key():
    llm = ScriptedLLM({ask("a").key("m"): "A", ask("b").key("m"): LLMReply("{", "length")}, "m")
    assert [reply.text for reply in llm.map([ask("b"), ask("a")])] == ["{", "A"]
    with pytest.raises(Unrecorded) as caught:
        llm.map([ask("c")])
    assert caught.value.missing == (ask("c"),)


def test_a_recording_plays_back_exactly(tmp_path):
    path = tmp_path / "recording.jsonl"
    asked = [ask("b"), ask("a"), ask("b"), ask("line\u2028end \ud83d")]
    llm = ScriptedLLM(lambda request: LLMReply(request.user, "length", 5, 3, 0.25, 2, "cut"), "m")
    replies = llm.map(asked)
    llm.record(path)
    assert len(path.read_text().splitlines()) == 3
    again = ScriptedLLM(path, "m", jobs=4)
    assert again.map(asked) == replies
    again.record(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()
    with pytest.raises(Unrecorded):
        ScriptedLLM(path, "other").map(asked)


def test_a_stream_is_the_text_in_words():
    pieces = []
    reply = ScriptedLLM(lambda request: " one  two\n").stream(ask("a"), pieces.append)
    assert pieces == [" ", "one  ", "two\n"]
    assert "".join(pieces) == reply.text
