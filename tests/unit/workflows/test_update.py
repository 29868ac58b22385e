"""What an update refuses, and that it then leaves the index as it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from aitia.analyst.protocols import Unread
from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.errors import CorpusError, IndexFolderError, PartialBuild, UsageError
from aitia.spec.model import OutcomeConfig
from aitia.testing import HashEmbedder
from aitia.workflows import build as build_module
from aitia.workflows import folder as files
from aitia.workflows import index as index_module
from aitia.workflows import remake as module
from aitia.workflows.analysts import OpenAnalyst
from aitia.workflows.build import build_index
from aitia.workflows.update import update_index

MITES = "The mortality of bees depends on the level of mites. Mites raise the mortality of bees."
COLD = "Cold raises the mortality of bees. The level of mites falls in winter."


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    for user in (build_module, index_module, module):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())


@dataclass(frozen=True)
class Place:
    corpus: Path
    index: Path

    def update(self, **options):
        return update_index(self.corpus, self.index, **options)[1]

    def contents(self):
        return {path.name: path.read_bytes() for path in self.index.iterdir()}

    def refuses(self, error, match, **options):
        before = self.contents()
        with pytest.raises(error, match=match):
            self.update(**options)
        assert self.contents() == before


@pytest.fixture
def place(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "mites.txt").write_text(MITES, "utf-8")
    (corpus / "cold.txt").write_text(COLD, "utf-8")
    build_index(corpus, tmp_path / "index", settings={"tier": "XS"})
    return Place(corpus, tmp_path / "index")


def rewrite_facts(place, monkeypatch, **facts):
    """The index as it would be with other facts."""
    real = files.SqliteStore.facts
    monkeypatch.setattr(files.SqliteStore, "facts", lambda store: {**real(store), **facts})


def test_settings_are_those_of_the_index(place):
    (place.corpus / "late.txt").write_text("Wasps raise the mortality of bees.", "utf-8")
    index, changes = update_index(place.corpus, place.index)
    assert changes.added == ("late.txt",)
    assert index.settings["build"]["tier"] == "XS"


def test_where_there_is_no_index(place, tmp_path):
    with pytest.raises(IndexFolderError, match="make one with: aitia build"):
        update_index(place.corpus, tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_or_another_corpus_deletes_nothing(place, tmp_path):
    for path in place.corpus.iterdir():
        path.unlink()
    place.refuses(CorpusError, "nothing to read")
    (place.corpus / "other.txt").write_text("A letter about the sea.", "utf-8")
    place.refuses(CorpusError, "none of the 2 documents of .* is in the corpus any more")


def test_a_corpus_that_lacks_most_documents_deletes_nothing_unless_it_may(place):
    for name in ("third.txt", "fourth.txt"):
        (place.corpus / name).write_text(f"{MITES} {name}", "utf-8")
    place.update()
    for path in sorted(place.corpus.iterdir())[1:]:
        path.unlink()
    place.refuses(CorpusError, "^3 of the 4 documents .*--allow-removal")
    assert len(place.update(allow_removal=True).removed) == 3


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"analyst": "llm", "model": "m"}, "was built with analyst 'rules', found 'llm'"),
        ({"tier": "S"}, "unknown option 'tier'"),
        ({"jobs": 0}, "0 jobs; expected at least 1"),
    ],
)
def test_options_that_contradict_the_index(place, options, match):
    (place.corpus / "late.txt").write_text("Wasps raise the mortality of bees.", "utf-8")
    place.refuses(UsageError, match, **options)


def test_another_model_would_mix_two_kinds_of_claims(place, monkeypatch):
    recorded = {"model": "small", "temperature": 0.0, "price_in": 1.0}
    real = index_module.files.read_settings
    settings = {**real(place.index), "analyst": "llm", "llm": recorded}
    monkeypatch.setattr(files, "read_settings", lambda folder: settings)
    rewrite_facts(place, monkeypatch, settings=settings)
    place.refuses(UsageError, "was built with model 'small', found 'large'", model="large")
    place.refuses(UsageError, "built with temperature 0.0, found 0.5", llm={"temperature": 0.5})
    assert not place.update(model="small", llm={"price_in": 9.0, "timeout_s": 5.0})  # nothing changed


def test_a_partial_index_is_built_first(place, monkeypatch):
    rewrite_facts(place, monkeypatch, status="partial")
    place.refuses(IndexFolderError, "is partial, so there is no whole index to update")


def test_an_index_of_an_older_version(place, monkeypatch):
    real = files.SqliteStore.facts
    old = {
        name: value
        for name, value in files.open_store(place.index).facts().items()
        if name != "closed_dimensions"
    }
    monkeypatch.setattr(files.SqliteStore, "facts", lambda store: old)
    place.refuses(IndexFolderError, "built by a version that did not keep what an update needs")
    monkeypatch.setattr(files.SqliteStore, "facts", real)
    assert not place.update()


def test_files_that_were_edited(place):
    settings = place.index / "aitia.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace('"XS"', '"L"'), "utf-8")
    place.refuses(IndexFolderError, "aitia.toml was edited since the build")
    settings.write_text(text, "utf-8")
    outcomes = place.index / "outcomes.yaml"
    built = outcomes.read_text("utf-8")
    outcomes.write_text("terminal: [Level]\n", "utf-8")
    place.refuses(IndexFolderError, "other roles are other edges")
    outcomes.write_text(f"{built}# ours\n", "utf-8")
    (place.corpus / "late.txt").write_text("Wasps raise the mortality of bees.", "utf-8")
    place.update()
    assert outcomes.read_text("utf-8") == f"{built}# ours\n"


def test_a_file_that_is_newly_skipped_is_recorded(place):
    (place.corpus / "photo.png").write_bytes(b"\x89PNG")
    assert not place.update()
    assert [each.path for each in files.open_store(place.index).skipped()] == ["photo.png"]


def test_parts_without_a_reply_leave_the_index_as_it_was(place, monkeypatch):
    class Deaf(RulesAnalyst):
        unread = (Unread("claims", "late.txt", "no JSON", ("key",)),)

    retired = []
    monkeypatch.setattr(module, "open_analyst", lambda *given: OpenAnalyst(Deaf()))
    monkeypatch.setattr(module.SqliteLedger, "retire", lambda ledger, keys: retired.extend(keys))
    (place.corpus / "late.txt").write_text("Wasps raise the mortality of bees.", "utf-8")
    store = (place.index / "index.db").read_bytes()
    with pytest.raises(PartialBuild, match=r"no usable reply for claims of late\.txt"):
        place.update()
    assert (place.index / "index.db").read_bytes() == store
    assert retired == ["key"]


def test_the_roles_of_the_build_hold(place):
    facts = files.open_store(place.index).facts()
    (place.corpus / "late.txt").write_text("Wasps raise the mortality of bees.", "utf-8")
    place.update()
    after = files.open_store(place.index).facts()
    assert OutcomeConfig(**after["outcomes"]) == OutcomeConfig(**facts["outcomes"])
    assert after["outcomes_proposed"] == facts["outcomes_proposed"]
