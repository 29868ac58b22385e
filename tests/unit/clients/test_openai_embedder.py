from __future__ import annotations

import traceback

import numpy as np
import pytest

from aitia.clients.openai_embedder import MAX_CHARACTERS, MAX_TEXTS, OpenAIEmbedder, _requests
from aitia.errors import EmbedderError, LimitReached
from aitia.testing import EmbeddingServer, HashEmbedder

KEY = "sk-a-very-secret-key"


@pytest.fixture
def server():
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def embedder(server):
    opened = OpenAIEmbedder("small", base_url=server.base_url, api_key=KEY, attempts=1)
    yield opened
    opened.close()


def test_vectors_of_the_server_are_scaled_to_unit_length(embedder):
    texts = ["smoking", "smoking and cancer"]
    np.testing.assert_allclose(embedder.embed(texts), HashEmbedder().embed(texts), atol=1e-6)


def test_the_key_is_sent_and_the_model_named(server, embedder):
    embedder.embed(["smoking"])
    assert server.keys == [f"Bearer {KEY}"]
    assert server.requests[0]["model"] == "small"
    assert server.requests[0]["input"] == ["smoking"]


def test_a_request_holds_at_most_128_texts(server, embedder):
    texts = [f"text {i}" for i in range(MAX_TEXTS + 2)]
    vectors = embedder.embed(texts)
    assert [len(request["input"]) for request in server.requests] == [128, 2]
    np.testing.assert_allclose(vectors, HashEmbedder().embed(texts), atol=1e-6)


