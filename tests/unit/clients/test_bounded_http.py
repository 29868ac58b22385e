"""Answers without end, and answers that send the asker elsewhere."""

from __future__ import annotations

import gc
import gzip
import json
import re
import time
import warnings

import pytest

from aitia.clients.llm_settings import LLMSettings
from aitia.clients.openai_embedder import OpenAIEmbedder
from aitia.clients.openai_llm import OpenAILLM
from aitia.clients.protocols import LLMRequest
from aitia.errors import EmbedderError, ModelError

ASKED = LLMRequest("claims", "claims", "Be brief.", "hello")


def redirect(location, status=307):
    def answer(handler, body):
        handler.send_response(status)
        handler.send_header("Location", location)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def drip(content, pause_s, content_type="application/json"):
    """Never silent for long, and never done."""

    def answer(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Type", content_type)
        handler.send_header("Content-Length", str(10**9))
        handler.end_headers()
        while not handler.server.released.wait(pause_s):
            handler.wfile.write(content)
            handler.wfile.flush()

    return answer


def compressed(handler, body):
    content = gzip.compress(b'{"choices": "' + b" " * 20_000_000)
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("location", ["{server}/v1/x?key=secret", "/elsewhere"])
def test_a_redirect_is_not_followed(chat, opened, waited, status, location):
    server = chat.base_url.removesuffix("/v1")
    chat.always = redirect(location.format(server=server), status)
    with pytest.raises(ModelError) as caught:
        opened().map([ASKED])
    to = "another address" if location.startswith("/") else server
    assert str(caught.value) == (
        f"m: {chat.base_url} redirects to {to} ({status}), which is not followed: documents and key would "
        "go there. Give that address as base URL if it is the right one"
    )
    assert (len(chat.bodies), waited) == (1, [])


def test_an_embedder_and_a_stream_follow_no_redirect_either(chat, opened):
    chat.always = redirect("http://user:secret@host.example:81/v1")
    with pytest.raises(ModelError, match=r"redirects to http://host\.example:81 \(307\)"):
        opened().stream(ASKED, print)
    embedder = OpenAIEmbedder("small", base_url=chat.base_url, api_key="sk-key")
    with pytest.raises(EmbedderError, match=r"redirects to http://host\.example:81 \(307\)"):
        embedder.embed(["a"])
    embedder.close()
    assert len(chat.bodies) == 2


def test_an_answer_in_drops_is_left_in_time(chat, opened):
    chat.always = drip(b" ", 0.02)
    (reply,) = opened(timeout_s=0.3, attempts=2).map([ASKED])  # which would not end
    assert (reply.finish, reply.attempts) == ("failed", 2)
    assert re.search("no (whole )?answer in time", reply.detail)


def test_a_stream_in_drops_is_left_in_time_too(chat, opened):
    chat.always = drip(b": alive\n\n", 0.02, "text/event-stream")
    reply = opened(timeout_s=0.1, attempts=1).stream(ASKED, print)  # which would not end
    assert re.search("no (whole )?answer in time", reply.detail)


def test_a_stream_may_take_longer_than_a_whole_answer(chat, opened):
    events = [{"choices": [{"delta": {"content": piece}}]} for piece in ("one ", "two ", "three")]
    events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})

    def slow(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for event in events:
            time.sleep(0.3)
            handler.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            handler.wfile.flush()
        handler.close_connection = True

    chat.always = slow
    assert opened(timeout_s=1.0).stream(ASKED, print).text == "one two three"


@pytest.mark.parametrize("answer", [drip(b" " * 100_000, 0.0), compressed])
def test_an_answer_without_end_is_not_read_to_its_end(chat, opened, answer):
    chat.always = answer
    (reply,) = opened(attempts=2, max_output_tokens=16).map([ASKED])
    assert (reply.finish, reply.attempts) == ("failed", 2)
    assert "an answer of more than 1,002,048 bytes" in reply.detail


def test_a_long_answer_is_read(chat, opened):
    chat.always = chat.ok("x" * 900_000)
    assert len(opened(max_output_tokens=16).map([ASKED])[0].text) == 900_000


def test_a_model_that_nobody_closes_leaves_no_connection_open(chat):
    model = OpenAILLM(LLMSettings(model="m", base_url=chat.base_url), None)
    model.map([ASKED])
    del model
    with warnings.catch_warnings(record=True) as unclosed:
        warnings.simplefilter("always")
        gc.collect()
    assert unclosed == []
