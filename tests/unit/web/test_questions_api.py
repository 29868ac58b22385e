"""Retrieving and asking over REST."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from aitia.errors import ModelError
from aitia.testing.hash_embedder import HashEmbedder
from aitia.testing.tiny_index import COLD, MITES
from aitia.web.settings import Limits
from aitia.workflows.index import Index, open_index
from aitia.workflows.result_json import answer_document, retrieval_document

QUESTION = "What do mites raise?"
TIMES = ("seconds",)


@pytest.fixture
def index(tiny, monkeypatch) -> Index:
    monkeypatch.setattr("aitia.workflows.index.open_embedder", lambda *_, **__: HashEmbedder())
    return open_index(tiny)


def untimed(document: dict) -> dict:
    return json.loads(json.dumps({name: value for name, value in document.items() if name != "seconds"}))


def events(text: str) -> list[tuple[str, dict]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if not block.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_retrieve_is_what_the_library_finds(client, index):
    sent = client.post("/api/tiny/retrieve", json={"question": QUESTION, "explain": True})
    assert untimed(sent.json()) == untimed(retrieval_document(index.retrieve(QUESTION, explain=True)))
    assert sent.json()["contexts"][0] == MITES


def test_options_reach_the_retrieval(client):
    body = {"question": QUESTION, "retrieval": "plain:bm25", "budget_words": 13, "documents": "cold*"}
    assert client.post("/api/tiny/retrieve", json=body).json()["contexts"] == [COLD]


def test_ask_is_what_the_library_answers(client, index):
    sent = client.post("/api/tiny/ask", json={"question": QUESTION}).json()
    answer = answer_document(index.ask(QUESTION))
    assert (sent["answer"], sent["citations"]) == (
        answer["answer"],
        json.loads(json.dumps(answer["citations"])),
    )
    assert sent["citations"][0]["document"] == "mites"


def test_the_stream_ends_with_the_answer(client):
    whole = client.post("/api/tiny/ask", json={"question": QUESTION}).json()
    sent = client.post("/api/tiny/ask/stream", json={"question": QUESTION})
    assert sent.headers["content-type"].startswith("text/event-stream")
    assert [(name, value["answer"]) for name, value in events(sent.text)] == [("answer", whole["answer"])]


def test_a_model_is_heard_while_it_writes(client, monkeypatch):
    def ask(self, question, *, on_text, **_):
        on_text("Mites ")
        on_text("raise\nit.")
        raise ModelError(f"{self.folder} went wrong")

    monkeypatch.setattr(Index, "ask", ask)
    sent = events(client.post("/api/tiny/ask/stream", json={"question": QUESTION}).text)
    assert sent == [
        ("text", {"text": "Mites "}),
        ("text", {"text": "raise\nit."}),
        ("error", {"error": "tiny went wrong", "status": 502}),
    ]


@pytest.mark.parametrize("path", ["retrieve", "ask", "ask/stream"])
@pytest.mark.parametrize(
    ("body", "status", "line"),
    [
        ({"question": ""}, 400, "the question is empty"),
        ({"question": "?!"}, 400, "the question has no words"),
        ({}, 422, "question: field required"),
        ({"question": 5}, 422, "question: input should be a valid string"),
        ({"question": "x" * 20_001}, 422, "question: string should have at most 20000 characters"),
        ({"question": "\ud800"}, 422, "question: input should be a valid string"),
        (
            {"question": "x", "base_url": "http://evil.example"},
            422,
            "base_url: extra inputs are not permitted",
        ),
        (
            {"question": "x", "budget_words": 0},
            422,
            "budget_words: input should be greater than or equal to 1",
        ),
        ([], 422, "the body: input should be"),
    ],
)
def test_what_cannot_be_asked(client, path, body, status, line):
    sent = client.post(
        f"/api/tiny/{path}", content=json.dumps(body), headers={"content-type": "application/json"}
    )
    assert sent.status_code == status
    assert sent.json()["error"].startswith(line)
    assert "\n" not in sent.json()["error"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"retrieval": "nothing"}, "retrieval 'nothing' is not one of this index (hcg)"),
        ({"documents": "zebra*"}, "no document fits 'zebra*'"),
        ({"settings": {"nothing": 1}}, "unknown"),
    ],
)
def test_what_the_index_does_not_know(client, body, line):
    sent = client.post("/api/tiny/retrieve", json={"question": QUESTION, **body})
    assert sent.status_code == 400
    assert sent.json()["error"].startswith(line)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 5000])
def test_a_body_that_is_no_json(client, content):
    sent = client.post("/api/tiny/retrieve", content=content, headers={"content-type": "application/json"})
    assert sent.status_code in (400, 422)
    assert list(sent.json()) == ["error"]


def test_who_answers_is_the_servers_choice(serve, monkeypatch):
    seen = []
    real = Index.ask
    monkeypatch.setattr(
        Index,
        "ask",
        lambda self, question, **given: seen.append(given) or real(self, question, analyst="rules"),
    )
    client = serve(
        writer={"analyst": "llm", "model": "m", "base_url": "http://127.0.0.1:1/v1", "api_key": "k"}
    )
    assert client.post("/api/tiny/ask", json={"question": QUESTION}).status_code == 200
    assert client.post("/api/tiny/ask", json={"question": QUESTION, "analyst": "rules"}).status_code == 200
    assert [(each["analyst"], each["base_url"]) for each in seen] == [
        ("llm", "http://127.0.0.1:1/v1"),
        ("rules", "http://127.0.0.1:1/v1"),
    ]
    for field in ("model", "api_key", "llm", "prompts", "ledger"):
        assert client.post("/api/tiny/ask", json={"question": QUESTION, field: "x"}).status_code == 422
    assert client.post("/api/tiny/ask", json={"question": QUESTION, "analyst": "llm"}).status_code == 422


def test_many_ask_at_once(serve, monkeypatch):
    loads = []

    def load(*_, **__):
        loads.append(1)
        return HashEmbedder()

    client = serve()
    monkeypatch.setattr("aitia.workflows.index.open_embedder", load)
    questions = [QUESTION, "Why are bees weak in the cold?", "Where do mites hide in winter?"]
    paths = ["/api/tiny/ask", "/api/tiny/retrieve"]
    work = [(path, question) for path in paths for question in questions]
    with ThreadPoolExecutor(6) as threads:
        sent = list(threads.map(lambda each: client.post(each[0], json={"question": each[1]}), work * 4))
    assert {each.status_code for each in sent} == {200}
    texts = [json.dumps(each.json().get("citations")) for each in sent]
    assert texts[:6] * 4 == texts
    assert len(loads) == 1


def test_places_for_answers_run_out_and_come_back(serve, monkeypatch):
    started, go_on = Event(), Event()
    real = Index.ask

    def slow(self, question, **given):
        started.set()
        assert go_on.wait(10)
        return real(self, question, **given)

    client = serve(limits=Limits(at_once=1))
    monkeypatch.setattr(Index, "ask", slow)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.post, "/api/tiny/ask", json={"question": QUESTION})
        assert started.wait(10)
        for path in ("/api/tiny/ask", "/api/tiny/ask/stream"):
            refused = client.post(path, json={"question": QUESTION})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        go_on.set()
        assert first.result().status_code == 200
    for _ in range(3):
        assert client.post("/api/tiny/ask/stream", json={"question": QUESTION}).status_code == 200
        assert client.post("/api/tiny/ask", json={"question": QUESTION}).status_code == 200


def test_why_a_passage(client):
    body = {"question": QUESTION, "budget_words": 13, "retrieval": "plain:bm25"}
    found = client.post("/api/tiny/retrieve", json=body).json()
    assert found["chunks"] == ["2a5cdd02b79b1928"]
    why = client.post("/api/tiny/why", json={**body, "chunk": "2a5cdd02b79b1928"}).json()
    assert {
        name: why[name] for name in ("chosen", "rank", "of", "last_rank", "bm25_rank", "budget_words")
    } == {
        "chosen": True,
        "rank": 1,
        "of": 2,
        "last_rank": 1,
        "bm25_rank": 1,
        "budget_words": 13,
    }
    why = client.post("/api/tiny/why", json={**body, "chunk": "f887da0bbcc9b116"}).json()
    assert (why["chosen"], why["rank"], why["chunk"]) == (False, 2, "f887da0bbcc9b116")
    assert client.post("/api/tiny/why", json={**body, "chunk": "0" * 16}).status_code == 404


@pytest.mark.parametrize("route", ["ask", "ask/stream", "retrieve"])
def test_nul_is_refused_as_in_an_address(client, route):
    refused = client.post(f"/api/tiny/{route}", json={"question": "what\0 do mites raise?"})
    assert (refused.status_code, refused.json()["error"]) == (422, "question: a NUL character is refused")
