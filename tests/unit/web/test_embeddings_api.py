"""``/v1/embeddings`` against OpenAI's own client, and by hand."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from aitia.testing.hash_embedder import HashEmbedder

TEXTS = ["mites and bees", " ", "cold"]


def test_vectors_are_those_of_the_index(client):
    sent = client.post("/v1/embeddings", json={"input": TEXTS, "model": "tiny", "user": "ignored"}).json()
    assert [each["index"] for each in sent["data"]] == [0, 1, 2]
    assert (
        np.array([each["embedding"] for each in sent["data"]], np.float32).tolist()
        == HashEmbedder().embed(TEXTS).tolist()
    )
    assert sent["usage"] == {"prompt_tokens": 5, "total_tokens": 5}
    assert (sent["object"], sent["model"]) == ("list", "tiny")


def test_base64_is_little_endian_float32(client):
    body = {"input": "cold", "model": "hash:64", "encoding_format": "base64"}
    (item,) = client.post("/v1/embeddings", json=body).json()["data"]
    vector = np.frombuffer(base64.b64decode(item["embedding"]), "<f4")
    assert vector.tolist() == HashEmbedder().embed(["cold"])[0].tolist()


def test_models(client):
    assert [each["id"] for each in client.get("/v1/models").json()["data"]] == ["hash:64", "tiny"]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (
            {"input": "a", "model": "text-embedding-3"},
            404,
            "no model 'text-embedding-3'; expected one of hash:64, tiny",
        ),
        ({"input": [], "model": "tiny"}, 400, "0 texts; expected 1 to 2,048"),
        ({"input": ["a"] * 2049, "model": "tiny"}, 400, "2,049 texts; expected 1 to 2,048"),
        ({"input": "a", "model": "tiny", "dimensions": 8}, 400, "dimensions 8; hash:64 has 64"),
        (
            {"input": ["a", ""], "model": "tiny"},
            400,
            "text 1 of input is empty; expected at least one character",
        ),
        ({"input": "", "model": "tiny"}, 400, "text 0 of input is empty; expected at least one character"),
        ({"input": [[1, 2]], "model": "tiny"}, 422, "input.str: input should be a valid string"),
        ({"model": "tiny"}, 422, "input: field required"),
    ],
)
def test_errors_have_the_shape_of_openai(client, body, status, message):
    sent = client.post("/v1/embeddings", json=body)
    assert sent.status_code == status
    assert sent.json() == {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    }


def test_half_of_a_surrogate_pair_is_no_text(client):
    body = b'{"input": ["\\u00e9", "a\\ud800"], "model": "tiny"}'
    refused = client.post("/v1/embeddings", content=body, headers={"content-type": "application/json"})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"].startswith("text 1 of input holds half of a surrogate pair")
