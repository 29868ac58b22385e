from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from aitia.corpus.chunk import Chunk
from aitia.errors import AitiaError, CorpusError, EmbedderError, IndexFolderError, SpecError, UsageError
from aitia.testing import HashEmbedder
from aitia.workflows import build as module
from aitia.workflows import contents
from aitia.workflows import index as index_module
from aitia.workflows.build import build_index
from aitia.workflows.check import check_index
from aitia.workflows.contents import sample_sentences
from aitia.workflows.index import open_index
from aitia.workflows.show import find_warnings

TEXT = "Mites raise the mortality of bees. In winter they hide. Cold weakens the colony."


class Counting(HashEmbedder):
    """Counts the texts that it was asked for."""

    texts = 0

    def embed(self, texts):
        Counting.texts += len(texts)
        return super().embed(texts)


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    monkeypatch.setattr(Counting, "texts", 0)
    for user in (module, index_module):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: Counting())


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "mites.txt").write_text(TEXT, "utf-8")
    (folder / "dance.txt").write_text("Bees dance to show the way.", "utf-8")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n")
    return folder


@pytest.fixture
def target(tmp_path):
    return tmp_path / "index"


def contents_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_plain_index_records_what_it_was_made_with(corpus, target):
    index = build_index(corpus, target, method="plain:bm25", splitter="words:5/0", seed=3)
    recorded = tomllib.loads((target / "aitia.toml").read_text("utf-8"))
    embedder = HashEmbedder()
    assert {key: recorded[key] for key in ("method", "splitter", "embedder", "build")} == {
        "method": "plain:bm25",
        "splitter": "words:5/0",
        "embedder": {"id": embedder.id, "hash": embedder.hash, "dimensions": 64},
        "build": {},
    }
    assert recorded == index.settings == index.store.facts()["settings"]
    assert sorted(contents_of(target)) == ["aitia.toml", "index.db", "ledger.db"]
    assert [document.path for document in index.store.documents()] == ["dance.txt", "mites.txt"]
    assert [item.path for item in index.store.skipped()] == ["photo.png"]
    assert index.store.graph() is None
    assert [len(chunk.text.split()) for chunk in index.store.chunks()] == [5, 1, 5, 5, 4]
    assert index.retrieve("dance").evidence[0].document == "dance"


def test_the_threshold_is_that_of_sentences_against_chunks(corpus, target):
    index = build_index(corpus, target, method="plain:naive")
    chunks = index.store.chunks()
    questions = HashEmbedder().embed(sample_sentences(chunks, 0))
    cosines = questions @ index.text.chunk_vectors.T
    threshold = index.settings["thresholds"]["question_chunk"]
    assert any(threshold == pytest.approx(float(value), abs=1e-4) for value in cosines.ravel())


def test_a_graph_index_has_a_specification_and_outcomes_beside_it(corpus, target):
    index = build_index(corpus, target)
    assert index.method == "hcg"
    assert sorted(contents_of(target)) == [
        "aitia.toml", "graph_spec.yaml", "index.db", "ledger.db", "outcomes.yaml"
    ]  # fmt: skip
    assert index.store.facts()["spec_text"] == (target / "graph_spec.yaml").read_text("utf-8")
    graph = index.graph.arrays()
    np.testing.assert_array_equal(index.store.array("graph_sources"), graph.sources)
    assert set(index.settings["thresholds"]) == {"question_chunk", "tau_e", "tau_min"}


def test_the_same_build_again_embeds_nothing_and_gives_the_same_bytes(corpus, target):
    build_index(corpus, target)
    before, asked = contents_of(target), Counting.texts
    assert asked > 0
    build_index(corpus, target)
    assert contents_of(target) == before
    assert Counting.texts == asked


