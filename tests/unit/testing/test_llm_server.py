from __future__ import annotations

import http.client
import json
import math
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from aitia.corpus.tokens import count_tokens
from aitia.testing import HashEmbedder
from aitia.testing.llm_faults import CONTENT, TRANSPORT, VECTORS, Faults
from aitia.testing.llm_log import read_log
from aitia.testing.llm_server import LLMServer, request_key
from aitia.testing.llm_spoil import MADE_UP, spoil

REPLY = {"edges": [{"source": "S1", "target": "Risk", "mechanism": "by chance", "confidence": 0.5}] * 4}
TEXT = json.dumps(REPLY)


def answer(system: str, user: str) -> str:
    if user == "refuse":
        raise ValueError("no such task")
    return "one two three four" if user == "plain" else TEXT


def ask(user: str = "go", **fields):
    messages = [{"role": "system", "content": "Judge."}, {"role": "user", "content": user}]
    return {"model": "m", "messages": messages, "max_tokens": 1_000, **fields}


class Client:
    """One connection that is kept alive; a broken one is opened again."""

    def __init__(self, server: LLMServer, key: str = "k") -> None:
        self.host = server.base_url.split("/")[2]
        self.headers = {"Authorization": f"Bearer {key}"}
        self.connection = http.client.HTTPConnection(self.host, timeout=5)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def post(self, body, path="/v1/chat/completions"):
        self.connection.request("POST", path, json.dumps(body), self.headers)
        reply = self.connection.getresponse()
        return reply.status, reply.read(), dict(reply.getheaders())

    def text(self, body) -> tuple[str, str]:
        status, content, _ = self.post(body)
        assert status == 200
        choice = json.loads(content)["choices"][0]
        return choice["message"]["content"], choice["finish_reason"]


def serve(**faults) -> LLMServer:
    return LLMServer(Faults(**faults), answer=answer)


# Without faults


def test_a_completion_has_its_text_end_and_tokens():
    with serve() as server, Client(server) as client:
        status, content, _ = client.post(ask("plain"))
    body = json.loads(content)
    assert status == 200
    assert body["model"] == "m"
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "one two three four"}
    assert body["choices"][0]["finish_reason"] == "stop"
    prompt = count_tokens("Judge.") + count_tokens("plain")
    assert body["usage"] == {"prompt_tokens": prompt, "completion_tokens": 4, "total_tokens": prompt + 4}


def test_a_reply_ends_at_its_limit():
    with serve() as server, Client(server) as client:
        assert client.text(ask("plain", max_tokens=2)) == ("one two ", "length")
        assert client.text({**ask("plain"), "max_completion_tokens": 3}) == ("one two three ", "length")


def test_a_stream_says_the_same_in_pieces():
    options = {"stream": True, "stream_options": {"include_usage": True}}
    with serve() as server, Client(server) as client:
        status, content, headers = client.post(ask(**options))
        assert client.text(ask()) == (TEXT, "stop")
    events = [line.removeprefix("data: ") for line in content.decode().split("\n\n") if line]
    chunks = [json.loads(event) for event in events[:-1]]
    assert (status, headers["Content-Type"], events[-1]) == (200, "text/event-stream", "[DONE]")
    deltas = [chunk["choices"][0] for chunk in chunks[:-1]]
    assert "".join(delta["delta"].get("content", "") for delta in deltas) == TEXT
    assert [delta["finish_reason"] for delta in deltas][-2:] == [None, "stop"]
    assert chunks[-1]["usage"]["completion_tokens"] == count_tokens(TEXT)


def test_embeddings_are_those_of_the_hash_embedder():
    with serve() as server, Client(server) as client:
        _, content, _ = client.post({"model": "e", "input": ["a ship", "dawn"]}, "/v1/embeddings")
    rows = [item["embedding"] for item in json.loads(content)["data"]]
    assert rows == HashEmbedder().embed(["a ship", "dawn"]).tolist()


