"""What a build by a model costs: as planned, within its limits, and the same whatever does it at once."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from aitia.testing.llm_faults import TRANSPORT, Faults
from aitia.testing.llm_server import LLMServer
from aitia.workflows.build import build_index
from aitia.workflows.export import export_json
from aitia.workflows.index import open_index
from aitia.workflows.show import show_stats

CHARACTERS = 60_000
LIMITED = PARTIAL = 3
MONEY = 0.1
"""Less than the tiers cost, and more than the longest reply."""
OPTIONS = ("--analyst", "llm", "--model", "stand-in", "--embedder", "openai:hash", "--tier", "XS")
STAGE1 = ("dimensions", "consolidate_dimensions", "metrics", "consolidate_metrics", "outcomes", "claims")
FAULTY = Faults({**Faults.all(content=0.3).rates, **dict.fromkeys(TRANSPORT, 0.01)}, seed=1, stall_s=0.05)
SLACK = 2
"""Calls that an expectation may be off in any case: a fifth of four calls is less than one."""

needs_data = pytest.mark.skipif("AITIA_DATA" not in os.environ, reason="needs $AITIA_DATA")
pytestmark = [pytest.mark.data, pytest.mark.slow, needs_data]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "medical.txt"
    text = (Path(os.environ["AITIA_DATA"]) / "medical" / "corpus.txt").read_text("utf-8")
    path.write_text(text[:CHARACTERS], "utf-8")
    return path


@pytest.fixture
def command(run, corpus, monkeypatch):
    """Builds or plans from the text."""
    monkeypatch.setenv("AITIA_API_KEY", "none")

    def command(name, server, index, *options):
        return run(name, corpus, "--index", index, *OPTIONS, "--base-url", server.base_url, *options)

    return command


def spent(index: Path) -> dict[str, tuple[int, int]]:
    """Calls and prompt tokens by stage."""
    query = "SELECT stage, count(*), sum(prompt_tokens) FROM replies GROUP BY stage"
    with closing(sqlite3.connect(index / "ledger.db")) as connection:
        return {stage: (calls, tokens) for stage, calls, tokens in connection.execute(query)}


def contents(folder: Path) -> dict[str, object]:
    """All that an index holds, but for what its build took."""
    held: dict[str, object] = {"export": export_json(open_index(folder))}
    for name in ("graph_spec.yaml", "outcomes.yaml", "aitia.toml"):
        held[name] = (folder / name).read_bytes()
    with closing(sqlite3.connect(folder / "index.db")) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table in tables:
            rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
            held[table] = [row for row in rows if (table, row[0]) != ("facts", "llm")]
    return held


def answered(server: LLMServer) -> int:
    """Complete replies that were sent."""
    chats = [each for each in server.log if each.path.endswith("completions")]
    return sum(each.answer not in TRANSPORT for each in chats)


@pytest.fixture(scope="module", params=[Faults.none(), FAULTY], ids=["healthy", "faulty"])
def faults(request):
    return request.param


@pytest.fixture(scope="module")
def one(faults, corpus, tmp_path_factory):
    """An index that was built in one go, one request at a time; not to be changed."""
    folder = tmp_path_factory.mktemp("one") / "index"
    with LLMServer(faults) as server:
        build_index(
            *(corpus, folder),
            **{"analyst": "llm", "model": "stand-in", "embedder": "openai:hash", "tier": "XS", "jobs": 1},
            **{"base_url": server.base_url, "api_key": "none"},
        )
    return folder


def test_a_build_is_planned_and_any_number_of_jobs_makes_the_same(command, one, faults, tmp_path):
    many = tmp_path / "many"
    with LLMServer(faults) as server:
        before = command("plan", server, many, "--json").json
        assert command("build", server, many, "--max-calls", "0").status == LIMITED
        assert before == command("plan", server, many, "--json").json
        assert {each.path for each in server.log} <= {"/v1/embeddings"}
        ran = command("build", server, many, "--jobs", "16", "--quiet")
    assert contents(one) == contents(many)
    took = spent(one)
    planned = {stage["stage"]: stage for stage in before["stages"]}
    assert sum(calls for calls, _ in took.values()) <= before["at_most"]
    assert all(calls <= planned[stage]["at_most"] for stage, (calls, _) in took.items())
    if faults == Faults.none():
        assert ran.status == 0
        assert {stage: took[stage][0] for stage in STAGE1} == {
            stage: planned[stage]["calls"] for stage in STAGE1
        }
        tokens = sum(took[stage][1] for stage in STAGE1)
        assert sum(planned[stage]["prompt_tokens"] for stage in STAGE1) == pytest.approx(tokens, rel=0.1)


def test_limits_hold_and_a_build_in_pieces_is_the_same(command, one, faults, tmp_path):
    pieces = tmp_path / "pieces"
    took = spent(one)
    stage1 = sum(took[stage][0] for stage in STAGE1)
    total = sum(calls for calls, _ in took.values())
    with LLMServer(faults) as server:
        for limit in (1, 3, stage1 - 4):
            before = answered(server)
            assert command("build", server, pieces, "--quiet", "--max-calls", limit).status == LIMITED
            assert answered(server) - before == limit
            assert not (pieces / "index.db").exists()
        plan = command("plan", server, pieces, "--json").json
        assert plan["kept"] == stage1
        actual = {stage: took[stage][0] for stage in ("metric_edges", "node_edges")}
        foreseen = {each["stage"]: each for each in plan["stages"]}
        expected = sum(foreseen[stage]["calls"] for stage in actual)
        if faults == Faults.none():
            assert abs(expected - sum(actual.values())) <= max(SLACK, 0.2 * sum(actual.values()))
        assert all(actual[stage] <= foreseen[stage]["at_most"] for stage in actual)
        prices = ("--llm", "price_in=1", "--llm", "price_out=4")
        before = answered(server)
        for money in (0.0, MONEY):
            assert command("build", server, pieces, "--quiet", *prices, "--max-cost", money).status == LIMITED
            assert (answered(server) == before) == (money == 0)
        with closing(sqlite3.connect(pieces / "ledger.db")) as connection:
            rows = connection.execute(
                "SELECT prompt_tokens, completion_tokens FROM replies ORDER BY rowid"
            ).fetchall()
        assert sum(tokens_in + 4 * tokens_out for tokens_in, tokens_out in rows[stage1:]) / 1e6 <= MONEY
        ended = command("build", server, pieces, "--quiet", "--max-calls", total).status
        assert answered(server) == total
    assert ended == (PARTIAL if show_stats(open_index(one))["unread"] else 0)
    assert contents(pieces) == contents(one)
