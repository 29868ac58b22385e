from __future__ import annotations

import sys
from pathlib import Path

import pytest

from aitia.corpus.tokens import count_tokens
from aitia.evaluation.peers.peer import ChatEndpoint, Patience, open_peer
from aitia.testing import HashEmbedder
from aitia.testing.llm_server import LLMServer

PROTOCOL = Path(__file__).parents[4] / "benchmarks" / "peers"
ADAPTER = f"""
import json, os, sys
from pathlib import Path
from urllib.request import Request, urlopen

sys.path.insert(0, {str(PROTOCOL)!r})
from protocol import serve, texts

def post(place, path, **body):
    headers = {{"Authorization": "Bearer " + place["api_key"], "Content-Type": "application/json"}}
    request = Request(place["base_url"] + path, json.dumps(body).encode(), headers)
    return json.load(urlopen(request, timeout=10))

def chat(place, words):
    said = post(place, "/chat/completions", model=place["model"], messages=[{{"role": "user", "content": words}}])
    return said["choices"][0]["message"]["content"]

def build(message):
    print("a peer prints what it likes")
    documents = texts(message["corpus"])
    if "unreadable" in "".join(documents.values()):
        raise ValueError("two\\nlines")
    for text in documents.values():
        chat(message["chat"], text)
    vectors = post(message["embeddings"], "/embeddings", input=list(documents.values()))["data"]
    assert len(vectors[0]["embedding"]) == message["embeddings"]["dimensions"]
    Path(message["folder"], "index.json").write_text(json.dumps([message["recipe"], documents]))
    return {{"nodes": len(vectors), "edges": 0}}

def open(message):
    recipe, documents = json.loads(Path(message["folder"], "index.json").read_text())

    def ask(asked):
        words = asked["question"]
        if words == "die":
            os._exit(7)
        if words == "fail":
            raise RuntimeError("no graph")
        if words == "mute":
            return {{"contexts": []}}
        found = [name for name, text in documents.items() if words in text]
        reply = asked["mode"] + " of " + recipe + ": " + chat(message["chat"], words)
        return {{
            "reply": reply,
            "abstained": not found,
            "contexts": [documents[name] for name in found],
            "documents": found,
        }}

    return ask

serve(build, open)
"""
SETTINGS = 'package = "fake 1"\nlicence = "MIT"\ndefault = "mix"\n[modes]\nmix = "graph"\n'


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    folder = tmp_path / "adapters"
    (folder / "fake").mkdir(parents=True)
    (folder / "fake" / "peer.toml").write_text(SETTINGS)
    (folder / "fake" / "adapter.py").write_text(ADAPTER)
    binaries = folder / "environments" / "fake" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").symlink_to(sys.executable)
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mites.md").write_text("Mites weaken bees.")
    (folder / "cold.md").write_text("Cold weakens bees.")
    return folder


@pytest.fixture
def peer(adapters, tmp_path):
    with LLMServer(answer=lambda system, user: "three words long") as server:
        chat = ChatEndpoint("m", server.base_url)
        with open_peer(
            "peer:fake", adapters, chat, HashEmbedder(), tmp_path / "log", Patience(20, 20, 20)
        ) as peer:
            yield peer


def test_from_a_corpus_to_answers(peer, corpus, tmp_path):
    built = peer.build(corpus, tmp_path / "index")
    assert (built.system, built.error) == ("peer:fake", None)
    assert (built.nodes, built.edges) == (2, 0)
    assert (built.llm_calls, built.embedding_calls, built.reply_tokens) == (2, 2, 6)
    assert built.seconds > built.llm_seconds > 0
    peer.open(tmp_path / "index")
    answer = peer.ask("Mites")
    assert answer.reply == "mix of graph: three words long"
    assert answer.contexts == ("Mites weaken bees.",)
    assert answer.documents == ("mites",)
    assert (answer.abstained, answer.error) == (False, None)
    assert answer.usage == {
        "llm_calls": 1,
        "prompt_tokens": count_tokens("Mites"),
        "reply_tokens": 3,
        "embedding_calls": 0,
    }
    assert answer.seconds["answer"] > 0 and answer.seconds["retrieve"] > 0 and answer.seconds["embed"] == 0
    assert peer.ask("wasps").abstained
    assert "a peer prints what it likes" in (tmp_path / "log").read_text()


def test_failures_are_answers_and_a_process_that_ended_is_started_anew(peer, corpus, tmp_path):
    peer.build(corpus, tmp_path / "index")
    peer.open(tmp_path / "index")
    failed = peer.ask("fail")
    assert failed.error.startswith("peer fake failed at 'ask': RuntimeError: no graph. Its log: ")
    assert (failed.reply, failed.contexts) == (None, ())
    assert "with exit status 7" in peer.ask("die").error
    assert peer.ask("Cold").documents == ("cold",)
    assert "without a reply" in peer.ask("mute").error


def test_a_build_that_fails_is_a_record_that_says_why(peer, corpus, tmp_path):
    (corpus / "bad.md").write_text("unreadable")
    built = peer.build(corpus, tmp_path / "index")
    assert built.error.startswith("peer fake failed at 'build': ValueError: two lines. Its log: ")
    assert (built.nodes, built.edges, built.llm_calls) == (None, None, 0)


def test_an_adapter_that_does_not_import_fails_at_the_start(peer, adapters, corpus, tmp_path):
    (adapters / "fake" / "adapter.py").write_text("import nowhere")
    built = peer.build(corpus, tmp_path / "index")
    assert (
        "ended amid 'start' with exit status 1 (ModuleNotFoundError: No module named 'nowhere')"
        in built.error
    )


def test_asking_before_opening(peer):
    assert peer.ask("why").error == "peer fake was asked before it was opened"


def test_documents_that_are_gone_leave_nothing_behind(peer, corpus, tmp_path):
    peer.build(corpus, tmp_path / "index")
    (corpus / "cold.md").unlink()
    assert peer.build(corpus, tmp_path / "index").nodes == 1