def test_models_and_unknown_paths():
    with serve() as server, Client(server) as client:
        client.connection.request("GET", "/v1/models")
        assert json.loads(client.connection.getresponse().read())["data"][0]["id"] == "stand-in"
        client.connection.request("GET", "/v1/nothing")
        reply = client.connection.getresponse()
        assert (reply.status, json.loads(reply.read())["error"]["code"]) == (404, "not_found")
        assert client.post(ask(), "/v1/completions")[0] == 404


def test_a_prompt_that_the_stand_in_does_not_know_is_a_bad_request():
    with serve() as server, Client(server) as client:
        status, content, _ = client.post(ask("refuse"))
    assert (status, json.loads(content)["error"]["message"]) == (400, "no such task")


def test_a_wrong_key_is_refused_and_repeated():
    with LLMServer(answer=answer, api_key="right") as server:
        with Client(server, "wrong") as client:
            status, content, _ = client.post(ask())
        assert (status, b"Bearer wrong" in content) == (401, True)
        with Client(server, "right") as client:
            assert client.text(ask()) == (TEXT, "stop")
    assert [exchange.answer for exchange in server.log] == ["invalid_api_key", "ok"]


# The log


def test_the_key_is_of_what_is_asked():
    key = request_key(ask())
    assert request_key(ask(response_format={"type": "json_object"}, stream=True, temperature=0)) == key
    assert request_key({**ask(), "max_tokens": None, "max_completion_tokens": 1_000}) == key
    assert (
        len({key, request_key(ask("other")), request_key(ask(max_tokens=9)), request_key(ask(model="n"))})
        == 4
    )


def test_attempts_are_counted_by_key_and_logged_before_and_after(tmp_path):
    file = tmp_path / "log"
    with LLMServer(answer=answer, log=file) as server, Client(server) as client:
        for user in ("a", "b", "a"):
            client.text(ask(user))
    log = server.log
    assert [json.loads(line)["whole"] for line in file.read_text().splitlines()] == [False, False, True] * 3
    assert [(one.number, one.attempt, one.answer, one.whole) for one in log] == [
        (0, 1, "ok", True), (1, 1, "ok", True), (2, 2, "ok", True),
    ]  # fmt: skip
    assert [one.key for one in log] == [request_key(ask(user)) for user in ("a", "b", "a")]
    assert read_log(file) == log


def test_a_line_cut_short_is_no_exchange(tmp_path):
    file = tmp_path / "log"
    with LLMServer(answer=answer, log=file) as server, Client(server) as client:
        client.text(ask())
    file.write_text(file.read_text() + '{"number": 1, "pa')
    assert read_log(file) == server.log


# Transport faults


@pytest.mark.parametrize(("fault", "status"), [("rate_limit", 429), ("error_500", 500), ("error_503", 503)])
def test_after_three_errors_in_a_row_a_request_gets_through(fault, status):
    with serve(rates={fault: 1.0}) as server, Client(server) as client:
        replies = [client.post(ask()) for _ in range(5)]
    assert [code for code, _, _ in replies] == [status] * 3 + [200, status]
    assert [one.answer for one in server.log] == [fault] * 3 + ["ok", fault]
    assert ({headers.get("Retry-After") for _, _, headers in replies[:3]} <= {"0", "1"}) == (status == 429)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", ["reset", "broken_stream"])
def test_a_broken_answer_is_not_whole(fault, stream):
    with serve(rates={fault: 1.0}, most_in_a_row=1) as server:
        with Client(server) as client, pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            client.post(ask(stream=stream))
        with Client(server) as client:
            assert client.post(ask(stream=stream))[0] == 200
    assert [(one.answer, one.whole) for one in server.log] == [(fault, False), ("ok", True)]


def test_a_stall_answers_nothing():
    with serve(rates={"stall": 1.0}, stall_s=0.05) as server, Client(server) as client:
        with pytest.raises(http.client.RemoteDisconnected):
            client.post(ask())
        assert [(one.answer, one.whole) for one in server.log] == [("stall", False)]


def test_an_end_of_the_server_ends_a_stall():
    with Client(server := serve(rates={"stall": 1.0}, stall_s=3600)) as client, server:
        client.connection.request("POST", "/v1/chat/completions", json.dumps(ask()))
        while not server.log:
            time.sleep(0.005)
    assert [one.whole for one in server.log] == [False]


