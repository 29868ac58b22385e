from __future__ import annotations

import pytest

from aitia.clients.chat_reply import read_completion, read_stream
from aitia.clients.faults import FaultError


def completion(content="so", usage=None, **choice):
    message = {"role": "assistant", "content": content}
    return {"choices": [{"finish_reason": "stop", "message": message, **choice}], "usage": usage}


MALFORMED = [
    {},
    {"choices": None},
    {"choices": []},
    {"choices": "abc"},
    {"choices": {"a": 1}},
    {"choices": [None]},
    {"choices": ["hello"]},
    completion(message="hello"),
    completion(message=None),
    completion(content=7),
    completion(content={"text": "so"}),
    completion(finish_reason=5),
    completion(finish_reason=["stop"]),
]


@pytest.mark.parametrize("body", MALFORMED)
def test_what_is_no_completion_is_asked_again(body):
    with pytest.raises(FaultError) as caught:
        read_completion(body)
    assert caught.value.fault.kind == "transient"
    assert caught.value.fault.words


@pytest.mark.parametrize("body", MALFORMED)
def test_a_server_that_answers_so_has_failed(chat, opened, body):
    from aitia.clients.protocols import LLMRequest

    chat.always = chat.answer_json(body)
    (reply,) = opened(attempts=2).map([LLMRequest("claims", "claims", "", "hello")])
    assert (reply.finish, reply.attempts) == ("failed", 2)
    assert "gave no usable answer (an answer " in reply.detail


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3}, (7, 3)),
        ({"prompt_tokens": 7, "completion_tokens": None}, (7, 0)),
        ({"prompt_tokens": 7}, (7, 0)),
        ({"prompt_tokens": -7, "completion_tokens": 3}, (0, 3)),
        ({"prompt_tokens": "many", "completion_tokens": "3"}, (0, 0)),
        ({"prompt_tokens": 12.5, "completion_tokens": 3.0}, (0, 0)),
        ({"prompt_tokens": 10**30, "completion_tokens": 10**9 + 1}, (0, 0)),
        ({"prompt_tokens": True, "completion_tokens": [3]}, (0, 0)),
        ([1, 2], (0, 0)),
        ("many", (0, 0)),
        (None, (0, 0)),
    ],
)
def test_a_count_that_cannot_be_true_is_no_count(usage, counted):
    reply = read_completion(completion(usage=usage))
    assert (reply.prompt_tokens, reply.completion_tokens) == counted


def streamed(*pieces):
    told: list[str] = []
    chunks = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    reply = read_stream([*chunks, {"choices": [{"delta": {}, "finish_reason": "stop"}]}], told.append)
    assert reply.text == "".join(told)
    return told


def test_no_piece_ends_amid_a_line_end_or_a_character():
    assert streamed("bees\r", "\n die") == ["bees", "\r\n die"]
    assert streamed("\ud83d", "\ude00 ok") == ["\U0001f600 ok"]
    assert streamed("a\r") == ["a", "\r"]
    assert streamed("a\ud83d") == ["a", "?"]


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": {"a": 1}},
        {"choices": [{"delta": {"content": 7}}]},
        {"choices": [{"delta": {}, "finish_reason": 5}]},
        {"error": "gone"},
    ],
)
def test_a_malformed_piece_is_a_fault(chunk):
    with pytest.raises(FaultError) as caught:
        read_stream([chunk], print)
    assert caught.value.fault.kind == "transient"
