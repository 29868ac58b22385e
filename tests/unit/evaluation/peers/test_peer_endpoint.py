from __future__ import annotations

import base64
import http.client
import json
from threading import Thread

import numpy as np
import pytest

from aitia.corpus.tokens import count_tokens
from aitia.evaluation.peers.endpoint import ChatEndpoint, PeerEndpoint
from aitia.evaluation.peers.loopback import Answer, JsonServer
from aitia.testing import HashEmbedder
from aitia.testing.llm_faults import Faults
from aitia.testing.llm_server import LLMServer

KEY = "sk-the-real-one-0123456789"
CHAT = {
    "model": "what-the-peer-says",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "go"}],
}


def answer(system: str, user: str) -> str:
    return "one two three"


def post(endpoint: PeerEndpoint, path: str, body, key: str | None = None):
    connection = http.client.HTTPConnection(endpoint.base_url.split("/")[2], timeout=5)
    headers = {"Authorization": f"Bearer {key or endpoint.key}"}
    connection.request("POST", path, body if isinstance(body, str) else json.dumps(body), headers)
    reply = connection.getresponse()
    content = reply.read().decode()
    connection.close()
    return reply.status, content


@pytest.fixture
def server():
    with LLMServer(answer=answer, api_key=KEY) as server:
        yield server


@pytest.fixture
def endpoint(server):
    chat = ChatEndpoint("the-configured-one", server.base_url, KEY)
    with PeerEndpoint(chat, HashEmbedder()) as endpoint:
        yield endpoint


def test_a_chat_is_passed_on_with_the_configured_model_and_key_and_counted(endpoint, server):
    status, content = post(endpoint, "/v1/chat/completions", {**CHAT, "temperature": 0.5, "top_k": 3})
    completion = json.loads(content)
    assert status == 200
    assert completion["choices"][0]["message"]["content"] == "one two three"
    assert completion["model"] == "the-configured-one"
    usage = endpoint.meter.read()
    prompt = count_tokens("Be brief.") + count_tokens("go")
    assert (usage.llm_calls, usage.prompt_tokens, usage.reply_tokens) == (1, prompt, 3)
    assert usage.llm_seconds > 0
    assert KEY not in content


def test_a_stream_is_one_piece_with_the_servers_own_count(endpoint):
    body = {**CHAT, "stream": True, "stream_options": {"include_usage": True}}
    status, content = post(endpoint, "/v1/chat/completions", body)
    assert status == 200
    lines = [line.removeprefix("data: ") for line in content.split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    text, end, usage = (json.loads(line) for line in lines[:-1])
    assert text["object"] == "chat.completion.chunk"
    assert text["choices"][0]["delta"]["content"] == "one two three"
    assert end["choices"][0]["finish_reason"] == "stop"
    assert (usage["choices"], usage["usage"]["completion_tokens"]) == ([], 3)
    assert endpoint.meter.read().reply_tokens == 3


def test_who_lacks_the_key_of_the_endpoint_reaches_nobody(endpoint, server):
    status, content = post(endpoint, "/v1/chat/completions", CHAT, key=KEY)
    assert status == 401
    assert endpoint.key not in content
    assert (server.log, endpoint.meter.read().llm_calls) == ((), 0)


def test_errors_pass_with_their_status_and_without_the_key(server):
    with PeerEndpoint(ChatEndpoint("m", server.base_url, f"{KEY}-wrong"), HashEmbedder()) as endpoint:
        status, content = post(endpoint, "/v1/chat/completions", CHAT)
        usage = endpoint.meter.read()
    assert (status, usage.llm_calls, usage.failed) == (401, 0, 1)
    assert KEY not in content


def test_a_rate_limit_is_the_peers_to_wait_for():
    with (
        LLMServer(Faults({"rate_limit": 1.0}), answer=answer) as server,
        PeerEndpoint(ChatEndpoint("m", server.base_url), HashEmbedder()) as endpoint,
    ):
        assert post(endpoint, "/v1/chat/completions", CHAT)[0] == 429


def test_nobody_there_is_a_502():
    with PeerEndpoint(ChatEndpoint("m", "http://127.0.0.1:9/v1"), HashEmbedder()) as endpoint:
        status, content = post(endpoint, "/v1/chat/completions", CHAT)
    assert status == 502
    assert json.loads(content)["error"]["message"]


def test_tokens_that_the_server_does_not_count_are_counted_here():
    message = {"role": "assistant", "content": "four five"}
    completion = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    parts = [{"type": "text", "text": "go on"}, {"type": "text", "text": "now"}]
    body = {"messages": [{"role": "user", "content": parts}, {"role": "assistant", "content": None}]}
    server = JsonServer(lambda path, key, asked: Answer(200, completion))
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    with PeerEndpoint(ChatEndpoint("m", f"{server.address}/v1"), HashEmbedder()) as endpoint:
        assert post(endpoint, "/v1/chat/completions", body)[0] == 200
        usage = endpoint.meter.read()
    server.shutdown()
    server.server_close()
    assert (usage.prompt_tokens, usage.reply_tokens) == (3, 2)


def test_embeddings_are_those_of_the_embedder_as_numbers_and_as_base64(endpoint):
    texts = ["a mite", "a bee"]
    expected = HashEmbedder().embed(texts)
    status, content = post(endpoint, "/v1/embeddings", {"input": texts, "model": "any"})
    assert status == 200
    rows = [item["embedding"] for item in json.loads(content)["data"]]
    np.testing.assert_allclose(rows, expected, rtol=1e-6)
    _, content = post(endpoint, "/v1/embeddings", {"input": "a bee", "encoding_format": "base64"})
    (item,) = json.loads(content)["data"]
    row = np.frombuffer(base64.b64decode(item["embedding"]), dtype="<f4")
    np.testing.assert_array_equal(row, expected[1])
    usage = endpoint.meter.read()
    assert (usage.embedded, usage.llm_calls) == (3, 0)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/embeddings", {"input": [[1, 2]]}, 400),
        ("/v1/embeddings", {}, 400),
        ("/v1/completions", {}, 404),
        ("/v1/embeddings", "no json", 400),
        ("/v1/embeddings", "[1]", 400),
    ],
)
def test_what_it_cannot_answer(endpoint, path, body, status):
    assert post(endpoint, path, body)[0] == status
