"""An embedder behind an endpoint: address and key come from the environment, and the key goes nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from aitia.testing import EmbeddingServer

KEY = "sk-a-secret-that-must-not-leak"
BUILD = ("build", "docs.txt", "--index", "index", "--method", "plain:hybrid", "--embedder", "openai:any")


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs.txt").write_text("Mites raise the mortality of bees. Cold weakens the colony.\n")
    with EmbeddingServer() as running:
        yield running


def test_build_and_retrieve(server, launch, monkeypatch):
    monkeypatch.setenv("AITIA_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    built = launch(*BUILD)
    assert built.status == 0
    found = launch("retrieve", "What do mites raise?", "--index", "index", "--json")
    assert found.json["documents"] == ["docs"]
    assert set(server.keys) == {f"Bearer {KEY}"}
    server.fault = 401
    refused = launch("retrieve", "What do mites raise?", "--index", "index")
    assert (refused.status, refused.out) == (1, "")
    assert refused.err.startswith(f"aitia: openai:any: {server.base_url} refused the API key (401)")
    assert refused.err.count("\n") == 1
    for text in (built.out, built.err, found.out, refused.err):
        assert KEY not in text
    for path in Path("index").iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_an_endpoint_that_does_not_answer(server, launch, digest):
    server.fault = 400
    before = digest(Path.cwd())
    ran = launch(*BUILD, "--base-url", server.base_url, "--quiet")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"aitia: openai:any: {server.base_url} answered with an error (")
    assert ran.err.count("\n") == 1
    left = {name: value for name, value in digest(Path.cwd()).items() if name != "index/ledger.db"}
    assert left == before
