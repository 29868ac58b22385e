"""What build, update and apply say of the decisions that they applied."""

from __future__ import annotations

import json
import shutil

import pytest

from aitia.spec.curation_file import read_decisions
from aitia.testing import HashEmbedder
from aitia.workflows import build, index, remake

MITES = "The mortality of bees depends on the level of mites. Mites raise the mortality of bees."
COLD = "Cold raises the mortality of bees. The level of mites falls in winter."
LOST = "- {action: delete, kind: metric, target: Weight}\n"


@pytest.fixture
def place(run, tmp_path, monkeypatch):
    for user in (build, index, remake):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())
    corpus, folder = tmp_path / "corpus", tmp_path / "index"
    corpus.mkdir()
    (corpus / "mites.txt").write_text(MITES, "utf-8")
    (corpus / "cold.txt").write_text(COLD, "utf-8")
    assert run("build", corpus, "--index", folder, "--quiet").status == 0
    return corpus, folder


def edit(folder, old, new):
    path = folder / "graph_spec.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def ways(corpus, folder):
    return {
        "build": ("build", corpus, "--index", folder),
        "update": ("update", corpus, "--index", folder),
        "apply": ("apply", "--index", folder),
    }


@pytest.mark.parametrize("way", ["build", "update", "update more", "apply"])
def test_what_could_not_be_applied_has_its_line_and_the_status_is_1(run, place, way):
    corpus, folder = place
    (folder / "curation.yaml").write_text(LOST, "utf-8")
    if way == "update more":
        (corpus / "more.txt").write_text("Mites raise the level of viruses.", "utf-8")
    command = ways(corpus, folder)[way.split()[0]]
    ran = run(*command)
    line = f"{read_decisions(folder / 'curation.yaml')[0].id} delete metric Weight: lost: there is no metric 'Weight'"
    assert ran.status == 1
    assert [each for each in ran.out.splitlines() if "Weight" in each] == [line]
    assert "Weight" not in ran.err
    again = run(*command, "--json")
    assert (again.status, json.loads(again.out)["findings"]) == (1, [line])


@pytest.mark.parametrize("way", ["build", "update", "update more", "apply"])
def test_edits_that_were_taken_in_are_listed_once(run, place, way):
    corpus, folder = place
    edit(folder, "metrics: []", "metrics:\n- name: Yield()\n  description: honey")
    if way == "update more":
        (corpus / "more.txt").write_text("Mites raise the level of viruses.", "utf-8")
    command = ways(corpus, folder)[way.split()[0]]
    ran = run(*command)
    made = read_decisions(folder / "curation.yaml")
    assert ran.status == 0
    assert [line for line in ran.err.splitlines() if line.startswith("Taken")] == [
        f"Taken from graph_spec.yaml: {made[0].id} add metric Yield"
    ]
    assert "Taken" not in run(*command).err


def test_a_decision_by_a_name_of_then_says_what_it_is_today(run, tiny, tmp_path):
    own = shutil.copytree(tiny, tmp_path / "index")
    run("curate", "merge", "entity", "subject/bee", "subject/mite", "--index", own)
    ran = run("curate", "delete", "entity", "subject/bee", "--index", own)
    made = read_decisions(own / "curation.yaml")
    assert ran.err.splitlines()[0] == f"{made[1].id} subject/bee is now subject/mite"


def test_a_check_of_lost_decisions_is_no_finding(run, place):
    _, folder = place
    (folder / "curation.yaml").write_text(LOST, "utf-8")
    waiting = run("check", "--index", folder)
    assert (waiting.status, waiting.out) == (
        1, "curation.yaml: 1 decisions are not in the index; run aitia apply\n",
    )  # fmt: skip
    line = f"curation.yaml: {run('apply', '--index', folder).out.strip()}"
    ran = run("check", "--index", folder)
    assert (ran.status, ran.out) == (0, f"nothing found\nnote: {line}\n")
    assert json.loads(run("check", "--index", folder, "--json").out)["notes"] == [line]
