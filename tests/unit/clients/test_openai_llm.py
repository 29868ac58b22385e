from __future__ import annotations

import asyncio
import json
import threading
import traceback

import pytest

from aitia.clients.endpoint import Endpoint
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_llm import OpenAILLM
from aitia.clients.protocols import LLMRequest
from aitia.errors import ModelError

KEY = "sk-canary-0123456789"
SCHEMA = '{"type": "object", "properties": {"a": {"type": "string"}}}'


def request(user="hello", **fields):
    return LLMRequest(stage="claims", prompt="claims", system="Be brief.", user=user, **fields)


# A reply


def test_a_reply_comes_with_the_tokens_that_the_server_counted(chat, opened):
    (reply,) = opened().map([request(max_tokens=50, temperature=0.5)])
    assert (reply.text, reply.finish, reply.attempts) == ("re: hello", "stop", 1)
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 3)
    assert chat.bodies == [
        {
            "model": "m",
            "max_tokens": 50,
            "temperature": 0.5,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}],
        }
    ]
    assert chat.paths == ["/v1/chat/completions"]
    assert chat.headers[0]["authorization"] == f"Bearer {KEY}"


def test_tokens_that_the_server_does_not_count_stay_unknown(chat, opened):
    message = {"content": "one two", "reasoning_content": "let me think"}
    chat.script = [chat.answer_json({"choices": [{"finish_reason": "stop", "message": message}]})]
    (reply,) = opened().map([request()])
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("one two", 0, 0)


@pytest.mark.parametrize(
    ("choice", "text", "finish"),
    [
        ({"finish_reason": "length"}, "re: hello", "length"),
        ({"finish_reason": "content_filter", "message": {"content": None}}, "", "filtered"),
        ({"message": {"content": None, "refusal": "I would rather not"}}, "", "filtered"),
        ({"message": {"content": ""}}, "", "stop"),
        ({"message": {"content": [{"type": "thinking"}, {"type": "text", "text": "so"}]}}, "so", "stop"),
        ({"message": {"content": "a\0b\ud800c"}}, "a\ufffdb?c", "stop"),
    ],
)
def test_how_a_reply_ended(chat, opened, choice, text, finish):
    chat.script = [chat.ok(**choice)]
    (reply,) = opened().map([request()])
    assert (reply.text, reply.finish) == (text, finish)


def test_a_lone_surrogate_can_be_sent(chat, opened):
    assert opened().map([request("a\ud800b")])[0].text == "re: a?b"


def test_no_request_no_call(chat, opened):
    assert opened().map([]) == []
    assert chat.bodies == []


# What the server understands


def test_a_schema_is_asked_for_as_structured_output(chat, opened):
    opened().map([request(schema=SCHEMA)])
    assert chat.bodies[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "claims", "strict": True, "schema": json.loads(SCHEMA)},
    }


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "This response_format type is unavailable now"),
        (404, "no endpoint supports structured outputs"),
        (415, "json_schema is not supported"),
        (422, "response_format: extra fields not permitted"),
        (500, "failed to parse grammar"),
        (501, "schema: not implemented"),
    ],
)
def test_structured_output_is_refused_once_and_then_asked_for_in_words(chat, opened, status, message):
    chat.script = [chat.error(status, message)]
    requests = [request(str(number), schema=SCHEMA) for number in range(20)]
    replies = opened(jobs=8).map(requests)
    assert [reply.text for reply in replies] == [f"re: {number}" for number in range(20)]
    assert len(chat.bodies) == 21
    assert sorted(reply.attempts for reply in replies) == [1] * 19 + [2]
    assert sum("response_format" in body for body in chat.bodies) == 1
    asked = f"Be brief.\n\nReply with one JSON object that fits this JSON schema:\n{SCHEMA}"
    assert [body["messages"][0]["content"] for body in chat.bodies[1:]] == [asked] * 20


def test_structured_output_may_be_insisted_on_or_left_out(chat, opened):
    opened(json_schema="off").map([request(schema=SCHEMA)])
    assert "response_format" not in chat.bodies[0]
    chat.script = [chat.error(400, "response_format is unknown")]
    with pytest.raises(ModelError, match="response_format is unknown"):
        opened(json_schema="on").map([request(schema=SCHEMA)])


