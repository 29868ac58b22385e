from __future__ import annotations

import pytest

from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.errors import LimitReached, ModelError
from aitia.evaluation.bench import builds
from aitia.evaluation.bench.builds import Builder, graph_size, in_build_order, kept_builds, make_index, said
from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.bench.limits import Limits
from aitia.evaluation.records import BuildRecord, read_builds, write_records
from aitia.evaluation.systems import parse_system, parse_systems
from aitia.testing.memory_ledger import MemoryLedger


def test_each_build_once_and_the_text_first():
    systems = parse_systems("hcg:S,hcg:S+fused,qcg,plain:d2q,plain:naive,peer:x,plain:bm25")
    assert [each.name for each in in_build_order(systems)] == [
        *("plain:d2q", "plain:naive", "hcg:S", "qcg", "peer:x")
    ]


@pytest.mark.parametrize(
    ("stats", "size"),
    [
        ({"method": "hcg", "variables": 3, "edges": 4}, (3, 4)),
        ({"method": "qcg", "query_nodes": {"kept": 5, "edges": 9}, "edges": 0}, (5, 9)),
        ({"method": "hug", "entities": 6, "modules": 2, "links": 7, "gates": 1, "edges": 0}, (8, 8)),
        ({"method": "plain:hybrid", "variables": 0, "edges": 0}, (None, None)),
    ],
)
def test_nodes_and_edges_are_the_methods_own(stats, size):
    assert graph_size(stats) == size


def test_failed_builds_are_made_again(tmp_path):
    folder = BenchFolder(tmp_path)
    assert kept_builds(folder) == {}
    good = BuildRecord("qcg", nodes=1)
    write_records(folder.builds, [BuildRecord("qcg", error="no"), good, BuildRecord("hug", error="no")])
    assert kept_builds(folder) == {"qcg": good}
    assert read_builds(folder.builds) == [good]


def builder(tmp_path):
    return Builder(tmp_path, "minilm", 0, {}, Limits(MemoryLedger()), lambda *step: None)


def test_a_build_that_fails_is_a_record(tmp_path, monkeypatch):
    folder = BenchFolder(tmp_path)
    fault = ModelError("no\nserver")

    def build_index(*sources, **options):
        raise fault

    monkeypatch.setattr(builds, "build_index", build_index)
    record = make_index(folder, parse_system("hcg:M"), builder(tmp_path))
    assert record == BuildRecord("hcg:M", error="no server")
    assert read_builds(folder.builds) == [record]
    fault = LimitReached("enough")
    with pytest.raises(LimitReached):
        make_index(folder, parse_system("hcg:M"), builder(tmp_path))
    assert read_builds(folder.builds) == [record]


def test_how_an_error_is_said():
    assert said(ModelError("a\n b")) == "a b"
    assert said(KeyError("x")) == "unexpected KeyError: 'x'"


def test_limits_are_of_all_that_the_ledger_got_since():
    ledger = MemoryLedger()

    def add(number, model="m"):
        request = LLMRequest("answer", "answer", "s", str(number))
        reply = LLMReply("x", prompt_tokens=1_000_000, completion_tokens=500_000)
        ledger.add_reply(model, request.key(model), request, reply)

    add(0)
    models = ({"model": "m", "llm": {"price_in": 1.0, "price_out": 2.0}}, {"model": "free"})
    limits = Limits(ledger, 3, 10.0, models)
    assert limits.within({"model": "m"}) == {"model": "m", "max_calls": 3, "max_cost": 10.0}
    add(1)
    add(2, "free")
    assert limits.within({}) == {"max_calls": 1, "max_cost": 8.0}
    for number in range(3, 9):
        add(number)
    assert limits.within({}) == {"max_calls": 0, "max_cost": 0.0}
    assert Limits(ledger).within({"model": "m"}) == {"model": "m"}