def test_faults_depend_on_key_attempt_and_seed_only():
    faults = Faults.all(content=0.5, transport=0.5, seed=7)
    keys = [f"key {i}" for i in range(2_000)]
    drawn = [faults.of_transport(key, 1) for key in keys]
    assert drawn == [faults.of_transport(key, 1) for key in keys]
    assert drawn != [replace(faults, seed=8).of_transport(key, 1) for key in keys]
    assert drawn != [faults.of_transport(key, 2) for key in keys]
    assert {*TRANSPORT, None} == set(drawn)
    assert 0.46 < sum(fault is not None for fault in drawn) / len(keys) < 0.54
    content = [faults.of_content(key) for key in keys]
    assert {*CONTENT, None} == set(content)
    assert 0.46 < sum(fault is not None for fault in content) / len(keys) < 0.54


def test_at_most_three_transport_faults_follow_each_other():
    faults = Faults.all(transport=1.0)
    for key in ("a", "b"):
        fine = [attempt for attempt in range(1, 13) if faults.of_transport(key, attempt) is None]
        assert fine == [4, 8, 12]


def test_faults_survive_a_command_line():
    faults = Faults.all(context_tokens=900, quota_after=3, refuse_schema=True)
    assert Faults.from_json(faults.to_json()) == faults
    assert Faults.from_json('{"seed": 3}') == Faults(seed=3)


def test_impossible_faults_are_refused():
    with pytest.raises(ValueError, match="unknown fault 'sleep'"):
        Faults({"sleep": 0.1})
    with pytest.raises(ValueError, match="add up to more than 1"):
        Faults({"nul": 0.6, "think": 0.6})


# Faults of a whole server


def test_the_quota_ends():
    with serve(quota_after=2) as server, Client(server) as client:
        codes = [client.post(ask(f"{i}")) for i in range(3)]
    assert [code for code, _, _ in codes] == [200, 200, 429]
    assert json.loads(codes[2][1])["error"]["code"] == "insufficient_quota"


def test_structured_output_may_be_unknown():
    with serve(refuse_schema=True) as server, Client(server) as client:
        status, content, _ = client.post(ask(response_format={"type": "json_schema"}))
        assert (status, b"response_format" in content) == (400, True)
        assert client.text(ask()) == (TEXT, "stop")


def test_long_prompts_may_be_refused():
    with serve(context_tokens=10) as server, Client(server) as client:
        status, content, _ = client.post(ask("word " * 9))
        assert (status, json.loads(content)["error"]["code"]) == (400, "context_length_exceeded")
        assert client.text(ask("word " * 8)) == (TEXT, "stop")


@pytest.mark.parametrize(("fault", "rows"), [("one_too_few", 1), ("nan", 2)])
def test_vectors_may_be_faulty(fault, rows):
    assert fault in VECTORS
    with serve(rates={fault: 1.0}) as server, Client(server) as client:
        _, content, _ = client.post({"model": "e", "input": ["a", "b"]}, "/v1/embeddings")
    vectors = [item["embedding"] for item in json.loads(content)["data"]]
    assert len(vectors) == rows
    assert all(math.isnan(value) for value in vectors[-1]) == (fault == "nan")
    assert [one.answer for one in server.log] == [fault]


# Content faults


def test_a_content_fault_stays_however_often_one_asks():
    with serve(rates={"fences": 1.0}) as server, Client(server) as client:
        texts = [client.text(ask()) for _ in range(2)]
    assert texts[0] == texts[1]
    assert texts[0][0].startswith("Here is the JSON:\n\n```json\n")
    assert [one.answer for one in server.log] == ["fences", "fences"]


def test_a_lone_surrogate_arrives():
    with serve(rates={"lone_surrogate": 1.0}) as server, Client(server) as client:
        text, _ = client.text(ask("plain"))
    assert text == "one two t\ud800hree four"


def spoiled(fault: str, reply=REPLY):
    text, finish = spoil(fault, json.dumps(reply))
    assert finish == "stop"
    return json.loads(text)


