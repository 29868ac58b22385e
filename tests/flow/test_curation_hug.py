"""Merges and gates of hug as a person decides them: by apply, and by a build from scratch."""

from __future__ import annotations

import shutil

import pytest

from aitia.errors import UsageError
from aitia.spec.decisions import Decision, edge_key
from aitia.workflows.check import check_index
from aitia.workflows.curate import decide, history, queue
from aitia.workflows.index import open_index


@pytest.fixture(scope="module")
def built(bees, launch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hug")
    done = launch("build", bees, "--index", folder / "index", "--method", "hug", "--jobs", "2", "--quiet")
    assert (done.status, done.err) == (0, "")
    return folder / "index"


@pytest.fixture
def own(built, tmp_path):
    return shutil.copytree(built, tmp_path / "index")


def said(action, kind, source, target):
    return Decision(action=action, kind=kind, target=edge_key(source, target))


def entity_of(folder):
    rows = open_index(folder).store.records("entities")
    return {name: row["name"] for row in rows for name in row["names"]}


def open_gates(folder):
    rows = open_index(folder).store.records("gates")
    return {(row["source"], row["target"]) for row in rows if row["accepted"]}


def test_merges_and_gates_hold(own, bees, run):
    before, gates = entity_of(own), open_gates(own)
    merge = next(row for row in open_index(own).store.records("merges") if not row["suggested"])
    pair = "mite", "spore"
    assert before[pair[0]] != before[pair[1]] and before[merge["kept"]] == before[merge["merged"]]
    decide(own, said("reject", "merge", merge["kept"], merge["merged"]))
    decide(own, said("accept", "merge", *pair))
    assert run("apply", "--index", own).status == 0
    modules = [row["key"] for row in open_index(own).store.records("modules")]
    new = next(
        (one, other)
        for one in modules
        for other in modules
        if one != other and (one, other) not in open_gates(own)
    )
    decide(own, said("accept", "gate", *new))
    shut = sorted(open_gates(own))[:1]
    for each in shut:
        decide(own, said("reject", "gate", *each))
    assert run("apply", "--index", own).status == 0

    def holds():
        now = entity_of(own)
        assert now[merge["kept"]] != now[merge["merged"]]
        assert now[pair[0]] == now[pair[1]] == pair[0]
        assert new in open_gates(own)
        assert not set(shut) & open_gates(own)
        index = open_index(own)
        assert {each.status for each in history(index)} == {"applied"}
        assert check_index(index) == []

    holds()
    assert gates or not shut
    kept = (own / "curation.yaml").read_bytes()
    assert run("build", bees, "--index", own, "--method", "hug", "--quiet").status == 0
    holds()
    assert (own / "curation.yaml").read_bytes() == kept
    assert run("ask", "Why do colonies die in winter?", "--index", own).status == 0


def test_a_decision_that_is_undone_leaves_no_trace(own, run):
    before = entity_of(own)
    made = decide(own, said("accept", "merge", "mite", "spore"))
    assert run("apply", "--index", own).status == 0
    decide(own, Decision(action="undo", kind="merge", target=made.id))
    assert run("apply", "--index", own).status == 0
    assert entity_of(own) == before
    assert [each.status for each in history(open_index(own))] == ["undone", "applied"]


def test_what_is_not_there_is_refused_with_what_is(own):
    with pytest.raises(UsageError, match=r"there is no 'mitee'; nearest: mite"):
        decide(own, said("accept", "merge", "mitee", "spore"))
    with pytest.raises(UsageError, match="nothing of an entity graph is a metric to rename"):
        decide(own, Decision(action="rename", kind="metric", target="Level", value={"to": "Amount"}))
    assert not (own / "curation.yaml").exists()


def test_a_gate_that_is_shut_stays_shut_after_a_merge_of_its_members(own, run):
    rows = {row["key"]: row for row in open_index(own).store.records("modules")}
    gate = next(
        row for row in open_index(own).store.records("gates")
        if row["accepted"] and len(rows[row["source"]]["entities"]) >= 4
    )  # fmt: skip
    item = next(
        item for item in queue(open_index(own))
        if item.key.split(" -> ")[0].startswith(gate["source_title"])
        and item.key.split(" -> ")[1].startswith(gate["target_title"])
    )  # fmt: skip
    assert gate["source"] not in item.key
    one, other = rows[gate["source"]]["entities"][:2]
    assert run("curate", "reject", item.key, "--index", own, "--apply").status == 0
    assert run("curate", "accept", edge_key(one, other), "--kind", "merge", "--index", own, "--apply").out
    assert gate["source"] not in {row["key"] for row in open_index(own).store.records("modules")}
    assert [each.status for each in history(open_index(own))] == ["applied", "applied"]
    assert "source=" not in run("curate", "history", "--index", own).out
    assert item.key not in [each.key for each in queue(open_index(own))]
    assert check_index(open_index(own)) == []


def test_a_suggested_merge_shows_a_sentence_of_each_name(own):
    items = [item for item in queue(open_index(own)) if item.topic == "merge"]
    assert items
    texts = [document.text for document in open_index(own).store.documents()]
    for item in items:
        names = item.key.split(" -> ")
        assert [name in quote.text.casefold() for name, quote in zip(names, item.quotes, strict=True)] == [
            True, True,
        ]  # fmt: skip
        assert all(
            any(quote.text == text[quote.start : quote.end] for text in texts) for quote in item.quotes
        )


def test_a_build_that_names_no_method_does_not_lose_decisions(own, bees, run):
    before = open_index(own).store.facts()["settings"]
    decide(own, said("accept", "merge", "mite", "spore"))
    ran = run("build", bees, "--index", own, "--quiet")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"aitia: {own} is an index of hug with 1 decision, which hcg would lose; "
        "expected --method hug to keep them, or --method hcg\n"
    )
    assert open_index(own).store.facts()["settings"] == before


def test_suggestions_and_gates_are_queued_until_they_are_decided(own):
    items = queue(open_index(own))
    assert {item.topic for item in items} <= {"merge", "gate"}
    for item in items[:1]:
        decide(own, Decision(action="reject", kind=item.decides, target=item.key))
        assert item.key not in [each.key for each in queue(open_index(own))]
