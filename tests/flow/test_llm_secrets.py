"""A key is sent to the endpoint and goes nowhere else: not into a file of the index, an output or an error."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from aitia.testing.llm_faults import Faults
from aitia.testing.llm_server import LLMServer

KEY = "sk-canary-7Yq2mV0xR4"
USER, PASSWORD, TOKEN = "canary-user-3Fq9", "canary-pass-8Zk1", "canary-token-5Wd6"
SECRETS = (KEY, USER, PASSWORD, TOKEN)
TEXT = """Moisture in the hive raises the mortality of winter bees. Their mortality raises the loss of colonies.
Treatment with thymol reduces the level of varroa mites. Varroa mites shorten the lifespan of winter bees.
"""
MODEL = ("--analyst", "llm", "--model", "stand-in", "--embedder", "openai:hash", "--tier", "XS")
WHY = "What shortens the lifespan of winter bees?"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/mites.md").write_text(TEXT, "utf-8")
    return tmp_path


@pytest.fixture
def aitia(run, place, monkeypatch):
    """Runs the command line with keys in the environment and in the address; nothing of them may come out."""

    def aitia(server, *arguments, key=KEY, debug=False):
        monkeypatch.setenv("OPENAI_API_KEY", key)
        monkeypatch.setenv("AITIA_API_KEY", key)
        if debug:
            monkeypatch.setenv("AITIA_DEBUG", "1")
        # A key and a user in the address exclude each other.
        user = "" if key else f"{USER}:{PASSWORD}@"
        address = server.base_url.replace("//", f"//{user}") + f"?token={TOKEN}"
        ran = run(*arguments, "--base-url", address)
        assert leaks(ran.out.encode()) == leaks(ran.err.encode()) == []
        for path in sorted(place.rglob("*")):
            assert leaks(str(path).encode()) == []
            assert not path.is_file() or leaks(path.read_bytes()) == [], path
        return ran

    return aitia


def leaks(content: bytes) -> list[str]:
    """The secrets in some bytes: as they are, backwards, in base64, and all but their ends."""
    basic = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    spelled = [form for secret in (*SECRETS, basic) for form in (secret, secret[::-1], secret[2:-2])]
    return [form for form in spelled if form.encode() in content]


def test_the_search_finds_what_it_seeks():
    assert leaks(f"a {KEY[2:-2]} b".encode()) == [KEY[2:-2]]
    assert leaks(b"nothing") == []


def test_all_commands_of_a_model(aitia):
    with LLMServer() as server:
        for arguments in (
            ("plan", "docs", "--index", "index", *MODEL),
            ("build", "docs", "--index", "index", *MODEL),
            ("plan", "docs", "--index", "index", *MODEL),
            ("ask", WHY, "--index", "index"),
            ("ask", WHY, "--index", "index", "--stream", "--explain"),
            ("ask", WHY, "--index", "index", "--json"),
            ("retrieve", WHY, "--index", "index", "--json"),
        ):
            assert aitia(server, *arguments).status == 0
        Path("docs/more.md").write_text("Nosema lowers the lifespan of winter bees.\n", "utf-8")
        assert aitia(server, "update", "docs", "--index", "index").status == 0
        assert {each.answer for each in server.log} == {"ok"}


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    "command", [("build", "docs", "--index", "index", *MODEL), ("ask", WHY, "--index", "index")]
)
def test_a_key_that_is_refused_and_repeated(aitia, command, debug):
    with LLMServer() as server:
        assert aitia(server, "build", "docs", "--index", "index", *MODEL).status == 0
    Path("index/ledger.db").unlink()
    with LLMServer(api_key="another") as server:
        ran = aitia(server, *command, debug=debug)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "API key" in ran.err


@pytest.mark.parametrize(
    ("faults", "status"),
    [
        (Faults(quota_after=4), 3),
        (Faults({"cut_json": 1.0}), 3),
        (Faults({"nan": 1.0}), 1),
        (Faults(context_tokens=900), 3),
    ],
)
def test_servers_that_fail(aitia, faults, status):
    with LLMServer(faults) as server:
        ran = aitia(server, "build", "docs", "--index", "index", *MODEL, "--llm", "attempts=1")
    assert ran.status == status
    assert "unexpected" not in ran.err


@pytest.mark.parametrize("key", [f"{KEY} ", f"{KEY}\u2026", f"Bearer {KEY}"])
def test_keys_that_no_header_carries(aitia, key):
    with LLMServer(api_key=KEY) as server:
        ran = aitia(server, "build", "docs", "--index", "index", *MODEL, key=key)
    assert ran.status == 1 or key.strip() == KEY


def test_a_user_in_the_address(aitia):
    with LLMServer() as server:
        assert aitia(server, "build", "docs", "--index", "index", *MODEL, key="").status == 0
        assert server.log
    with LLMServer(api_key=KEY) as server:
        assert aitia(server, "build", "docs", "--index", "other", *MODEL, key="").status == 1
