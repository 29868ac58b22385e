from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.bench.settings import BenchSettings, settle

GIVEN = BenchSettings(
    version="1",
    dataset="bees",
    questions=4,
    questions_sha256="a",
    corpus_sha256="b",
    systems=("qcg", "hug"),
    runs=2,
    budget_words=900,
    embedder="minilm",
    seed=0,
    judges=(),
    builder={"analyst": "rules"},
    writer={"analyst": "llm", "model": "x", "temperature": 0.0},
)


def read(out):
    return tomllib.loads((out / "bench.toml").read_text("utf-8"))


def test_a_new_benchmark_writes_all_of_it(tmp_path):
    assert settle(tmp_path, GIVEN) == GIVEN
    kept = read(tmp_path)
    assert (kept["dataset"], kept["questions_sha256"]) == ("bees", "a")
    assert (kept["systems"], kept["writer"]) == (["qcg", "hug"], GIVEN.writer)
    assert [each.name for each in tmp_path.iterdir()] == ["bench.toml"]


def test_the_same_again_touches_nothing(tmp_path):
    settle(tmp_path, GIVEN)
    before = (tmp_path / "bench.toml").stat()
    assert settle(tmp_path, replace(GIVEN, systems=("hug", "qcg"))) == GIVEN
    assert (tmp_path / "bench.toml").stat() == before


def test_systems_runs_and_judges_may_be_added(tmp_path):
    settle(tmp_path, replace(GIVEN, judges=("one",)))
    more = replace(GIVEN, systems=("plain:bm25", "hug", "qcg"), runs=3, judges=("two",))
    grown = settle(tmp_path, more)
    assert (grown.systems, grown.runs, grown.judges) == (("qcg", "hug", "plain:bm25"), 3, ("one", "two"))
    assert settle(tmp_path, replace(more, judges=())) == grown
    assert read(tmp_path)["judges"] == ["one", "two"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 1}, "seed = 0, found 1"),
        ({"version": "2"}, "version = 1, found 2"),
        ({"runs": 1}, "runs = 2, found 1"),
        ({"questions_sha256": "c"}, "questions_sha256 = a, found c"),
        ({"writer": {"analyst": "llm", "model": "y", "temperature": 0.0}}, "writer.model = x, found y"),
        ({"writer": {"analyst": "rules"}}, "writer.analyst = llm, found rules"),
        ({"builder": {"analyst": "rules", "prompts": "p"}}, "builder.prompts = nothing, found p"),
        ({"writer": {"analyst": "llm", "model": "x"}}, "writer.temperature = 0.0, found nothing"),
        ({"systems": ("hug",)}, "is a benchmark of qcg too, found hug"),
    ],
)
def test_the_first_difference_is_named(tmp_path, change, said):
    settle(tmp_path, GIVEN)
    before = (tmp_path / "bench.toml").read_bytes()
    with pytest.raises(UsageError) as caught:
        settle(tmp_path, replace(GIVEN, **change))
    assert said in str(caught.value)
    assert (tmp_path / "bench.toml").read_bytes() == before


def test_a_damaged_file_is_an_error(tmp_path):
    (tmp_path / "bench.toml").write_text("seed = = 1")
    with pytest.raises(CorpusError, match="cannot be read"):
        settle(tmp_path, GIVEN)