def test_shapes():
    half = TEXT[: len(TEXT) // 2]
    assert spoil("cut_json", TEXT) == (half, "stop")
    assert spoil("cut_off", TEXT) == (half, "length")
    assert spoil("think", TEXT) == (
        f'<think>\nThe reply may begin with {{"edges": [\n</think>\n\n{TEXT}',
        "stop",
    )
    assert spoiled("bare_list") == REPLY["edges"]
    assert spoiled("bare_list", {"a": [], "b": []}) == [{"a": [], "b": []}]
    assert spoiled("wrapped") == {"response": REPLY}
    echo = {"type": "object", "properties": {"edges": {"type": "array", "items": {"type": "object"}}}}
    assert spoiled("schema_echo") == {**echo, "required": ["edges"]}


@pytest.mark.parametrize(
    ("fault", "item", "wrong"),
    [
        ("wrong_types", {"source": "S1", "confidence": 0.5}, {"source": None, "confidence": "high"}),
        ("wrong_types", {"pair": 3, "entities": ["a", "b"]}, {"pair": "number 3", "entities": "a; b"}),
        ("strange_labels", {"source": "S1", "target": "Risk"}, {"source": "S99", "target": "Risk"}),
        ("strange_labels", {"pair": 3, "quote": "Q1"}, {"pair": 9_999, "quote": "Q99"}),
        ("strange_labels", {"members": [1, 2]}, {"members": [9_998, 9_999]}),
        ("strange_labels", {"passage": "P1", "quote": "as said"}, {"passage": "P99", "quote": "as said"}),
        ("made_up_quotes", {"passage": "P1", "quote": "as said"}, {"passage": "P1", "quote": MADE_UP}),
        ("made_up_quotes", {"quote": "Q1"}, {"quote": "Q1"}),
        ("strange_names", {"source": "Risk(a)", "target": "Age(b)"},
         {"source": "UnheardRisk(a)", "target": "UnheardAge(b)"}),
        ("strange_names", {"metric": "Risk", "entities": ["a"]},
         {"metric": "UnheardRisk", "entities": ["nothing known", "a"]}),
        ("strange_names", {"name": "Risk", "signature": ["a"]},
         {"name": "UnheardRisk", "signature": ["unheard axis"]}),
        ("nul", {"name": "Risk", "quote": "as said"}, {"name": "Risk", "quote": "as said\x00"}),
    ],
)  # fmt: skip
def test_every_third_item_is_wrong(fault, item, wrong):
    assert spoiled(fault, {"items": [item] * 5}) == {"items": [wrong, item, item, wrong, item]}


def test_a_surrogate_stands_in_a_string():
    assert spoiled("lone_surrogate", {"a": [{"b": "c", "d": "e"}]}) == {"a": [{"b": "c", "d": "\ud800e"}]}


def test_every_content_fault_changes_a_reply_and_plain_text_only_what_it_can():
    reply = {"items": [{"passage": "P1", "quote": "as said", "name": "Risk", "confidence": 0.5}]}
    text = json.dumps(reply)
    assert [fault for fault in CONTENT if spoil(fault, text) == (text, "stop")] == []
    able = {fault for fault in CONTENT if spoil(fault, "Plain words [1].")}
    assert able == {"cut_json", "cut_off", "think", "lone_surrogate"}


# In a process of its own


def test_it_serves_from_a_process_of_its_own(tmp_path):
    file = tmp_path / "log"
    command = [
        sys.executable,
        "-m",
        "aitia.testing.llm_server",
        "--log",
        str(file),
        "--faults",
        '{"seed": 1}',
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = process.stdout.readline()
            with Client(type("Running", (), {"base_url": url.strip()})) as client:
                prompt = {"role": "system", "content": "Task: answer a question from numbered evidence."}
                question = {"role": "user", "content": "## Evidence\n\n## Question\nWhy?"}
                text, _ = client.text({"model": "m", "messages": [prompt, question]})
                while not read_log(file)[0].whole:
                    time.sleep(0.005)
        finally:
            process.kill()
    assert text.startswith("INSUFFICIENT")
    assert [(one.answer, one.whole) for one in read_log(file)] == [("ok", True)]
