"""The command line with a model: a real server on loopback, whose model is the stand-in."""

from __future__ import annotations

import re
import shutil
from collections import Counter

import pytest

from aitia.testing.llm_server import LLMServer

WHY = "What shortens the lifespan of winter bees?"


@pytest.fixture(scope="module")
def server():
    with LLMServer() as server:
        yield server


@pytest.fixture(scope="module")
def built(server, bees, launch, tmp_path_factory):
    """The example's index, built by the stand-in; not to be changed."""
    folder = tmp_path_factory.mktemp("llm") / "bees"
    ran = launch(
        *("build", bees, "--index", folder, "--analyst", "llm", "--model", "stand-in"),
        *("--base-url", server.base_url, "--tier", "XS", "--llm", "price_in=1", "--llm", "price_out=4"),
    )
    assert ran.status == 0, ran.err
    return folder, ran


@pytest.fixture
def model(server, run, monkeypatch):
    """The model by the environment, as a user sets it (`run` begins without)."""
    monkeypatch.setenv("AITIA_BASE_URL", server.base_url)
    monkeypatch.setenv("AITIA_MODEL", "stand-in")


def test_the_build_says_what_it_asked(built):
    _, ran = built
    assert "calls of stand-in: " in ran.out
    assert ", cost 0." in ran.out
    assert "node_edges" in ran.err


def test_the_index_is_whole_and_every_claim_is_told(built, run):
    folder, _ = built
    assert run("check", "--index", folder).out == "nothing found\n"
    stats = run("show", "stats", "--index", folder, "--json").json
    assert (stats["status"], stats["unread"], stats["analyst"]) == ("complete", [], "llm")
    assert stats["metrics"] > 5
    assert stats["edges"] > 20
    assert stats["llm"]["model"] == "stand-in"


def test_nothing_is_asked_twice(built, server, run):
    folder, _ = built
    cost = run("show", "cost", "--index", folder, "--json").json
    asked = Counter(exchange.key for exchange in server.log if exchange.path.endswith("completions"))
    assert set(asked.values()) == {1}
    assert cost["llm_calls"] == len(asked)
    assert {stage["stage"] for stage in cost["stages"]} >= {"dimensions", "metrics", "claims", "node_edges"}
    for stage in cost["stages"]:
        assert stage["cost"] == pytest.approx(
            (stage["prompt_tokens"] + 4 * stage["reply_tokens"]) / 1e6, abs=1e-6
        )


def test_a_second_build_asks_nothing_and_changes_nothing(built, bees, server, model, run, tmp_path):
    folder, _ = built
    own = shutil.copytree(folder, tmp_path / "own")
    before = run("export", "--index", own, "--format", "json").out
    asked = len(server.log)
    assert run("build", bees, "--index", own, "--analyst", "llm", "--tier", "XS", "--quiet").status == 0
    assert len(server.log) == asked
    assert run("export", "--index", own, "--format", "json").out == before
    for name in ("graph_spec.yaml", "outcomes.yaml"):
        assert (own / name).read_bytes() == (folder / name).read_bytes()


def test_the_index_does_not_say_where_its_model_is(built, server):
    folder, _ = built
    address = server.base_url.encode()
    assert [path.name for path in folder.iterdir() if address in path.read_bytes()] == []


def test_whoever_built_it_answers(built, model, server, run):
    folder, _ = built
    asked = len(server.log)
    answer = run("ask", WHY, "--index", folder, "--json").json
    assert len(server.log) == asked + 1
    assert answer["sufficient"]
    assert answer["citations"]
    assert answer["dropped"] == []
    assert run("ask", WHY, "--index", folder, "--json").json == {
        **answer,
        "retrieval": {
            **answer["retrieval"],
            "seconds": pytest.approx(answer["retrieval"]["seconds"], abs=60),
        },
    }
    assert len(server.log) == asked + 1  # the same question again is answered by the ledger


def test_a_streamed_answer_is_the_same_and_has_its_sources(built, model, run):
    folder, _ = built
    plain = run("ask", WHY, "--index", folder, "--quiet").out
    streamed = run("ask", WHY, "--index", folder, "--quiet", "--stream").out
    said = [re.findall(r"\w+", text.partition("\nSources")[0]) for text in (plain, streamed)]
    assert said[0] == said[1]
    assert streamed.partition("\nSources")[2] == plain.partition("\nSources")[2]


def test_the_rules_can_answer_too(built, server, run):
    folder, _ = built
    asked = len(server.log)
    assert run("ask", WHY, "--index", folder, "--analyst", "rules", "--quiet").status == 0
    assert len(server.log) == asked


def test_nothing_in_the_corpus_needs_no_call(built, model, server, run):
    folder, _ = built
    asked = len(server.log)
    answer = run("ask", "zzyzx qwertz?", "--index", folder, "--documents", "winter*", "--json").json
    assert (answer["sufficient"], len(server.log)) == (False, asked)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--stream", "--json"), 2, "exclude each other"),
        (("--llm", "timeout_s=soon"), 2, "timeout_s"),
        (("--base-url", "http://127.0.0.1:9/v1"), 1, "127.0.0.1:9"),
        (("--analyst", "oracle"), 2, "unknown analyst"),
        (("--prompts", "nowhere"), 2, "nowhere"),
    ],
)
def test_what_cannot_be_asked(built, model, run, arguments, status, words):
    folder, _ = built
    ran = run("ask", "How many mites does a colony bear?", "--index", folder, *arguments)
    assert (ran.status, ran.out) == (status, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_limits_stop_before_they_are_passed_and_the_build_goes_on(built, bees, server, model, run, tmp_path):
    folder, _ = built
    own = tmp_path / "own"
    own.mkdir()
    build = ("build", bees, "--index", own, "--analyst", "llm", "--tier", "XS", "--quiet", "--llm", "run=1")
    seen = []
    for limit in ("0", "3", "4"):
        before = len(server.log)
        ran = run(*build, "--max-calls", limit)
        seen.append(len(server.log) - before)
        assert ran.status == 3, ran.err
        assert "--max-calls" in ran.err
        assert not (own / "index.db").exists()
    assert seen == [0, 3, 4]
    assert run(*build).status == 0
    same = [run("export", "--index", each, "--format", "json").out for each in (own, folder)]
    assert same[0] == same[1]
