"""A build that lacks a part: killed at its end, built again, beside a complete index; and one index in many threads."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from aitia.errors import IndexFolderError, PartialBuild
from aitia.testing.llm_server import LLMServer
from aitia.testing.stand_in import answer_prompt
from aitia.workflows.build import build_index
from aitia.workflows.export import export_json
from aitia.workflows.index import open_index
from aitia.workflows.show import show_stats

PARTIAL = 3
PART = ("deformed-wing-virus.md", "nosema.html", "varroa.md")
OPTIONS = {
    **{"analyst": "llm", "model": "stand-in", "embedder": "openai:hash", "api_key": "none"},
    **{"settings": {"tier": "XS"}, "llm": {"context_tokens": 8_000, "max_output_tokens": 3_500}},
}
CLAIMS = "Task: find variables and their effects."
WHY = "What shortens the lifespan of winter bees?"
DIES_BEFORE_IT_RETIRES = """
import json, os, signal, sys
from aitia.storage.ledger import SqliteLedger
from aitia.workflows.build import build_index
SqliteLedger.retire = lambda self, keys: os.kill(os.getpid(), signal.SIGKILL)
build_index(sys.argv[1], sys.argv[2], **json.loads(sys.argv[3]))
"""


class Model:
    """The stand-in, that has no answer to windows with a word as long as it is ill."""

    def __init__(self) -> None:
        self.ill = False
        self.asked: list[str] = []
        self.wait: Event | None = None

    def __call__(self, system: str, user: str) -> str:
        self.asked.append(system.partition("\n")[0])
        if self.wait:
            self.wait.wait(30)
        if self.ill and system.startswith(CLAIMS) and "Nosema" in user.partition("## Passages")[2]:
            return "I would rather not say."
        return answer_prompt(system, user)


@pytest.fixture(scope="module")
def model():
    return Model()


@pytest.fixture(scope="module")
def server(model):
    with LLMServer(answer=model) as server:
        yield server


@pytest.fixture
def build(model, server):
    """Builds, and says what was asked by tasks."""

    def build(corpus, index, *, ill=False, **options):
        model.ill = ill
        model.asked.clear()
        built = build_index(corpus, index, base_url=server.base_url, **(OPTIONS | options))
        return show_stats(built), list(model.asked)

    return build


@pytest.fixture(scope="module")
def corpus(bees, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    for name in PART:
        shutil.copy(bees / name, folder)
    return folder


@pytest.fixture(scope="module")
def partial(corpus, model, server, tmp_path_factory):
    """A partial index whose build was killed between its commit and the end; not to be changed."""
    index = tmp_path_factory.mktemp("partial") / "index"
    model.ill = True
    options = json.dumps(OPTIONS | {"base_url": server.base_url})
    command = [sys.executable, "-c", DIES_BEFORE_IT_RETIRES, str(corpus), str(index), options]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    return index


@pytest.fixture
def own(partial, tmp_path):
    return shutil.copytree(partial, tmp_path / "own")


@pytest.fixture(scope="module")
def complete(corpus, model, server, tmp_path_factory):
    """A complete index; not to be changed."""
    index = tmp_path_factory.mktemp("complete") / "index"
    model.ill = False
    build_index(corpus, index, base_url=server.base_url, **OPTIONS)
    return index


def contents(folder: Path) -> dict[str, bytes]:
    kept = ("index.db", "aitia.toml", "graph_spec.yaml", "outcomes.yaml")
    return {name: (folder / name).read_bytes() for name in kept}


def retired(index: Path) -> int:
    """How many requests the next build asks again."""
    with closing(sqlite3.connect(index / "ledger.db")) as connection:
        return int(connection.execute("SELECT count(DISTINCT key) FROM retired").fetchone()[0])


def test_a_partial_build_that_was_killed_is_resumed_as_it_was(build, corpus, own):
    before = export_json(open_index(own))
    assert show_stats(open_index(own))["status"] == "partial"
    assert retired(own) == 0
    stats, asked = build(corpus, own, ill=True)
    assert (stats["status"], asked) == ("partial", [])
    assert export_json(open_index(own)) == before
    assert retired(own) > 0


def test_a_healthy_model_is_asked_for_what_is_missing_only(build, corpus, own, complete):
    build(corpus, own, ill=True)
    lacking = show_stats(open_index(own))["unread"]
    assert {each["step"] for each in lacking} == {"claims"}
    stats, asked = build(corpus, own)
    assert (stats["status"], stats["unread"]) == ("complete", [])
    assert 1 <= asked.count(CLAIMS) <= retired(own)
    assert set(asked) <= {
        CLAIMS,
        "Task: judge which metrics influence which.",
        "Task: judge pairs of variables.",
    }
    assert build(corpus, own)[1] == []
    assert export_json(open_index(own)) == export_json(open_index(complete))


def test_who_is_still_ill_is_asked_again_and_is_still_partial(build, corpus, own):
    build(corpus, own, ill=True)
    before = export_json(open_index(own))
    stats, asked = build(corpus, own, ill=True)
    assert set(asked) == {CLAIMS}
    assert stats["status"] == "partial"
    assert export_json(open_index(own)) == before


def test_a_partial_build_never_replaces_a_complete_index(build, corpus, complete, tmp_path):
    own = shutil.copytree(complete, tmp_path / "own")
    before = contents(own)
    for _ in range(2):
        with pytest.raises(PartialBuild, match=r"claims of nosema\.html"):
            build(corpus, own, ill=True, llm={**OPTIONS["llm"], "run": 1})
        assert contents(own) == before
    stats, asked = build(corpus, own, llm={**OPTIONS["llm"], "run": 1})
    assert stats["status"] == "complete"
    assert 1 <= asked.count(CLAIMS) <= retired(own)


def test_the_command_line_says_what_is_missing(run, own, corpus, server, model, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    model.ill = True
    llm = [part for name, value in OPTIONS["llm"].items() for part in ("--llm", f"{name}={value}")]
    ran = run(
        *("build", corpus, "--index", own, "--analyst", "llm", "--model", "stand-in", "--tier", "XS", *llm),
        *("--embedder", "openai:hash", "--base-url", server.base_url),
    )
    assert ran.status == PARTIAL
    assert "partial: no usable reply for claims of nosema.html" in ran.err
    asked = run("ask", WHY, "--index", own, "--base-url", server.base_url)
    assert asked.status == 0
    assert "partial" in asked.err


def test_within_a_running_event_loop(corpus, complete, server, model, tmp_path):
    model.ill = False

    async def notebook():
        index = build_index(corpus, tmp_path / "index", base_url=server.base_url, **OPTIONS)
        return index.ask(WHY).text, export_json(index)

    text, export = asyncio.run(notebook())
    assert text
    assert export == export_json(open_index(complete))


def test_from_several_threads(corpus, complete, server, model, tmp_path):
    own = shutil.copytree(complete, tmp_path / "own")
    model.wait, model.ill = Event(), False
    model.asked.clear()
    again = OPTIONS | {"llm": {**OPTIONS["llm"], "run": 2}}
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(build_index, corpus, own, base_url=server.base_url, **again)
        while not model.asked:  # it holds the lock, and its first request
            assert not first.done() or first.result()
        second = threads.submit(build_index, corpus, own, base_url=server.base_url, **again)
        with pytest.raises(IndexFolderError, match="is being written by process"):
            second.result()
        index = open_index(own, base_url=server.base_url, api_key="none")
        found = list(threads.map(lambda _: index.retrieve(WHY).evidence, range(4)))
        assert found[1:] == found[:-1]
        model.wait.set()
        first.result()
        answers = list(threads.map(lambda _: index.ask(WHY).text, range(6)))
        opened = list(
            threads.map(
                lambda _: open_index(own, base_url=server.base_url, api_key="none").ask(WHY).text, range(3)
            )
        )
    assert len({*answers, *opened}) == 1
    model.wait = None
    assert export_json(open_index(own)) == export_json(open_index(complete))
