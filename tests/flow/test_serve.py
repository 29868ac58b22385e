"""``aitia serve`` as a user runs it: a process on a free port of loopback, asked, and stopped."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import openai
import pytest

from aitia.testing.llm_server import LLMServer

LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"
TOKEN = "a-token-of-many-characters"
QUESTION = {"question": "Why do bees die in winter?"}


def environment(**names: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AITIA_", "OPENAI_"))}
    return {**kept, "OMP_NUM_THREADS": "2", **names}


@contextmanager
def serving(*arguments: str | Path, **names: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and its address; whatever happens it is stopped."""
    command = [sys.executable, "-c", LAUNCH, "serve", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**names)
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        address = re.search(r"http://\S+/", line)
        assert address, (line, process.stderr.read() if process.stderr else "")
        yield process, address.group().rstrip("/")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def stop(process: subprocess.Popen[str]) -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.fixture(scope="module")
def second(tmp_path_factory, launch) -> Path:
    """Another index, of another method."""
    folder = tmp_path_factory.mktemp("second")
    (folder / "notes.txt").write_text("Mites raise the mortality of bees. Cold weakens the colony.\n")
    built = launch(
        "build", folder / "notes.txt", "--index", folder / "notes", "--method", "plain:bm25", "--quiet"
    )
    assert built.status == 0
    return folder / "notes"


def test_two_indexes_are_served_and_the_server_stops(index, second):
    with serving("--index", index, "--index", second, "--port", "0") as (process, address):
        assert httpx.get(f"{address}/health").json()["status"] == "ok"
        names = [each["name"] for each in httpx.get(f"{address}/api").json()["indexes"]]
        assert names == ["bees", "notes"]
        found = httpx.post(f"{address}/api/bees/retrieve", json=QUESTION, timeout=60).json()
        assert found["matched"]
        answer = httpx.post(
            f"{address}/api/notes/ask", json={"question": "What raises mortality?"}, timeout=60
        )
        assert answer.json()["answer"] == "Mites raise the mortality of bees. [1]"
        with httpx.stream("POST", f"{address}/api/bees/ask/stream", json=QUESTION, timeout=60) as stream:
            assert "event: answer" in "".join(stream.iter_text())
        assert httpx.get(f"{address}/api/notes/graph").status_code == 400
        rebound = httpx.get(f"{address}/api", headers={"host": "evil.example"})
        assert rebound.status_code == 421
        refused = httpx.post(
            f"{address}/api/bees/ask", json=QUESTION, headers={"origin": "http://evil.example"}
        )
        assert refused.status_code == 403
        httpx.get(f"{address}/api/bees/graph/edges?text=a-private-search")
        status, err = stop(process)
    assert status == 0
    assert err.endswith("stopped\n")
    assert "GET /api/bees/graph/edges 200" in err
    for secret in ("private", "winter", "Traceback"):
        assert secret not in err


def test_openai_s_client_embeds_as_the_index_does(second):
    with serving("--index", second, "--port", "0", "--quiet", AITIA_TOKEN=TOKEN) as (process, address):
        client = openai.OpenAI(base_url=f"{address}/v1", api_key=TOKEN, max_retries=0)
        sent = client.embeddings.create(input=["mites", "cold"], model="minilm")
        assert [len(each.embedding) for each in sent.data] == [384, 384]
        assert sum(value * value for value in sent.data[0].embedding) == pytest.approx(1, abs=1e-5)
        assert [each.id for each in client.models.list()] == ["minilm", "notes"]
        with pytest.raises(openai.NotFoundError, match="no model 'other'"):
            client.embeddings.create(input="a", model="other")
        with pytest.raises(openai.AuthenticationError):
            client.with_options(api_key="wrong").models.list()
        client.close()
        assert stop(process) == (0, "")


def test_others_need_the_token(second):
    with serving("--index", second, "--host", "0.0.0.0", "--port", "0", AITIA_TOKEN=TOKEN) as (
        process,
        address,
    ):
        here = address.replace("0.0.0.0", "127.0.0.1")
        assert httpx.get(f"{here}/api").status_code == 401
        assert httpx.post(f"{here}/api/notes/retrieve", json=QUESTION).status_code == 401
        assert httpx.get(f"{here}/api?token={TOKEN}").status_code == 401
        assert httpx.get(f"{here}/api", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        status, err = stop(process)
    assert status == 0
    assert TOKEN not in err
    assert "nothing is encrypted" in err


def test_a_model_writes_for_several_at_once(second, tmp_path):
    own = shutil.copytree(second, tmp_path / "own")
    key = "sk-a-secret-that-must-not-leak"
    words = ["raise", "lower", "weaken", "follow"]
    with LLMServer(api_key=key) as model:
        chosen = ("--analyst", "llm", "--model", "stand-in", "--base-url", model.base_url)
        with serving("--index", own, "--port", "0", *chosen, AITIA_API_KEY=key) as (process, address):

            def ask(word: str) -> str:
                body = {"question": f"What does cold {word}?"}
                return httpx.post(f"{address}/api/own/ask/stream", json=body, timeout=60).text

            with ThreadPoolExecutor(4) as threads:
                sent = list(threads.map(ask, words))
            assert all("event: text\n" in each and "event: answer\n" in each for each in sent)
            again = ask(words[0])
            assert answer_of(again) == answer_of(sent[0]) != answer_of(sent[1])
            status, err = stop(process)
        assert status == 0
        assert len(model.log) == len(words)
    for text in (*sent, err):
        assert key not in text


def answer_of(stream: str) -> str:
    data = stream.partition("event: answer\ndata: ")[2]
    return str(json.loads(data)["answer"])


def lines(ran: Any) -> list[str]:
    assert ran.out == ""
    return ran.err.splitlines()


def test_another_host_without_a_token_is_refused(second, run):
    ran = run("serve", "--index", second, "--host", "0.0.0.0", "--port", "0")
    assert ran.status == 2
    (line,) = lines(ran)
    assert line.startswith(
        "aitia: --host 0.0.0.0 is reached by other machines, and no token is set; expected AITIA_TOKEN"
    )


def test_a_port_in_use_is_one_line(second, run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--index", second, "--port", port)
    assert ran.status == 1
    assert lines(ran) == [f"aitia: port {port} of 127.0.0.1 is in use; choose another --port, or 0 for any"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--index", "missing"), 1, "missing is no index folder"),
        (("--index", "/"), 2, "/ has no name"),
        (("--index", "a/x", "--index", "b/x"), 2, "two indexes are called 'x'"),
        (("--index", "missing", "--token", "short"), 2, "the token has 5 characters"),
        (("--index", "missing", "--host", "no-such-host.invalid", "--token", TOKEN), 1, "cannot be"),
        (("--index", "missing", "--port", "99999"), 2, "99999"),
        ((), 2, "--index"),
    ],
)
def test_what_cannot_be_served_is_one_line(arguments, status, said, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("serve", *arguments, *(() if "--port" in arguments else ("--port", "0")))
    assert ran.status == status
    (line,) = lines(ran)
    assert said in line
