"""QCG-RAG and HugRAG built by a model that is the stand-in behind a real server."""

from __future__ import annotations

import json
import shutil
from collections import Counter

import numpy as np
import pytest

from aitia.methods.hug.chains import NO_CHAIN
from aitia.testing.llm_faults import Faults
from aitia.testing.llm_server import LLMServer
from aitia.testing.stand_in import answer_prompt
from aitia.workflows.index import open_index

STAGES = {"qcg": {"questions"}, "hug": {"entities", "modules", "gates"}}
RECORDS = {"qcg": ("query_nodes",), "hug": ("entities", "links", "modules", "gates", "merges")}
WHY = "Why do honey-bee colonies die in winter?"
OTHER = "Why do varroa mites weaken a colony?"
CHANGED = "monitoring.txt"


@pytest.fixture(scope="module")
def server():
    with LLMServer() as server:
        yield server


@pytest.fixture
def model(server, run, monkeypatch):
    """The model by the environment (`run` begins without)."""
    monkeypatch.setenv("AITIA_BASE_URL", server.base_url)
    monkeypatch.setenv("AITIA_MODEL", "stand-in")


@pytest.fixture(scope="module", params=sorted(STAGES))
def built(request, server, bees, launch, tmp_path_factory):
    """A method and the index that it built, 16 requests at once, and the calls that took; not to be changed."""
    folder = tmp_path_factory.mktemp(request.param) / "bees"
    before = len(server.log)
    ran = launch(
        *("build", bees, "--index", folder, "--method", request.param, "--analyst", "llm", "--jobs", "16"),
        *("--model", "stand-in", "--base-url", server.base_url, "--quiet"),
    )
    assert (ran.status, ran.err) == (0, "")
    return request.param, folder, server.log[before:]


def test_the_index_is_complete_and_nothing_is_asked_twice(built, run):
    method, folder, log = built
    assert run("check", "--index", folder).out == "nothing found\n"
    stats = run("show", "stats", "--index", folder, "--json").json
    assert (stats["status"], stats["unread"], stats["analyst"]) == ("complete", [], "llm")
    assert stats["llm_calls"].keys() == STAGES[method]
    assert sum(stage["calls"] for stage in stats["llm_calls"].values()) == len(log)
    assert set(Counter(exchange.key for exchange in log).values()) == {1}
    assert run("show", "rejected", "--index", folder, "--json").json == []


def test_a_second_build_asks_nothing_and_changes_nothing(built, bees, server, model, run, tmp_path):
    method, folder, _ = built
    own = shutil.copytree(folder, tmp_path / "own")
    before = run("export", "--index", own, "--format", "json").out
    asked = len(server.log)
    options = ("--method", method, "--analyst", "llm", "--quiet")
    assert run("build", bees, "--index", own, *options).status == 0
    assert len(server.log) == asked
    assert run("export", "--index", own, "--format", "json").out == before


def test_one_request_at_a_time_gives_the_same(built, bees, model, run, tmp_path):
    method, folder, _ = built
    options = ("--method", method, "--analyst", "llm", "--jobs", "1", "--quiet")
    assert run("build", bees, "--index", tmp_path / "one", *options).status == 0
    one, many = (open_index(each).store for each in (tmp_path / "one", folder))
    for kind in RECORDS[method]:
        assert one.records(kind) == many.records(kind) != []
    assert one.arrays().keys() == many.arrays().keys()
    assert all(np.array_equal(one.array(name), many.array(name)) for name in one.arrays())


def test_a_changed_document_costs_the_calls_of_its_own_chunks(built, bees, server, model, run, tmp_path):
    method, folder, log = built
    own, docs = shutil.copytree(folder, tmp_path / "own"), shutil.copytree(bees, tmp_path / "docs")
    (docs / CHANGED).write_text((docs / CHANGED).read_text("utf-8") + "\nIt rains.\n", "utf-8")
    asked = len(server.log)
    options = ("--method", method, "--analyst", "llm", "--quiet")
    assert run("build", docs, "--index", own, *options).status == 0
    assert 0 < len(server.log) - asked < len(log)
    calls = run("show", "stats", "--index", own, "--json").json["llm_calls"]
    assert calls["questions" if method == "qcg" else "entities"]["calls"] == 1


