"""A build by a model that is killed twenty times ends as one that was not, and pays for no reply twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from aitia.testing.llm_faults import TRANSPORT, Faults
from aitia.testing.llm_log import Exchange, read_log
from aitia.testing.llm_server import chat_key

CHARACTERS = 60_000
JOBS = 3
KILLS = 20
LATENCY_S = 0.15
PARTIAL = 3
# Many small requests, so that twenty kills meet twenty unfinished builds.
FAULTS = Faults.all(content=0.3, transport=0.12, seed=5, latency_ms=1000 * LATENCY_S, stall_s=0.3)
OPTIONS = (
    *(
        "--analyst",
        "llm",
        "--model",
        "stand-in",
        "--embedder",
        "openai:hash",
        "--tier",
        "XS",
        "--jobs",
        f"{JOBS}",
    ),
    *("--llm", "context_tokens=9000", "--llm", "max_output_tokens=3000", "--set", "pairs_per_call=20"),
)

WARM = """
import json, os, sys
import openai.resources.chat.completions, openai.resources.embeddings, openai.types.chat
from aitia.cli.main import main
answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
assert main(["plan", *sys.argv[1:]]) == 0
for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if not child:
        os.dup2(os.open(order["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        os._exit(main(order["arguments"]))
    print(child, file=answers, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)
"""


class Builds:
    """Starts builds by forking a process that has read everything but the index: a kill costs no start."""

    def __init__(self, corpus: Path, place: Path) -> None:
        self.corpus = corpus
        self._said = place / "said"
        self.base_url = ""
        command = [sys.executable, "-c", WARM, corpus, *OPTIONS, "--base-url", "http://127.0.0.1:9/v1"]
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "AITIA_API_KEY": "k",
        }
        self.process = subprocess.Popen(
            list(map(str, command)), env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Builds:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process as process:
            process.stdin.close()

    def start(self, index: Path) -> int:
        """The id of the process that builds."""
        arguments = ["build", str(self.corpus), "--index", str(index), *OPTIONS, "--base-url", self.base_url]
        self._said.write_text("")
        order = {"arguments": arguments, "out": str(self._said)}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def end(self) -> int:
        """Wait for it; its exit status."""
        return int(self.process.stdout.readline())

    @property
    def said(self) -> str:
        return self._said.read_text("utf-8")


@contextmanager
def serving(log: Path) -> Iterator[str]:
    """The faulty server in a process of its own; its address."""
    command = [
        sys.executable,
        "-m",
        "aitia.testing.llm_server",
        "--faults",
        FAULTS.to_json(),
        "--log",
        str(log),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def chats(exchanges: tuple[Exchange, ...]) -> list[Exchange]:
    return [each for each in exchanges if each.path.endswith("completions")]


def rows(ledger: Path) -> dict[str, dict[str, Any]]:
    """What is committed, by the server's names of the requests."""
    with closing(sqlite3.connect(ledger)) as connection:
        connection.row_factory = sqlite3.Row
        if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'replies'").fetchone()[0]:
            return {}
        found = [dict(row) for row in connection.execute("SELECT * FROM replies")]
    limits = [int(row["parameters"].rpartition("max_tokens=")[2]) for row in found]
    return {
        chat_key(row["model"], row["prompt_hash"], limit): row
        for row, limit in zip(found, limits, strict=True)
    }


class Story:
    """Twenty builds that were killed and one that was not: what the server saw of each, what was kept after it."""

    def __init__(self, builds: Builds, index: Path, log: Path) -> None:
        self.builds, self.index, self.log = builds, index, log
        self.parts: list[tuple[Exchange, ...]] = []
        self.kept: list[dict[str, dict[str, Any]]] = []
        self._seen = 0
        self._moments = random.Random(11)

    def kill_one(self) -> None:
        """Kill at a moment that is drawn: some way into an answer, anywhere in a start, or near the end."""
        child = self.builds.start(self.index)
        requests = self._moments.choice((0, 2, 3, 4, 5, 6))
        delay = self._moments.uniform(0, LATENCY_S if requests else 1.0)
        while requests and len(read_log(self.log)) < self._seen + requests:
            if "\nevidence" in self.builds.said:  # nothing more is asked
                delay = 0
                break
            time.sleep(0.005)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        assert self.builds.end() == -signal.SIGKILL, self.builds.said
        time.sleep(0.1)  # what it had just sent is in the log
        self._note()

    def finish(self) -> int:
        """Build to the end; the exit status."""
        self.builds.start(self.index)
        status = self.builds.end()
        self._note()
        return status

    def _note(self) -> None:
        exchanges = read_log(self.log)
        self.parts.append(exchanges[self._seen :])
        self._seen = len(exchanges)
        ledger = self.index / "ledger.db"
        self.kept.append(rows(ledger) if ledger.exists() else {})


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A build without kills, and the story of one with twenty."""
    place = tmp_path_factory.mktemp("kills")
    corpus = place / "medical.txt"
    text = (Path(os.environ["AITIA_DATA"]) / "medical" / "corpus.txt").read_text("utf-8")
    corpus.write_text(text[:CHARACTERS], "utf-8")
    with Builds(corpus, place) as builds:
        told = []
        for name, kills in (("whole", 0), ("killed", KILLS)):
            with serving(place / f"{name}.log") as builds.base_url:
                story = Story(builds, place / name, place / f"{name}.log")
                for _ in range(kills):
                    story.kill_one()
                told.append((story, story.finish()))
    return told


needs_data = pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="needs $AITIA_DATA")
pytestmark = [pytest.mark.data, pytest.mark.slow, needs_data]


def test_the_end_is_the_same(told, run):
    (whole, status), (killed, status_after_kills) = told
    assert status == status_after_kills == PARTIAL
    for name in ("graph_spec.yaml", "outcomes.yaml", "aitia.toml"):
        assert (killed.index / name).read_bytes() == (whole.index / name).read_bytes()
    for command in (("export", "--format", "json"), ("show", "rejected", "--json")):
        said = [run(*command, "--index", each.index) for each in (whole, killed)]
        assert said[0] == said[1]
        assert said[0].status == 0
        assert len(said[0].out) > 1_000
    unread = [
        run("show", "stats", "--index", each.index, "--json").json["unread"] for each in (whole, killed)
    ]
    assert unread[0] == unread[1] != []
    assert run("check", "--index", killed.index).out == "nothing found\n"


def test_what_was_committed_is_never_sent_again(told):
    _, (story, _) = told
    assert len(story.parts) == KILLS + 1
    for kept, later in zip(story.kept, story.parts[1:], strict=False):
        assert [each for each in chats(later) if each.key in kept] == []
    assert {each.key for part in story.parts for each in chats(part)} == set(story.kept[-1])


def test_a_kill_repeats_at_most_what_was_in_flight(told):
    (whole, _), (story, _) = told
    lost: Counter[str] = Counter()
    for part, kept in zip(story.parts, story.kept, strict=True):
        unfinished = {each.key for each in chats(part)} - set(kept)
        assert len(unfinished) <= JOBS
        lost.update(unfinished)
    replies = Counter(
        each.key
        for part in story.parts
        for each in chats(part)
        if each.whole and each.answer not in TRANSPORT
    )
    assert [key for key, count in replies.items() if count > 1 + lost[key]] == []
    assert set(replies) == {each.key for each in chats(whole.parts[0])}  # the same questions, kills or not
    assert sum(map(bool, lost.values())) >= 5  # kills did meet requests in flight


def test_transport_retries_are_counted_apart(told):
    for story, _ in told:
        sent = Counter(each.key for part in story.parts for each in chats(part))
        builds = Counter(key for part in story.parts for key in {each.key for each in chats(part)})
        attempts = {key: row["attempts"] for key, row in story.kept[-1].items() if builds[key] == 1}
        assert attempts == {key: sent[key] for key in attempts}
        assert max(attempts.values()) > 1


def test_embeddings_that_were_committed_are_not_made_again(told):
    _, (story, _) = told
    made: set[str] = set()
    for part in story.parts:
        texts = [each.key for each in part if each.path.endswith("embeddings")]
        assert made.isdisjoint(texts)
        made |= set(texts) - set(texts[-1:])  # the last may have been in flight


def test_every_kind_of_moment_was_met(told):
    _, (story, _) = told
    stages = [Counter(row["stage"] for row in kept.values()) for kept in story.kept]
    reached = {max(stage, default="", key=lambda name: list(stage).index(name)) for stage in stages}
    assert len(reached) >= 4, reached
    faults = {each.answer for part in story.parts for each in part}
    assert len(faults & set(TRANSPORT)) >= 4, faults
