"""Systems of others in a benchmark, by an adapter that a test writes."""

from __future__ import annotations

import sys

import pytest

from aitia.evaluation.records import read_answers, read_builds, read_scores
from aitia.testing.llm_server import LLMServer

PARTIAL = 3
SETTINGS = """package = "tiny 1"
licence = "MIT"
default = "mild"

[modes]
mild = "graph"
wild = "graph"
"""
ADAPTER = """
import json, os, pathlib, sys
print('{"ready": true}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["do"] == "build":
        if "broken" in os.getcwd() + __file__:
            print('{"error": "no graph came of it"}', flush=True)
            continue
        texts = sorted(pathlib.Path(message["corpus"]).iterdir())
        (pathlib.Path(message["folder"]) / "builds").open("a").write("x")
        answer = {"nodes": len(texts), "edges": 7}
    elif message["do"] == "open":
        answer = {}
    elif "oxalic" in message["question"]:
        answer = {"error": "too long a question"}
    else:
        answer = {"reply": "I do not know.", "contexts": ["Mites weaken colonies."], "documents": ["00001"]}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def peers(tmp_path):
    folder = tmp_path / "peers"
    for name in ("tiny", "broken"):
        place = folder / name
        place.mkdir(parents=True)
        (place / "peer.toml").write_text(SETTINGS)
        (place / "adapter.py").write_text(ADAPTER)
        python = folder / "environments" / name / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
    return folder


def test_peers_beside_our_own(run, bees, tmp_path, peers):
    questions = tmp_path / "q.csv"
    questions.write_text(
        "id,question,answer,question_type\nswarm,Why swarm?,Congestion,Why\n"
        "acid,Why does oxalic acid fail?,Brood,Why\nmoon,Where is the moon?,Insufficient information,Null\n"
    )
    out = tmp_path / "out"
    methods = "peer:tiny,plain:bm25,peer:tiny-wild,peer:broken"
    with LLMServer() as server:
        call = (
            *("bench", questions, "--corpus", bees, "--out", out, "--methods", methods, "--peers", peers),
            *("--model", "stand-in", "--base-url", server.base_url),
        )
        ran = run(*call)
        again = run(*call, "--quiet")
    assert ran.status == again.status == PARTIAL
    builds = {each.system: each for each in read_builds(out / "builds.jsonl")}
    assert list(builds) == ["plain:hybrid", "peer:tiny", "peer:tiny-wild", "peer:broken"]
    assert (builds["peer:tiny"].nodes, builds["peer:tiny-wild"].edges) == (14, 7)
    assert (out / "indexes" / "peer-tiny-graph" / "index" / "builds").read_text() == "x"
    assert "no graph came of it" in builds["peer:broken"].error
    assert "peer:broken has no answers: " in again.err
    assert "peer:tiny: 1 answer ended in an error, the first: peer tiny" in again.err
    answers = {each.id: each for each in read_answers(out / "answers" / "peer-tiny-wild.jsonl")}
    assert (answers["swarm"].reply, answers["swarm"].abstained) == ("I do not know.", True)
    assert len(answers["swarm"].documents) == 1
    assert "too long a question" in answers["acid"].error
    scores = {each.id: each.scores for each in read_scores(out / "scores" / "peer-tiny.jsonl")}
    assert scores["moon"] == {"abstained_right": 1.0}
    assert set(scores) == {"swarm", "moon"}
    assert len(read_answers(out / "answers" / "plain-bm25.jsonl")) == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [("peer:unheard", "peer 'unheard' is unknown"), ("peer:bare", "peer bare has no environment")],
)
def test_a_peer_that_is_not_there_is_wrong_use(run, bees, tmp_path, peers, name, said):
    (peers / "bare").mkdir()
    (peers / "bare" / "peer.toml").write_text(SETTINGS)
    questions = tmp_path / "q.csv"
    questions.write_text("id,question,answer\nswarm,Why swarm?,Congestion\n")
    out = tmp_path / "out"
    call = ("bench", questions, "--corpus", bees, "--out", out, "--methods", f"plain:bm25,{name}", "-q")
    ran = run(*call, "--peers", peers, "--model", "stand-in", "--base-url", "http://127.0.0.1:9/v1")
    assert (ran.status, len(ran.err.splitlines()), out.exists()) == (2, 1, False)
    assert said in ran.err