@pytest.mark.parametrize("method", sorted(STAGES))
def test_what_stays_unread_is_asked_by_the_next_build(bees, model, run, monkeypatch, tmp_path, method):
    docs, index = tmp_path / "docs", tmp_path / "index"
    docs.mkdir()
    for name in ("nosema.html", "treatments.md"):
        shutil.copy(bees / name, docs)
    build = ("build", docs, "--index", index, "--method", method, "--analyst", "llm", "--quiet")
    with LLMServer(Faults({"cut_json": 0.4})) as faulty:
        monkeypatch.setenv("AITIA_BASE_URL", faulty.base_url)
        assert run(*build).status == 3
    assert run("show", "stats", "--index", index, "--json").json["unread"]
    assert run("check", "--index", index).status == 0
    with LLMServer() as well:
        monkeypatch.setenv("AITIA_BASE_URL", well.base_url)
        assert run(*build).status == 0
        assert 0 < len(well.log) < len(faulty.log)
    stats = run("show", "stats", "--index", index, "--json").json
    assert (stats["status"], stats["unread"]) == ("complete", [])


@pytest.mark.parametrize("retrieval", ["fused", "graph"])
def test_answers_cite(built, model, run, retrieval):
    _, folder, _ = built
    answer = run("ask", WHY, "--index", folder, "--retrieval", retrieval, "--json").json
    assert answer["sufficient"]
    assert answer["citations"]
    assert answer["dropped"] == []


def judge(verdict, asked):
    """The stand-in, whose verdict on every chain is another; ``asked`` is told what it was asked to judge."""

    def answer(system, user):
        reply = answer_prompt(system, user)
        asked.append("paths" if "tell causal paths from spurious ones" in system else "answer")
        if "tell causal paths from spurious ones" not in system:
            return reply
        paths = [{**path, "verdict": verdict, "reason": "So I say."} for path in json.loads(reply)["paths"]]
        return json.dumps({"paths": paths})

    return answer


def chains_of(answer):
    trace = answer["retrieval"]["trace"]
    return trace["causal_paths"], trace["spurious"], trace["chains_note"]


@pytest.mark.parametrize("built", ["hug"], indirect=True)
@pytest.mark.parametrize("verdict", ["causal", "spurious"])
def test_chains_of_an_answer_are_judged_by_the_model(built, model, run, monkeypatch, tmp_path, verdict):
    folder = shutil.copytree(built[1], tmp_path / "own")
    ask = ("ask", OTHER, "--index", folder)  # whose replies are in no ledger yet
    asked: list[str] = []
    with LLMServer(answer=judge(verdict, asked)) as server:
        monkeypatch.setenv("AITIA_BASE_URL", server.base_url)
        answer = run(*ask, "--json").json
        assert asked == ["paths", "answer"]
        assert run(*ask, "--json").json["retrieval"]["trace"] == answer["retrieval"]["trace"]
        run("retrieve", OTHER, "--index", folder)
        assert len(asked) == 2  # the second time both replies are in the ledger, and retrieval asks nobody
        said = run(*ask).out
    causal, spurious, note = chains_of(answer)
    judged = causal if verdict == "causal" else spurious
    assert {path["reason"] for path in judged} == {"So I say."}
    assert (bool(causal), note) == ((True, "") if verdict == "causal" else (False, NO_CHAIN))
    assert (NO_CHAIN in said) == (verdict == "spurious")
    stages = {row["stage"] for row in run("show", "cost", "--index", folder, "--json").json["stages"]}
    assert "paths" in stages


@pytest.mark.parametrize("built", ["hug"], indirect=True)
def test_answers_of_the_rules_ask_nobody_about_chains(built, server, model, run):
    asked = len(server.log)
    answer = run("ask", WHY, "--index", built[1], "--analyst", "rules", "--json").json
    assert len(server.log) == asked
    causal, spurious, _ = chains_of(answer)
    assert causal or spurious


def test_what_the_corpus_does_not_speak_of_asks_nobody(built, server, model, run):
    asked = len(server.log)
    answer = run("ask", "zzyzx qwertz?", "--index", built[1], "--documents", "winter*", "--json").json
    assert (answer["sufficient"], len(server.log)) == (False, asked)
