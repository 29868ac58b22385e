from __future__ import annotations

import pytest

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.records import AnswerRecord, BuildRecord, ScoreRecord, append_record
from aitia.evaluation.report.bench_folder import family_of, method_of, read_bench, tier_of
from aitia.testing.tiny_bench import SYSTEMS


def answer(id, system, run=0, **more):
    return AnswerRecord(id, system, run, "t", "?", "gold", **more)


def test_the_tiny_bench(bench):
    assert bench.systems == SYSTEMS
    assert bench.types == ("Fact Retrieval", "Complex Reasoning")
    assert bench.builds["peer:lightrag"].error == "the adapter ended with exit status 1"
    assert len(bench.answers["hcg:L"]) == 6
    assert "peer:lightrag" not in bench.answers


def test_without_settings_systems_stand_by_method_and_tier(tmp_path):
    (tmp_path / "answers").mkdir()
    names = ("peer:b", "plain:naive", "hcg:L", "mine", "hcg:XS", "qcg", "hcg:S+fused", "hug")
    for name in names:
        append_record(tmp_path / "answers" / "all.jsonl", answer("q", name))
    for record in (
        BuildRecord("plain:hybrid", 0, 0),
        BuildRecord("hcg:S", 9, 9),
        BuildRecord("peer:a", error="no"),
    ):
        append_record(tmp_path / "builds.jsonl", record)
    bench = read_bench(tmp_path)
    assert bench.systems == (
        *("hcg:XS", "hcg:S+fused", "hcg:L", "qcg", "hug"),
        *("plain:naive", "peer:a", "peer:b", "mine"),
    )
    assert bench.builds["hcg:S+fused"].nodes == 9
    assert bench.builds["plain:naive"].system == "plain:hybrid"


def test_a_later_line_replaces_an_earlier_one_and_metrics_are_joined(tmp_path):
    for part in ("answers", "scores"):
        (tmp_path / part).mkdir()
    for error in ("timeout", None):
        append_record(tmp_path / "answers" / "a.jsonl", answer("q", "qcg", error=error))
    for scores in ({"a": 0.1, "b": None}, {"b": 0.5}, {"a": None, "c": 0.2}):
        append_record(tmp_path / "scores" / "a.jsonl", ScoreRecord("q", "qcg", 0, "", scores))
    bench = read_bench(tmp_path)
    assert [each.error for each in bench.answers["qcg"]] == [None]
    assert [each.scores for each in bench.scores["qcg"]] == [{"a": 0.1, "b": 0.5, "c": 0.2}]


def test_folders_that_are_none(tmp_path):
    with pytest.raises(UsageError, match="is no folder"):
        read_bench(tmp_path / "missing")
    with pytest.raises(UsageError, match="no records of a benchmark"):
        read_bench(tmp_path)
    (tmp_path / "bench.toml").write_text("= broken")
    with pytest.raises(CorpusError, match="not TOML"):
        read_bench(tmp_path)


@pytest.mark.parametrize(
    ("name", "method", "tier", "family"),
    [
        ("hcg:S+fused@3000", "hcg", "S", "hcg"),
        ("hcg:XS", "hcg", "XS", "hcg"),
        ("qcg+fused", "qcg", None, "qcg"),
        ("plain:hybrid@3000", "plain", None, "plain"),
        ("peer:lightrag", "peer", None, "peer:lightrag"),
        ("", "", None, ""),
    ],
)
def test_parts_of_names(name, method, tier, family):
    assert (method_of(name), tier_of(name), family_of(name)) == (method, tier, family)