def test_an_error_that_repeats_the_request_teaches_nothing(chat, opened):
    chat.script = [chat.error(500, "crashed on {'response_format': 'json_schema'}")]
    assert opened().map([request(schema=SCHEMA)])[0].attempts == 2
    assert "response_format" in chat.bodies[1]


def test_reasoning_models_name_the_limit_otherwise_and_set_the_temperature_themselves(chat, opened):
    chat.script = [
        chat.error(
            400, "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
        ),
        chat.error(400, "Unsupported value: 'temperature' does not support 0.0 with this model."),
    ]
    replies = opened(jobs=4, attempts=1).map([request(str(number)) for number in range(5)])
    assert sorted(reply.attempts for reply in replies) == [1, 1, 1, 1, 3]
    assert all(
        body["max_completion_tokens"] == 8192 and not {"max_tokens", "temperature"} & set(body)
        for body in chat.bodies[2:]
    )


def test_a_classic_azure_deployment(chat, opened):
    opened(api_version="2024-10-21").map([request()])
    assert chat.paths == ["/v1/chat/completions?api-version=2024-10-21"]
    assert chat.headers[0]["api-key"] == KEY


# Several at once


@pytest.mark.parametrize("jobs", [1, 16])
def test_replies_come_in_the_order_of_the_requests(chat, opened, jobs):
    told = {}
    requests = [request(str(number)) for number in range(40)]
    replies = opened(jobs=jobs).map(requests, told.__setitem__)
    assert [reply.text for reply in replies] == [f"re: {number}" for number in range(40)]
    assert told == dict(enumerate(replies))
    assert 1 <= chat.most_at_once <= jobs


def test_on_reply_is_called_where_the_reply_arrives(opened):
    threads = set()
    opened().map([request()], lambda position, reply: threads.add(threading.get_ident()))
    assert threading.get_ident() not in threads


def test_what_is_in_flight_when_the_work_ends_is_still_given_to_on_reply(chat, opened, monkeypatch):
    arrived, ended = threading.Event(), threading.Event()

    def slow(handler, body):
        arrived.set()
        ended.wait(5)
        chat.ok()(handler, body)

    def refuse(handler, body):
        arrived.wait(5)
        chat.error(400, "bad")(handler, body)

    def explain(endpoint, fault, model):
        ended.set()  # by now the client knows that the work has ended
        return "bad"

    monkeypatch.setattr(Endpoint, "explain", explain)
    model = opened(jobs=2)
    model.map([request()])
    chat.said = {"slow": slow, "refused": refuse}
    told = []
    with pytest.raises(ModelError, match="m: bad"):
        users = ["slow", "refused", "never", "never"]
        model.map([request(user) for user in users], lambda position, reply: told.append(reply.text))
    assert told == ["re: slow"]
    assert len(chat.bodies) == 3


def test_an_error_of_on_reply_ends_the_work(chat, opened):
    def full(position, reply):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        opened().map([request(), request()], full)
    assert len(chat.bodies) == 1


