"""An update by a model: what is asked again, over the real server of the stand-in, on a part of the example corpus."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files

import pytest

from aitia.errors import UsageError
from aitia.testing.llm_server import LLMServer
from aitia.workflows.build import build_index
from aitia.workflows.check import check_index
from aitia.workflows.export import export_json
from aitia.workflows.index import open_index
from aitia.workflows.update import update_index

PART = ("deformed-wing-virus.md", "nosema.html", "treatments.md", "varroa.md")
TRIAL = """Notes from a trial.

Moisture in the hive raises the mortality of winter bees. The mortality of winter bees raises the loss of colonies.
Treatment with thymol reduces the level of varroa mites. Nosema lowers the lifespan of mason bees.
"""


@pytest.fixture(scope="module")
def server():
    with LLMServer() as running:
        yield running


@pytest.fixture(scope="module")
def part(bees, server, tmp_path_factory):
    """Documents and their index by the stand-in; not to be changed."""
    folder = tmp_path_factory.mktemp("part")
    (folder / "corpus").mkdir()
    for name in PART:
        shutil.copy(bees / name, folder / "corpus")
    settings = {"tier": "XS"}
    build_index(folder / "corpus", folder / "index", analyst="llm", model="stand-in", base_url=server.base_url,
                api_key="none", settings=settings)  # fmt: skip
    return folder


@pytest.fixture
def place(part, tmp_path):
    shutil.copytree(part / "corpus", tmp_path / "corpus")
    shutil.copytree(part / "index", tmp_path / "index")
    return tmp_path


@pytest.fixture
def update(place, server):
    """Updates the copy; what was asked by stage, and the export. Nothing may be left over."""

    def update(**options):
        index, changes = update_index(
            place / "corpus", place / "index", base_url=server.base_url, api_key="none", **options
        )
        assert check_index(index) == []
        calls = {stage: tally["calls"] for stage, tally in changes.calls.items() if tally["calls"]}
        return calls, export_json(index)

    return update


def test_a_document_that_comes_and_goes(place, update):
    before = export_json(open_index(place / "index"))
    spec = (place / "index" / "graph_spec.yaml").read_bytes()
    trial = place / "corpus" / "trial.md"
    trial.write_text(TRIAL, "utf-8")
    calls, grown = update()
    assert set(calls) == {"claims", "node_edges"}
    assert calls["claims"] <= 2  # its window, and at most a neighbour
    new = {each["key"] for each in json.loads(grown)["variables"]}
    new -= {each["key"] for each in json.loads(before)["variables"]}
    assert new
    trial.unlink()
    assert update() == ({}, before)
    assert (place / "index" / "graph_spec.yaml").read_bytes() == spec
    trial.write_text(TRIAL, "utf-8")
    calls, again = update()
    assert "claims" not in calls  # the ledger has the windows, and the batches of the same pairs
    assert again == grown


def test_only_new_pairs_are_asked_about(place, update, server):
    (place / "corpus" / "trial.md").write_text(TRIAL, "utf-8")
    store = open_index(place / "index").store
    asked = {(each.source, each.target) for each in store.verdicts()}
    pairs = len(asked)
    update()
    index = open_index(place / "index")
    verdicts = {(each.source, each.target) for each in index.store.verdicts()}
    assert index.store.facts()["effort"]["variable_pairs"] == len(verdicts - asked) > 0
    assert len(verdicts & asked) == pairs


def test_a_new_name_costs_no_call(place, update):
    before = json.loads(export_json(open_index(place / "index")))
    (place / "corpus" / "varroa.md").rename(place / "corpus" / "a-first.md")
    calls, after = update()
    assert calls == {}
    edges = [(each["source"], each["target"], each["confidence"]) for each in before["edges"]]
    assert [
        (each["source"], each["target"], each["confidence"]) for each in json.loads(after)["edges"]
    ] == edges


def test_an_edge_of_two_documents_keeps_the_evidence_of_the_other(place, update):
    before = json.loads(export_json(open_index(place / "index")))
    edge, item = next(
        (edge, edge["evidence"][0])
        for edge in before["edges"]
        if {each["document"] for each in edge["evidence"]} == {"varroa.md"} and edge["evidence"][0]["quote"]
    )
    (place / "corpus" / "copied.md").write_text(f"Somebody else found this too. {item['quote']}\n", "utf-8")

    def documents(export):
        for each in json.loads(export)["edges"]:
            if (each["source"], each["target"]) == (edge["source"], edge["target"]):
                return {found["document"] for found in each["evidence"]}
        return None

    assert documents(update()[1]) == {"varroa.md", "copied.md"}
    original = (place / "corpus" / "varroa.md").read_bytes()
    (place / "corpus" / "varroa.md").unlink()
    assert documents(update()[1]) == {"copied.md"}
    (place / "corpus" / "varroa.md").write_bytes(original)
    (place / "corpus" / "copied.md").unlink()
    assert documents(update()[1]) == {"varroa.md"}
    (place / "corpus" / "varroa.md").unlink()
    assert documents(update()[1]) is None


def test_other_prompts_are_refused(place, update, tmp_path):
    folder = tmp_path / "prompts"
    folder.mkdir()
    bundled = files("aitia.analyst.llm") / "prompts" / "claims.md"
    text = bundled.read_text("utf-8")
    (folder / "claims.md").write_text(text, "utf-8")
    (place / "corpus" / "trial.md").write_text(TRIAL, "utf-8")
    assert update(prompts=folder)[0]  # a copy is no other prompt
    (folder / "claims.md").write_text(text.replace("\n\n", "\n\nBe brief.\n\n", 1), "utf-8")
    (place / "corpus" / "trial.md").unlink()
    with pytest.raises(UsageError, match="was built with prompts of Aitia"):
        update(prompts=folder)