def test_progress_is_told(corpus, target):
    told = []
    build_index(corpus, target, report=lambda *step: told.append(step))
    steps = list(dict.fromkeys(step for step, _, _ in told))
    assert steps == [
        "reading", "embedding", "dimensions", "metrics", "variables", "relations", "edges", "evidence"
    ]  # fmt: skip
    assert ("reading", 2, 2) in told


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        (
            {"nonsense": "x"},
            UsageError,
            "unknown option 'nonsense'; expected one of analyst, api_key, base_url",
        ),
        ({"method": "hgc"}, UsageError, "unknown method 'hgc'; expected one of hcg, qcg, hug, plain:naive"),
        ({"analyst": "oracle"}, UsageError, "unknown analyst 'oracle'; expected one of rules"),
        ({"tier": "XXL"}, UsageError, "unknown tier 'XXL'"),
        ({"seed": -1}, UsageError, "setting seed: found -1; input should be greater than or equal to 0"),
        ({"jobs": 0}, UsageError, "0 jobs; expected at least 1"),
        (
            {"settings": {"pairs": 3}},
            UsageError,
            "unknown build setting 'pairs'; expected one of exhaustive, link_all",
        ),
        ({"settings": {"pairs_per_call": 0}}, UsageError, "setting pairs_per_call: found 0; input should be"),
        ({"settings": {"tier": "Q"}}, UsageError, "unknown tier 'Q'"),
        ({"splitter": "pages"}, UsageError, "pages"),
        ({"outcomes": "missing.yaml"}, SpecError, "missing.yaml"),
    ],
)
def test_options_that_cannot_be_used_make_nothing(corpus, target, options, kind, message):
    with pytest.raises(kind) as caught:
        build_index(corpus, target, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not target.exists() or not (target / "index.db").exists()
    assert Counting.texts == 0


def test_a_graph_that_stays_empty_is_told_and_is_no_damage(tmp_path, target):
    (tmp_path / "letter.txt").write_text("The cat sat on a mat in the sun.", "utf-8")
    index = build_index(tmp_path / "letter.txt", target)
    assert index.graph_is_empty
    assert find_warnings(index) == [
        "no causal graph: the text names no attribute or class often enough (1 document, 9 words); "
        "questions are answered from the text alone"
    ]
    assert check_index(index) == []


def test_a_corpus_without_words(tmp_path, target):
    (tmp_path / "empty.txt").write_text(" \n", "utf-8")
    with pytest.raises(CorpusError) as caught:
        build_index(tmp_path / "empty.txt", target)
    assert "\n" not in str(caught.value)
    assert not target.exists()


def test_a_build_that_fails_leaves_the_old_index_byte_for_byte(corpus, target, monkeypatch):
    build_index(corpus, target, method="plain:rrf")
    before = contents_of(target)

    def fail(self, texts):
        raise EmbedderError("the embedder went away; start it again")

    (corpus / "more.txt").write_text("Wasps rob weak colonies.", "utf-8")
    monkeypatch.setattr(Counting, "embed", fail)
    with pytest.raises(EmbedderError, match="went away"):
        build_index(corpus, target, method="hcg")
    assert contents_of(target) == before
    assert open_index(target).method == "plain:rrf"


def test_one_build_at_a_time(corpus, target, monkeypatch):
    from aitia.workflows.folder import locked

    target.mkdir()
    with locked(target), pytest.raises(IndexFolderError, match=r"is being written by process \d+ for \d+ s"):
        build_index(corpus, target)


def test_every_error_is_one_that_the_command_line_knows(corpus, target):
    (target.parent / "file").write_text("x", "utf-8")
    for place in (target.parent / "file", target.parent / "file" / "index", corpus):
        with pytest.raises(AitiaError) as caught:
            build_index(corpus, place)
        assert "\n" not in str(caught.value)
    assert sorted(path.name for path in Path(corpus).iterdir()) == ["dance.txt", "mites.txt", "photo.png"]


# Sentences in the place of questions


def chunk(ordinal, text):
    return Chunk("d", "a.md", ordinal, 0, len(text), text)


def test_a_sentence_a_chunk_whatever_the_seed():
    chunks = [chunk(0, "One here. Two here."), chunk(1, "Three here."), chunk(2, "four")]
    for seed in range(8):
        first, *rest = sample_sentences(chunks, seed)
        assert first in ("One here.", "Two here.")
        assert rest == ["Three here.", "four"]
        assert sample_sentences(chunks, seed) == [first, *rest]
    assert {sample_sentences(chunks, seed)[0] for seed in range(8)} == {"One here.", "Two here."}


def test_at_most_so_many_chunks_in_their_order():
    chunks = [chunk(row, f"Sentence {row} here.") for row in range(contents.SAMPLE + 50)]
    sample = sample_sentences(chunks, 0)
    assert len(sample) == len(set(sample)) == contents.SAMPLE
    rows = [int(text.split()[1]) for text in sample]
    assert rows == sorted(rows)
    assert sample_sentences(chunks, 1) != sample