def test_an_interrupt_does_not_wait_for_the_server(chat, monkeypatch):
    model = OpenAILLM(LLMSettings(model="m", base_url=chat.base_url), KEY)
    arrived = threading.Event()

    def stall(handler, body):
        arrived.set()
        chat.stall(handler, body)

    class Interrupted(threading.Condition):
        def wait(self, timeout=None):
            arrived.wait(5)
            raise KeyboardInterrupt

    chat.always = stall
    told = []
    with monkeypatch.context() as patch:
        patch.setattr("aitia.clients.crowd.Condition", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.map([request()], lambda position, reply: told.append(position))
    assert told == []
    model.close()


def test_it_works_inside_a_running_event_loop_and_from_several_threads(opened):
    model = opened(jobs=2)

    async def cell():
        return model.map([request("loop")])[0].text

    assert asyncio.run(cell()) == "re: loop"
    texts = {}

    def ask(name):
        texts[name] = model.map([request(name)])[0].text

    threads = [threading.Thread(target=ask, args=(str(number),)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == {str(number): f"re: {number}" for number in range(6)}


# Streams


def test_a_stream_is_passed_on_piece_by_piece(chat, opened):
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    chat.script = [chat.stream("one ", "", "two\0", usage=usage)]
    pieces = []
    reply = opened().stream(request(), pieces.append)
    assert (pieces, reply.text, reply.finish) == (["one ", "two\ufffd"], "one two\ufffd", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (5, 2)
    assert chat.bodies[0]["stream"] is True
    assert chat.bodies[0]["stream_options"] == {"include_usage": True}


def test_a_server_that_counts_no_tokens_of_a_stream(chat, opened):
    chat.script = [chat.error(400, "stream_options: unknown field"), chat.stream("one two", finish="length")]
    reply = opened().stream(request(), lambda piece: None)
    assert (reply.finish, reply.prompt_tokens, reply.completion_tokens, reply.attempts) == ("length", 0, 0, 2)
    assert "stream_options" not in chat.bodies[1]


@pytest.mark.parametrize("whole", [True, False])
def test_a_stream_that_breaks_off_before_its_first_word_is_asked_for_again(chat, opened, whole):
    chat.script = [chat.stream(finish=None, whole=whole), chat.error(500), chat.stream("fine")]
    assert opened().stream(request(), lambda piece: None).attempts == 3


@pytest.mark.parametrize("whole", [True, False])
def test_a_stream_that_breaks_off_later_cannot_be_mended(chat, opened, whole):
    chat.script = [chat.stream("half a", finish=None, whole=whole)]
    pieces = []
    with pytest.raises(
        ModelError, match=r"m: the answer broke off after 6 characters .* Ask again"
    ) as caught:
        opened().stream(request(), pieces.append)
    assert (pieces, len(chat.bodies)) == (["half a"], 1)
    assert "\n" not in str(caught.value)


def test_an_error_amid_a_stream_is_told_without_the_key(chat, opened):
    def answer(handler, body):
        events = [{"choices": [{"index": 0, "delta": {"content": "half"}}]}, {"error": {"message": KEY}}]
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        chat.answer_text(text, "text/event-stream")(handler, body)

    chat.script = [answer]
    with pytest.raises(ModelError, match="broke off after 4 characters") as caught:
        opened().stream(request(), lambda piece: None)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_an_error_of_the_reader_is_no_fault_of_the_stream(chat, opened):
    chat.script = [chat.stream("one ", "two")]

    def closed(piece):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        opened().stream(request(), closed)
    assert len(chat.bodies) == 1


# Opening


def test_without_key_and_address_there_is_nobody_to_ask():
    with pytest.raises(
        ModelError,
        match=r"m: no API key given; expected one in AITIA_API_KEY .* --base-url or AITIA_BASE_URL",
    ):
        OpenAILLM(LLMSettings(model="m"), None)


def test_a_local_server_wants_no_key(chat, opened):
    opened(api_key=None).map([request()])
    assert chat.headers[0]["authorization"] == "Bearer none"


def test_nothing_shows_the_key(opened):
    model = opened()
    assert KEY not in repr(model)
    assert KEY not in str(model)


@pytest.mark.parametrize(
    ("words", "room"),
    [
        ("max_tokens is too large: 8192. This model supports at most 4096 completion tokens.", 4096),
        ("max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m", 4096),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is "
            "4096 tokens and your request has 30 input tokens (8192 > 4096 - 30).",
            2048,
        ),
        (
            "This model's maximum context length is 4096 tokens. However, you requested 8222 tokens (30 in the "
            "messages, 8192 in the completion).",
            2048,
        ),
    ],
)
def test_a_reply_limit_beyond_the_servers_is_learned_once(chat, opened, words, room):
    chat.script = [chat.error(400, words)]
    replies = opened(jobs=1).map([request("a"), request("b")])
    assert [reply.text for reply in replies] == ["re: a", "re: b"]
    assert [body["max_tokens"] for body in chat.bodies] == [8192, room, room]
