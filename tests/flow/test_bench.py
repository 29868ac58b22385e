"""A benchmark as a user runs it: whole, again, killed half-way, with something that fails, and with hostile names."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from aitia.evaluation.records import read_answers, read_builds, read_scores
from aitia.testing.llm_server import LLMServer

LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"
PARTIAL = 3
RUNS = 3
QUESTIONS = """id,question,answer,question_type,evidence
winter,What shortens the lifespan of winter bees?,"Mite feeding, nosema and poor nutrition",Fact,\
"Mite feeding, deformed wing virus, nosema and poor pollen nutrition shorten the lifespan of winter bees."
acid,Why does oxalic acid fail when there is brood?,It has no effect on mites in capped brood,Why,\
It has no effect on mites in capped brood.
swarm,Why do colonies swarm?,Because the brood nest is congested,Why,
moon,How does the moon move submarines?,Insufficient information,Null,
"""


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "bees.csv"
    path.write_text(QUESTIONS)
    return path


def options(server, *more):
    """A benchmark whose answers are written by the stand-in, on vectors that cost nothing."""
    endpoint = ("--base-url", server.base_url, "--embedder", "openai:hash", "--model", "stand-in")
    return (*endpoint, "--writer", "llm", "--quiet", *more)


def asked(server, since=0):
    """How often each chat was asked for."""
    return Counter(each.key for each in server.log[since:] if each.path.endswith("completions"))


@pytest.mark.slow
def test_a_benchmark_and_again(run, bees, questions, tmp_path, digest, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    out = tmp_path / "out"
    call = ("bench", questions, "--corpus", bees, "--out", out, "--runs", "2")
    with LLMServer() as server:
        judged = options(server, "--judge-model", "strict", "--methods", "plain:naive,qcg,plain:hybrid@300")
        ran = run(*call, *judged, "--json")
        assert (ran.status, ran.err) == (0, "")
        before, chats = digest(out), sum(asked(server).values())
        assert run(*call, *judged, "--json").json == ran.json
        assert (digest(out), sum(asked(server).values())) == (before, chats)
        # Of one run are 3 answers (there is no evidence of moons): each run has its own replies.
        stages = [json.loads(line) for line in (out / "answers" / "qcg.jsonl").read_text().splitlines()]
        assert sum(each["usage"]["llm_calls"] for each in stages) == 2 * 3
    assert sorted(each.name for each in (out / "indexes").iterdir()) == ["plain-hybrid", "qcg"]
    assert [each.system for each in read_builds(out / "builds.jsonl")] == ["plain:hybrid", "qcg"]
    systems = {each["system"]: each for each in ran.json["systems"]}
    assert list(systems) == ["plain:naive", "qcg", "plain:hybrid@300"]
    assert systems["qcg"]["build"]["nodes"] == 240
    assert systems["plain:naive"]["build"]["edges"] is None
    naive = read_answers(out / "answers" / "plain-naive.jsonl")
    assert Counter((each.id, each.run) for each in naive) == {
        (name, number): 1 for name in ("winter", "acid", "swarm", "moon") for number in range(2)
    }
    by_id = {each.id: each for each in naive if not each.run}
    assert not by_id["winter"].abstained
    assert by_id["moon"].abstained
    assert "[1]" not in by_id["winter"].reply
    assert by_id["winter"].usage["prompt_tokens"] > 1000
    scores = {
        (each.judge, each.id): each.scores for each in read_scores(out / "scores" / "plain-naive.jsonl")
    }
    assert scores["", "winter"]["evidence_recall"] == 1
    assert scores["", "moon"] == {"abstained_right": 1.0}
    assert set(scores["", "swarm"]) == {"rouge_l", "exact_match", "contains_match"}
    assert set(scores["strict", "acid"]) == {
        *("answer_correctness", "coverage", "faithfulness", "accuracy"),
        *("context_relevance", "judged_evidence_recall"),
    }
    assert ("strict", "moon") not in scores


def test_another_benchmark_does_not_go_on(run, bees, questions, tmp_path):
    out = tmp_path / "out"
    call = ("bench", questions, "--corpus", bees, "--out", out, "--methods", "plain:bm25", "--retrieve-only")
    short = ("--budget-words", "200", "--quiet")
    assert run(*call, *short).status == 0
    for given, said in (
        (("--budget-words", "300"), "was begun with budget_words = 200, found 300"),
        ((*short, "--seed", "1"), "was begun with seed = 0, found 1"),
        ((*short, "--half", "odd"), "was begun with questions = 4, found"),
        ((*short, "--embedder", "dir:x"), "was begun with embedder = minilm, found dir:x"),
        ((*short, "--methods", "qcg"), "is a benchmark of plain:bm25 too, found qcg"),
    ):
        refused = run(*call, *given)
        assert refused.status == 2
        assert said in refused.err
        assert len(refused.err.splitlines()) == 1
    questions.write_text(QUESTIONS.replace("Insufficient information", "Nothing"))
    assert "was begun with questions_sha256 = " in run(*call, *short).err
    questions.write_text(QUESTIONS)
    assert run(*call, *short, "--runs", "2", "--methods", "plain:bm25,plain:rrf").status == 0
    assert len(read_answers(out / "answers" / "plain-rrf.jsonl")) == 8


@pytest.mark.slow
def test_killed_half_way(run, bees, questions, tmp_path, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    out = tmp_path / "out"
    slow = {"latency_ms": 150}
    with LLMServer(faults=_faults(slow)) as server:
        call = [
            *("bench", questions, "--corpus", bees, "--out", out, "--runs", RUNS, "--jobs", 1),
            *options(server, "--methods", "plain:naive,plain:hybrid@300"),
        ]
        first = out / "answers" / "plain-naive.jsonl"
        with subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, call)], stdout=subprocess.DEVNULL
        ) as process:
            until = time.monotonic() + 100
            while not (first.exists() and first.read_text().count("\n") >= 5) and time.monotonic() < until:
                time.sleep(0.005)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        kept = first.read_text()
        assert 5 <= kept.count("\n") < 4 * RUNS
        with first.open("a") as file:  # as if the power had gone while a line was written
            file.write('{"id": "wint')
        builds = (out / "builds.jsonl").read_text()
        sent = asked(server)
        assert run(*call).status == 0
        assert (out / "builds.jsonl").read_text() == builds
        assert first.read_text().startswith(kept)
        for name in ("plain-naive", "plain-hybrid-300"):
            answers = read_answers(out / "answers" / f"{name}.jsonl")
            assert len(answers) == len({(each.id, each.run) for each in answers}) == 4 * RUNS
        # 3 questions a run and system reach the model; equal prompts of a system's runs differ in the ledger alone.
        total = asked(server)
        assert sum(total.values()) <= 2 * 3 * RUNS + 1  # the one that was in flight
        assert sum(sent.values()) < sum(total.values())


def _faults(values):
    from aitia.testing.llm_faults import Faults

    return Faults(rates={}, **values)


def test_what_fails_is_said_and_asked_again(run, bees, questions, tmp_path, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    out = tmp_path / "out"
    call = ("bench", questions, "--corpus", bees, "--out", out, "--methods", "plain:bm25,plain:d2q")
    build = ("--analyst", "llm", "--llm", "attempts=1", "--writer", "rules", "--model", "stand-in")
    with LLMServer(answer=_refuses) as server:
        ran = run(*call, *build, "--base-url", server.base_url)
        quiet = run(*call, *build, "--base-url", server.base_url, "-q")
    assert ran.status == quiet.status == PARTIAL
    assert "plain:d2q has no answers: " in ran.err
    assert "the same call asks for it again" in ran.err
    (reason,) = quiet.err.splitlines()  # quiet leaves out progress and notes, not why it failed
    assert reason.startswith("plain:d2q has no answers: ")
    failed = [each for each in read_builds(out / "builds.jsonl") if each.error]
    assert [each.system for each in failed] == ["plain:d2q"]
    assert len(read_answers(out / "answers" / "plain-bm25.jsonl")) == 4
    with LLMServer() as server:
        ran = run(*call, *build, "--base-url", server.base_url, "--json")
    assert ran.status == 0
    assert [each["questions"] for each in ran.json["systems"]] == [4, 4]
    assert all(each.error is None for each in read_builds(out / "builds.jsonl"))


def _refuses(system, user):
    raise ValueError("no")


def test_an_answer_with_an_error_is_asked_again(run, bees, questions, tmp_path, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    out = tmp_path / "out"
    path = out / "answers" / "plain-bm25.jsonl"
    call = ("bench", questions, "--corpus", bees, "--out", out, "--methods", "plain:bm25", "--quiet")
    writer = ("--writer-model", "stand-in", "--llm", "attempts=1")
    with LLMServer(answer=_refuses) as server:
        assert run(*call, *writer, "--writer-base-url", server.base_url).status == PARTIAL
    errors = {each.id: each.error for each in read_answers(path)}
    assert errors["moon"] is None
    assert errors["winter"].endswith("answered with an error (400: no)")
    assert [each.id for each in read_scores(out / "scores" / "plain-bm25.jsonl")] == ["moon"]
    with LLMServer() as server:
        assert run(*call, *writer, "--writer-base-url", server.base_url).status == 0
        assert sum(asked(server).values()) == 3
    assert Counter(each.id for each in read_answers(path)) == dict.fromkeys(errors, 1)
    scored = [each.id for each in read_scores(out / "scores" / "plain-bm25.jsonl")]
    assert scored == ["winter", "acid", "swarm", "moon"]


def test_a_limit_stops_and_the_same_call_goes_on(run, bees, questions, tmp_path, monkeypatch):
    monkeypatch.setenv("AITIA_API_KEY", "none")
    out = tmp_path / "out"
    call = ("bench", questions, "--corpus", bees, "--out", out)
    with LLMServer() as server:
        given = options(server, "--methods", "plain:naive,plain:bm25", "--max-calls", "4")
        assert run(*call, *given).status == PARTIAL
        assert sum(asked(server).values()) == 4
        assert run(*call, *given).status == 0
        assert sum(asked(server).values()) == 6


def test_hostile_names(run, tmp_path):
    corpus = tmp_path / "corp us"
    corpus.mkdir()
    (corpus / "a'; rm -rf b\n.txt").write_text("Mites weaken the colony. Cold weakens mites.")
    ids = ["../../up", "a\nb", "\x1b[2Jred", "", "\ud800", "日本", "x" * 3000]
    questions = tmp_path / "questions.json"
    records = [{"id": name, "question": f"Why {n} mites?", "answer": "x"} for n, name in enumerate(ids)]
    questions.write_text(json.dumps(records))
    out = tmp_path / "o ut\n'x'"
    methods = "plain:bm25,plain:naive"
    ran = run("bench", questions, "--corpus", corpus, "--out", out, "--methods", methods, "--quiet")
    if ran.status:  # a loader may refuse an id, in one line
        assert len(ran.err.splitlines()) == 1
        records = [each for each in records if each["id"] not in ("", "\ud800")]
        questions.write_text(json.dumps(records))
        ran = run("bench", questions, "--corpus", corpus, "--out", out, "--methods", methods, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    found = [each.id for each in read_answers(out / "answers" / "plain-bm25.jsonl")]
    assert found == [each["id"] for each in records]
    assert {each.name for each in tmp_path.iterdir()} == {"corp us", "o ut\n'x'", "questions.json"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--methods", "graphrag"), "unknown method 'graphrag'"),
        (
            ("--methods", "peer:lightrag"),
            "peer systems need the folder of their adapters; give it with --peers",
        ),
        (("--methods", "hcg", "--questions", "0"), "--questions 0; expected at least 1"),
        (("--methods", "hcg", "--questions", "2", "--half", "odd"), "exclude one another"),
        (("--methods", "hcg", "--half", "third"), "expected even or odd"),
        (("--methods", "hcg", "--ids", "none.txt"), "--ids none.txt: cannot be read"),
        (("--methods", "plain:naive", "--embedder", "foo"), "embedder 'foo' is unknown; expected minilm"),
        (("--methods", "hcg", "--judged", "accuracy"), "--judged is for a model that --judge-model names"),
        (
            ("--methods", "hcg", "--judge-base-url", "http://x"),
            "--judge-base-url is for a model that --judge-model",
        ),
        (
            ("--methods", "hcg", "--writer-base-url", "http://x"),
            "--writer-base-url is for a model that --writer-",
        ),
        (
            ("--methods", "hcg", "--max-calls", "5"),
            "--max-calls limits a builder, writer or judge with a model",
        ),
        (
            ("--methods", "hcg", "--max-cost", "5"),
            "--max-cost limits a builder, writer or judge with a model",
        ),
        (("--methods", "hcg", "--budget-words", "0"), "budget-words 0"),
        (("--methods", "hcg+in_context", "--retrieve-only"), "--retrieve-only has none"),
        (("--methods", "hcg", "--analyst", "llm"), "the llm analyst needs a model"),
        (
            ("--methods", "hcg", "--judge-model", "x", "--judged", "beauty"),
            "judged metric 'beauty' is unknown",
        ),
    ],
)
def test_wrong_use_leaves_nothing(run, bees, questions, tmp_path, given, said):
    ran = run("bench", questions, "--corpus", bees, "--out", tmp_path / "out", "-q", *given)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("dataset", "said"),
    [
        (("novel:nope", "--data", "data"), "has no text 'nope'; found one"),
        (("novel", "--data", "nowhere"), "nowhere: is no folder; expected the one that holds novel"),
        (("lonely/bees.csv",), "expected one corpus beside bees.csv"),
        (("lonely/bees.csv", "--corpus", "nowhere"), "nowhere: does not exist; expected the corpus of"),
    ],
)
def test_data_that_are_not_there_are_wrong_use(run, tmp_path, monkeypatch, dataset, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lonely").mkdir()
    (tmp_path / "lonely" / "bees.csv").write_text(QUESTIONS)
    docs = tmp_path / "data" / "novel" / "docs"
    docs.mkdir(parents=True)
    (docs / "one.txt").write_text("Mites weaken the colony.")
    record = {"id": "q", "question": "Why?", "answer": "So.", "source": "one"}
    (docs.parent / "questions.json").write_text(json.dumps([record]))
    ran = run("bench", *dataset, "--out", "out", "--methods", "plain:bm25")
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert said in ran.err


def test_documents_that_are_nowhere_are_noted_once(run, bees, tmp_path):
    questions = tmp_path / "q.json"
    records = [
        {
            "id": "q1",
            "question": "Why mites?",
            "answer": "x",
            "evidence_documents": ["nosuch.md", "other.md"],
        },
        {"id": "q2", "question": "Why?", "answer": "x", "evidence_documents": ["nosuch.md"]},
    ]
    questions.write_text(json.dumps(records))
    call = ("bench", questions, "--corpus", bees, "--out", tmp_path / "out", "--retrieve-only")
    ran = run(*call, "--methods", "plain:bm25,plain:naive")
    assert ran.status == 0
    assert ran.err.count("2 of 2 documents that questions name as evidence are in no index") == 1
    assert "as 'nosuch.md' of question 'q1'" in ran.err
    assert run(*call, "--methods", "plain:bm25,plain:naive", "-q").err == ""


def test_a_folder_of_other_things_is_left_alone(run, bees, questions, tmp_path):
    call = ("bench", questions, "--corpus", bees, "--methods", "plain:bm25")
    ran = run(*call, "--out", tmp_path)
    assert (ran.status, list(Path(tmp_path).iterdir())) == (2, [questions])
    assert "holds other files ('bees.csv') and no benchmark" in ran.err
    assert "is a file" in run(*call, "--out", questions).err
