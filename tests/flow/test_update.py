"""An index follows its documents: with the rules, on a part of the example corpus, by the command line."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

EXTRA = """Notes from a trial.

Stress raises the mortality of honey bees. Moisture in the hive raises the mortality of winter bees.
Varroa mites shorten the lifespan of winter bees.
"""


PART = ("deformed-wing-virus.md", "nosema.html", "treatments.md", "varroa.md")


@pytest.fixture(scope="module")
def part(bees, launch, tmp_path_factory):
    """A folder with some of the documents and the index of them; not to be changed."""
    folder = tmp_path_factory.mktemp("part")
    (folder / "corpus").mkdir()
    for name in PART:
        shutil.copy(bees / name, folder / "corpus")
    built = launch("build", folder / "corpus", "--index", folder / "index", "--jobs", "2", "--quiet")
    assert (built.status, built.err) == (0, "")
    return folder


@pytest.fixture
def corpus(part, tmp_path):
    """A copy of the documents that may be changed."""
    return shutil.copytree(part / "corpus", tmp_path / "corpus")


@pytest.fixture
def own(part, tmp_path):
    """A copy of their index."""
    return shutil.copytree(part / "index", tmp_path / "own")


@pytest.fixture
def update(own, corpus, run):
    """Updates the copy of the index; what changed. Nothing may be left over."""

    def update(*options):
        ran = run("update", corpus, "--index", own, "--jobs", "2", "--json", "--quiet", *options)
        assert (ran.status, ran.err) == (0, "")
        checked = run("check", "--index", own)
        assert (checked.out, checked.status) == ("nothing found\n", 0)
        return {kind: paths for kind, paths in ran.json["changes"].items() if paths and kind != "unchanged"}

    return update


@pytest.fixture
def export(own, run):
    return lambda: run("export", "--index", own).out


def edge_of(export, source, target):
    found = [
        each for each in json.loads(export)["edges"] if (each["source"], each["target"]) == (source, target)
    ]
    return found[0] if found else None


def vectors(folder):
    with closing(sqlite3.connect(folder / "ledger.db")) as ledger:
        return ledger.execute("SELECT count(*) FROM embeddings").fetchone()[0]


def test_an_unchanged_corpus_changes_no_byte(own, update, digest):
    before = digest(own)
    assert update() == {}
    assert digest(own) == before


def test_a_document_that_comes_and_goes_leaves_nothing(own, corpus, update, export):
    before, spec = export(), (own / "graph_spec.yaml").read_bytes()
    (corpus / "trial.md").write_text(EXTRA, "utf-8")
    assert update() == {"added": ["trial.md"]}
    assert export() != before
    (corpus / "trial.md").unlink()
    assert update() == {"removed": ["trial.md"]}
    assert export() == before
    assert (own / "graph_spec.yaml").read_bytes() == spec


def test_an_edge_of_two_documents_keeps_the_evidence_of_the_other(own, corpus, update, export):
    before = json.loads(export())
    edge = next(
        each
        for each in before["edges"]
        if len(each["evidence"]) == 1 and each["evidence"][0]["found_by"] == "quote"
    )  # fmt: skip
    (item,) = edge["evidence"]
    ends = edge["source"], edge["target"]
    (corpus / "copied.md").write_text(f"Somebody else found this too. {item['quote']}\n", "utf-8")
    update()
    both = edge_of(export(), *ends)
    assert {each["document"] for each in both["evidence"]} == {item["document"], "copied.md"}
    original = (corpus / item["document"]).read_bytes()
    (corpus / item["document"]).unlink()
    assert update() == {"removed": [item["document"]]}
    left = edge_of(export(), *ends)
    assert {each["document"] for each in left["evidence"]} == {"copied.md"}
    assert left["mechanism"] == edge["mechanism"]
    (corpus / "copied.md").unlink()
    (corpus / item["document"]).write_bytes(original)
    assert set(update()) == {"added", "removed"}
    assert json.loads(export()) == before
    (corpus / item["document"]).unlink()
    update()
    assert edge_of(export(), *ends) is None


@pytest.mark.parametrize("name", ["varroa-mites.md", "a-first.md"])
def test_a_new_name_costs_nothing(own, corpus, update, export, name):
    before, embedded = export(), vectors(own)
    (corpus / "varroa.md").rename(corpus / name)
    assert update() == {"renamed": [{"from": "varroa.md", "to": name}]}
    after = export()
    assert vectors(own) == embedded
    renamed = json.loads(
        before.replace('"varroa.md"', f'"{name}"').replace('"name": "varroa"', f'"name": "{name[:-3]}"')
    )
    after = json.loads(after)
    if name < "deformed":  # it stands first now, and with it its chunks and evidence
        for content in (renamed, after):
            content["documents"].sort(key=lambda each: each["path"])
            content["chunks"].sort(key=lambda each: each["id"])
            for edge in content["edges"]:
                edge["evidence"].sort(key=lambda each: (each["chunk"], each["start"], each["end"]))
    assert after == renamed
    (corpus / name).rename(corpus / "varroa.md")
    update()
    assert export() == before


def test_the_way_there_does_not_matter(own, corpus, update, export, tmp_path):
    fork = shutil.copytree(own, tmp_path / "fork")
    treatments = (corpus / "treatments.md").read_bytes()
    (corpus / "trial.md").write_text(EXTRA, "utf-8")
    changed = (corpus / "varroa.md").read_text("utf-8").replace("Varroa", "The Varroa") + "\n\n" + EXTRA
    (corpus / "varroa.md").write_text(changed, "utf-8")
    (corpus / "nosema.html").unlink()
    assert update() == {"added": ["trial.md"], "changed": ["varroa.md"], "removed": ["nosema.html"]}
    direct = export()
    shutil.rmtree(own)
    fork.rename(own)
    (corpus / "varroa.md").write_text("Nothing to read here for now.", "utf-8")
    (corpus / "treatments.md").unlink()
    update()
    assert export() != direct
    (corpus / "varroa.md").write_text(changed, "utf-8")
    (corpus / "treatments.md").write_bytes(treatments)
    update()
    assert export() == direct


def test_remarks_in_the_specification_stay_and_edits_hold(own, corpus, update, run):
    path = own / "graph_spec.yaml"
    path.write_text(f"{path.read_text('utf-8')}# ours\n", "utf-8")
    (corpus / "trial.md").write_text(EXTRA, "utf-8")
    update()
    assert "# ours" in path.read_text("utf-8")
    edited = path.read_text("utf-8").replace('description: "What', 'description: "All that', 1)
    path.write_text(edited, "utf-8")
    (corpus / "trial.md").unlink()
    update()
    assert 'description: "All that' in path.read_text("utf-8") and "# ours" in path.read_text("utf-8")
    assert "author: file" in (own / "curation.yaml").read_text("utf-8")
    assert run("check", "--index", own).out == "nothing found\n"


def test_new_entities_of_known_dimensions_are_admitted(own, corpus, update, export):
    before = {each["key"] for each in json.loads(export())["variables"]}
    (corpus / "trial.md").write_text(
        "Nosema lowers the lifespan of mason bees. The lifespan of mason bees is short in winter.", "utf-8"
    )
    update()
    assert {each["key"] for each in json.loads(export())["variables"]} - before == {"Lifespan(mason bee)"}
    assert "- mason bee" in (own / "graph_spec.yaml").read_text("utf-8")


def test_a_person_reads_what_changed(own, corpus, run):
    (corpus / "varroa.md").unlink()
    (corpus / "trial.md").write_text(EXTRA, "utf-8")
    ran = run("update", corpus, "--index", own)
    assert ran.out.startswith(f"Updated {own} in ")
    assert ": 1 added, 1 removed, 3 unchanged\n" in ran.out
    assert "\nDeleted varroa.md\n" in ran.err
    again = run("update", corpus, "--index", own)
    assert again.out == f"{own} is up to date: 4 documents unchanged\n"


def test_an_index_of_text_alone_is_updated_too(corpus, run, tmp_path):
    index, fresh = tmp_path / "plain", tmp_path / "fresh"
    build = ("build", corpus, "--method", "plain:hybrid", "--quiet", "--index")
    assert run(*build, index).status == 0
    threshold = run("show", "stats", "--index", index, "--json").json["thresholds"]
    (corpus / "trial.md").write_text(EXTRA, "utf-8")
    assert run("update", corpus, "--index", index, "--quiet").out.endswith(": 1 added, 4 unchanged\n")
    assert run("show", "stats", "--index", index, "--json").json["thresholds"] == threshold
    assert run("check", "--index", index).status == 0
    assert run(*build, fresh).status == 0
    assert run("export", "--index", index).out == run("export", "--index", fresh).out
