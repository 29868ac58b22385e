"""What an expert decides holds: through apply, an update, a build from scratch, and a kill at any moment."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys

import pytest

from aitia.spec.curation_file import read_decisions
from aitia.spec.decisions import Decision
from aitia.workflows.curate import decide, history, queue
from aitia.workflows.index import open_index

DIE = "import os, signal, sys; die = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
RUN = "from aitia.cli.main import main; sys.exit(main())"
APPENDED = """
from aitia.workflows import folder
folder.write_sqlite = lambda path, contents: die()
"""
WRITTEN = """
from aitia.workflows import folder
write = folder.write_sqlite
folder.write_sqlite = lambda path, contents: (write(path, contents), die())
"""
COMMITTED = """
from pathlib import Path
replace = Path.replace
def dying(self, target):
    replace(self, target)
    if self.name == 'index.db.new':
        die()
Path.replace = dying
"""


def graph_of(folder):
    index = open_index(folder)
    graph = index.graph
    keys = [variable.key for variable in graph.variables]
    edges = {(keys[edge.source], keys[edge.target]): edge for edge in graph.edges}
    return index, {metric.name: metric for metric in graph.metrics}, set(keys), edges


def said(action, kind, target, **value):
    return Decision(action=action, kind=kind, target=target, value=value, author="ada")


@pytest.fixture
def decided(own):
    """The index with decisions that wait: renamed, merged, flipped, added, undone. All keys are of the machine."""
    made = [
        said("rename", "metric", "Level", to="Amount"),
        said("merge", "entity", "subject/virus", into="subject/deformed wing virus"),
        said("flip", "edge", "Level(mite) -> Level(virus)"),
        said("add", "edge", "Dose(any) -> Amount(mite)", mechanism="it kills them", confidence=0.9),
    ]
    kept = [decide(own, each) for each in made]
    lost = decide(own, said("delete", "metric", "Yield"))
    decide(own, Decision(action="undo", kind="metric", target=lost.id, author="ada"))
    return own, kept


def holds(folder):
    index, metrics, keys, edges = graph_of(folder)
    assert "Amount" in metrics and "Level" not in metrics and "Yield" in metrics
    assert "Amount(deformed wing virus)" in keys and not any("(virus)" in key for key in keys)
    subject = next(dimension for dimension in index.store.dimensions() if dimension.name == "subject")
    assert subject.aliases["virus"] == "deformed wing virus"
    assert ("Amount(deformed wing virus)", "Amount(mite)") in edges
    assert ("Amount(mite)", "Amount(deformed wing virus)") not in edges
    added = edges["Dose(any)", "Amount(mite)"]
    assert (added.mechanism, added.confidence) == ("it kills them", 0.9)
    assert [each.status for each in history(index)] == ["applied"] * 4 + ["undone", "applied"]
    return edges


def test_every_decision_holds_through_apply_update_and_a_build_from_scratch(
    decided, bees, run, digest, tmp_path
):
    own, _ = decided
    waiting = run("check", "--index", own)
    assert waiting.out == "curation.yaml: 6 decisions are not in the index; run aitia apply\n"
    ran = run("apply", "--index", own, "--json")
    assert (ran.status, ran.json["findings"], ran.json["changed"], ran.json["llm_calls"]) == (0, [], True, {})
    edges = holds(own)
    assert run("check", "--index", own).out == "nothing found\n"
    applied = digest(own)
    assert run("apply", "--index", own).status == 0
    assert digest(own) == applied  # nothing to do is nothing written
    assert run("retrieve", "Why do winter bees die?", "--index", own, "--retrieval", "graph").status == 0

    corpus = shutil.copytree(bees, tmp_path / "corpus")
    (corpus / "trial.md").write_text("Wasps raise the mortality of bees.", "utf-8")
    assert run("update", corpus, "--index", own, "--quiet").status == 0
    holds(own)
    assert run("check", "--index", own).out == "nothing found\n"

    decisions = (own / "curation.yaml").read_bytes()
    assert run("build", bees, "--index", own, "--quiet").status == 0
    assert holds(own) == edges
    assert (own / "curation.yaml").read_bytes() == decisions
    assert run("check", "--index", own).out == "nothing found\n"

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    shutil.copy(own / "curation.yaml", fresh)
    assert run("build", bees, "--index", fresh, "--quiet").status == 0
    assert holds(fresh) == edges


def test_one_by_one_and_all_at_once_are_the_same_bytes(decided, index, run, tmp_path):
    own, _ = decided
    assert run("apply", "--index", own).status == 0
    stepwise = shutil.copytree(index, tmp_path / "stepwise")
    lines = (own / "curation.yaml").read_text("utf-8").split("- id:")
    for end in range(2, len(lines) + 1):
        (stepwise / "curation.yaml").write_text("- id:".join(lines[:end]), "utf-8")
        assert run("apply", "--index", stepwise).status == 0
    assert (stepwise / "index.db").read_bytes() == (own / "index.db").read_bytes()


def test_edits_of_the_specification_become_decisions_and_keep_their_place(own, run):
    path = own / "graph_spec.yaml"
    text = path.read_text("utf-8").replace(
        "- name: Lifespan(bee)", "# as beekeepers say\n- name: LengthOfLife(bee)"
    )
    text = text.replace("Lifespan(", "LengthOfLife(").replace("LengthOfLifeOf", "LifespanOf")
    path.write_text(text, "utf-8")
    ran = run("apply", "--index", own, "--json")
    assert ran.status == 0
    assert [(each["action"], each["target"], each["author"]) for each in ran.json["decisions"]] == [
        ("rename", "Lifespan", "file")
    ]
    assert path.read_text("utf-8") == text
    assert run("check", "--index", own).out == "nothing found\n"


def test_what_cannot_be_applied_is_listed_and_the_status_is_1(own, run):
    (own / "curation.yaml").write_text(
        "- {action: rename, kind: metric, target: Lifespann, value: {to: Age2}}\n"
        "- {action: rename, kind: metric, target: Lifespan, value: {to: Level}}\n",
        "utf-8",
    )
    ran = run("apply", "--index", own)
    lines = ran.out.splitlines()
    assert ran.status == 1
    assert len(lines) == 2
    assert "rename metric Lifespann: lost: there is no metric 'Lifespann'; nearest: Lifespan" in lines[0]
    assert "conflict: there is a metric 'Level' already; merge them instead" in lines[1]
    (own / "curation.yaml").write_text("- {action: rename, kind: metric, target: X}\n- nothing\n", "utf-8")
    ran = run("apply", "--index", own)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith("aitia: curation.yaml:2: ")


@pytest.mark.parametrize("moment", [APPENDED, WRITTEN, COMMITTED], ids=["appended", "written", "committed"])
def test_a_kill_is_repaired_by_the_next_apply(own, run, tmp_path, moment):
    path = own / "graph_spec.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("    category: outcome", "    category: result", 1), "utf-8")
    decide(own, said("rename", "metric", "Lifespan", to="LengthOfLife"))
    direct = shutil.copytree(own, tmp_path / "direct")
    command = [sys.executable, "-c", f"{DIE}{moment}{RUN}", "apply", "--index", str(own), "--quiet"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert run("apply", "--index", own).status == 0
    assert run("apply", "--index", direct).status == 0
    assert [each.says for each in read_decisions(own / "curation.yaml")] == [
        each.says for each in read_decisions(direct / "curation.yaml")
    ]
    assert path.read_bytes() == (direct / "graph_spec.yaml").read_bytes()
    assert graph_of(own)[1:] == graph_of(direct)[1:]
    assert run("check", "--index", own).out == "nothing found\n"


def test_a_rejected_edge_stays_out_and_new_support_brings_it_to_the_queue(own, bees, run, tmp_path):
    _, _, _, edges = graph_of(own)
    (source, target), edge = next(
        (pair, edge)
        for pair, edge in edges.items()
        if any(item.found_by == "quote" for item in edge.evidence)
    )
    key = f"{source} -> {target}"
    kept = decide(own, said("reject", "edge", key))
    assert len(kept.value["evidence"]) == len({item.quote for item in edge.evidence if item.quote})
    assert run("apply", "--index", own).status == 0
    index, _, _, edges = graph_of(own)
    assert (source, target) not in edges
    assert not [item for item in queue(index) if item.topic == "renewed"]
    quote = next(item.quote for item in edge.evidence if item.found_by == "quote")
    corpus = shutil.copytree(bees, tmp_path / "corpus")
    (corpus / "later.md").write_text(f"As we saw once more this year: {quote}", "utf-8")
    assert run("update", corpus, "--index", own, "--quiet").status == 0
    index, _, _, edges = graph_of(own)
    assert (source, target) not in edges
    assert [item.key for item in queue(index) if item.topic == "renewed"] == [key]
    assert json.loads(run("show", "stats", "--index", own, "--json").out)["edges"] == len(edges)