def test_a_request_is_bounded_in_characters():
    half = "x" * (MAX_CHARACTERS // 2)
    assert [len(part) for part in _requests([half, half, "y", half])] == [2, 2]
    assert [len(part) for part in _requests([half * 3, "y"])] == [1, 1]


def test_vectors_are_placed_by_their_index(server, embedder):
    server.fault = "reversed"
    texts = ["smoking", "cancer", "a ship"]
    np.testing.assert_allclose(embedder.embed(texts), HashEmbedder().embed(texts), atol=1e-6)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("one too few", "0 vectors for 1 texts, expected one each"),
        ("short", "a vector of 63 dimensions, expected 64"),
        ("NaN", "vector 1 of 1 holds NaN or infinity"),
        ("zeros", "vector 1 of 1 holds zeros only"),
    ],
)
def test_a_faulty_reply_is_asked_for_in_halves_and_then_an_error(server, embedder, fault, message):
    embedder.embed(["first"])
    server.fault = fault
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["smoking", "cancer", "ship", "sea"])
    assert str(caught.value).startswith("openai:small: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [len(request["input"]) for request in server.requests] == [1, 4, 2, 1]


def vectors(values):
    return {"data": [{"index": index, "embedding": [value, 0.0]} for index, value in enumerate(values)]}


@pytest.mark.parametrize(
    "faulty",
    [
        vectors([1.0, 2.0]),
        vectors([1.0, 2.0, float("nan")]),
        vectors([1.0, 0.0, 2.0]),
        {"data": [*vectors([1.0, 2.0])["data"], {"index": 2, "embedding": [1.0]}]},
        {"data": [*vectors([1.0, 2.0])["data"], {"index": 2, "embedding": None}]},
        {"data": [*vectors([1.0, 2.0])["data"], {"index": None, "embedding": [1.0, 2.0]}]},
        {"data": [{"index": 0, "embedding": ["a", "b"]}] * 3},
        {"data": None},
        {"error": {"code": 400, "message": "maximum context length is 8192 tokens"}},
    ],
)
def test_a_fault_of_the_batch_is_mended_by_halves(chat, waited, faulty):
    embedder = OpenAIEmbedder("small", base_url=chat.base_url, sleep=waited.append)
    chat.script = [chat.answer_json(answer) for answer in (faulty, vectors([3.0]), vectors([-2.0, 5.0]))]
    np.testing.assert_array_equal(embedder.embed(["a", "b", "c"]), [[1, 0], [-1, 0], [1, 0]])
    assert [body["input"] for body in chat.bodies] == [["a", "b", "c"], ["a"], ["b", "c"]]
    assert waited == []
    embedder.close()


def test_faults_of_the_way_are_asked_again(chat, waited):
    embedder = OpenAIEmbedder("small", base_url=chat.base_url, sleep=waited.append)
    busy = chat.error(429, headers={"Retry-After": "3"})
    chat.script = [busy, chat.reset, chat.error(500), chat.answer_json(vectors([1.0]))]
    assert embedder.embed(["a"]).tolist() == [[1.0, 0.0]]
    assert len(chat.bodies) == 4
    assert 3 <= waited[0] <= 4
    embedder.close()


def test_a_used_up_quota_stops_at_once(chat, waited):
    embedder = OpenAIEmbedder("small", base_url=chat.base_url, api_key=KEY, sleep=waited.append)
    chat.always = chat.error(429, f"{KEY}: no credit", code="insufficient_quota")
    with pytest.raises(LimitReached, match=r"openai:small: the quota at .* is used up") as caught:
        embedder.embed(["a"])
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert (len(chat.bodies), waited) == (1, [])
    embedder.close()


def test_a_page_instead_of_vectors_is_one_line(chat):
    embedder = OpenAIEmbedder("small", base_url=chat.base_url)
    chat.script = [chat.answer_text("<html>")]
    with pytest.raises(EmbedderError, match=r"gave no usable answer .no vectors but '<html>'"):
        embedder.embed(["a"])
    embedder.close()


@pytest.mark.parametrize("address", ["localhost:8080", "http://", "http://x:y/v1", "http://[x/v1"])
def test_an_address_that_is_none_is_one_line(address):
    with pytest.raises(EmbedderError, match="openai:small: the base URL is not one; expected an address"):
        OpenAIEmbedder("small", base_url=address)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "refused the API key (401). Check the key"),
        (403, "refused the API key (403). Check the key"),
        (404, "answered with an error"),
        (500, "answered with an error"),
    ],
)
def test_a_refusal_is_one_line_without_the_key(server, embedder, status, message):
    server.fault = status
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["smoking"])
    assert message in str(caught.value)
    assert str(status) in str(caught.value)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_later_reply_may_not_change_its_dimensions(server, embedder):
    embedder.embed(["smoking"])
    server.fault = "short"
    with pytest.raises(EmbedderError, match="a vector of 63 dimensions, expected 64"):
        embedder.embed(["smoking"])


def test_no_server_is_one_line():
    with EmbeddingServer() as gone:
        address = gone.base_url
    embedder = OpenAIEmbedder("small", base_url=address, attempts=1)
    with pytest.raises(EmbedderError, match="no answer from http://127") as caught:
        embedder.embed(["smoking"])
    embedder.close()
    assert "\n" not in str(caught.value)


def test_opening_asks_nothing_and_dimensions_are_asked_once(server, embedder):
    assert server.requests == []
    assert embedder.dimensions == embedder.dimensions == 64
    assert len(server.requests) == 1


def test_empty_text_is_sent_as_a_space(server, embedder):
    embedder.embed([""])
    assert server.requests[0]["input"] == [" "]


def test_without_key_and_address_there_is_nobody_to_ask():
    with pytest.raises(
        EmbedderError, match=r"openai:small: no API key given; expected one in AITIA_API_KEY .* --base-url"
    ):
        OpenAIEmbedder("small")


def test_the_environment_is_not_read(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "organisation")
    embedder = OpenAIEmbedder("small", base_url=server.base_url)
    embedder.embed(["smoking"])
    embedder.close()
    assert server.keys == ["Bearer none"]
    with pytest.raises(EmbedderError, match="no API key given"):
        OpenAIEmbedder("small")
