"""Deciding on the tiny index: what is refused, what is kept, what waits, and what is queued."""

from __future__ import annotations

import numpy as np
import pytest

from aitia.errors import SpecError, UsageError
from aitia.spec.curation_file import read_decisions
from aitia.spec.decisions import Decision, quote_hashes
from aitia.testing import HashEmbedder
from aitia.testing.tiny_index import MITES
from aitia.workflows import folder as files
from aitia.workflows import index as index_module
from aitia.workflows import remake as remake_module
from aitia.workflows.check import check_index, check_notes
from aitia.workflows.curate import apply, decide, decide_all, history, queue
from aitia.workflows.index import open_index
from aitia.workflows.show import find_warnings

EDGE = "Level(mite) -> Mortality(bee)"


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    for user in (index_module, remake_module):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())


def said(action, kind, target, **value):
    return Decision(action=action, kind=kind, target=target, value=value)


@pytest.mark.parametrize(
    ("decision", "error"),
    [
        (said("rename", "metric", "Levle", to="Amount"), "there is no metric 'Levle'; nearest: Level"),
        (said("rename", "metric", "Level"), "it does not say 'to'"),
        (said("rename", "metric", "Level", to=""), "'' cannot name a metric"),
        (said("rename", "metric", "Level", to="a\nb"), "cannot name a metric"),
        (said("rename", "entity", "subject/bee", to="Any"), "stands for an open place"),
        (said("rename", "metric", "Level", to="Mortality"), "there is a metric 'Mortality' already"),
        (said("flip", "metric", "Level"), "a metric cannot be 'flip'; expected one of rename"),
        (said("flip", "edge", EDGE, to="x"), "unknown field 'to'; expected none"),
        (
            said("add", "edge", EDGE),
            "there is an edge 'Level(mite) -> Mortality(bee)' already; edit it instead",
        ),
        (said("add", "metric", "Level", signature=["subject"]), "there is a metric 'Level' already"),
        (
            said("add", "metric", "Level", signature=["no"]),
            "there is no dimension 'no'; aitia show spec lists",
        ),
        (said("delete", "metric", "no"), "there is no metric 'no'; aitia show metrics lists what there is"),
        (said("flip", "entity", "subject/bee"), "an entity cannot be 'flip'; expected one of rename"),
        (
            said("edit", "metric", "Level", field="kind", to="weird"),
            "found kind 'weird'; expected one of fixed, extensible",
        ),
        (said("edit", "edge", EDGE, field="mechanism", to="x" * 10_001), "found 10,001 characters"),
        (said("edit", "edge", EDGE, field="mechanism", to="\ud800"), "found half a character"),
        (said("edit", "edge", EDGE, field="confidence", to=2), "expected a number from 0 to 1"),
        (said("edit", "edge", EDGE, field="confidence", to=None), "found None; expected text or a number"),
        (
            said("accept", "edge", "Level(mite) -> Mortality(bees)"),
            "subject has no entity 'bees'; nearest: Mortality(hive bee)",
        ),
        (said("undo", "metric", "00000000"), "there is no earlier decision 00000000; aitia curate history"),
        (said("accept", "merge", "bee -> mite"), "nothing of a causal graph is a merge"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_kept(own, decision, error):
    with pytest.raises(UsageError) as caught:
        decide_all(own, [said("rename", "entity", "subject/bee", to="hive bee"), decision])
    assert error in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (own / "curation.yaml").exists()


def test_decisions_are_checked_with_those_that_wait(own):
    decide(own, said("rename", "metric", "Level", to="Amount"))
    decide(own, said("edit", "metric", "Level", field="category", to="number"))
    with pytest.raises(UsageError, match="there is a metric 'Amount' already"):
        decide(own, said("rename", "metric", "Mortality", to="Amount"))
    first = read_decisions(own / "curation.yaml")[0]
    decide(own, said("undo", "metric", first.id))
    with pytest.raises(UsageError, match=f"{first.id} is undone already"):
        decide(own, said("undo", "metric", first.id))
    index = open_index(own)
    assert [(each.status, each.pending) for each in history(index)] == [
        ("undone", True), ("applied", True), ("applied", True),
    ]  # fmt: skip
    assert index.graph.metrics[0].name == "Level"


def test_the_same_decision_twice_has_two_ids(own):
    made = decide_all(
        own,
        [
            said("flip", "edge", "Level(cold) -> Level(mite)"),
            said("flip", "edge", "Level(mite) -> Level(cold)"),
        ],
    )
    again = decide(own, said("flip", "edge", "Level(cold) -> Level(mite)"))
    assert len({each.id for each in (*made, again)}) == 3
    assert made[0].time < made[1].time < again.time


def test_an_accepted_edge_remembers_what_it_said_and_a_rejected_one_its_quotes(own):
    accepted = decide(own, said("accept", "edge", EDGE))
    assert accepted.value["mechanism"] == "raise the mortality"
    assert (accepted.value["confidence"], accepted.value["polarity"]) == (0.85, "positive")
    rejected = decide(own, said("reject", "edge", EDGE))
    assert rejected.value["evidence"] == quote_hashes([MITES[:34], MITES[35:]])
    nothing = decide(own, said("reject", "edge", "Level(cold) -> Mortality(bee)"))
    assert nothing.value["evidence"] == ["none"]


def test_apply_takes_edits_in_first_and_leaves_nothing_over(own):
    decide(own, said("rename", "metric", "Level", to="Amount"))
    path = own / "graph_spec.yaml"
    path.write_text(path.read_text("utf-8").replace("category: outcome", "category: end"), "utf-8")
    report = apply(own)
    assert [each.author for each in report.taken] == ["file"]
    assert [each.status for each in report.decided] == ["applied", "applied"]
    assert (report.changed, report.redone, report.calls, report.findings) == (True, (), {}, [])
    index = open_index(own)
    assert {metric.name: metric.category for metric in index.graph.metrics} == {
        "Amount": "amount",
        "Mortality": "end",
    }
    assert not [line for line in check_index(index) if "yaml" in line or "graph" in line]
    assert index.store.machine().graph.metrics[0].name == "Level"
    before = (own / "index.db").read_bytes()
    assert not apply(own).changed
    assert (own / "index.db").read_bytes() == before


def test_what_is_lost_after_a_change_is_reported_not_forgotten(own):
    (own / "curation.yaml").write_text("- {action: delete, kind: metric, target: Weight}\n", "utf-8")
    report = apply(own)
    assert report.findings == [report.decided[0].line]
    assert "delete metric Weight: lost: there is no metric 'Weight'" in report.findings[0]
    assert check_notes(open_index(own)) == [f"curation.yaml: {report.findings[0]}"]
    assert not [line for line in check_index(open_index(own)) if "Weight" in line]
    assert find_warnings(open_index(own)) == [
        f"a decision could not be applied: {report.findings[0]}; aitia check lists them"
    ]
    (own / "curation.yaml").write_text("- {action: delete}\n", "utf-8")
    with pytest.raises(SpecError, match=r"^curation.yaml:1: "):
        apply(own)


@pytest.mark.parametrize("emptied", ["", None])
def test_without_decisions_the_index_is_that_of_the_machine_again(own, emptied):
    before = open_index(own)
    flip = said("flip", "edge", "Level(cold) -> Level(mite)")
    decide_all(own, [said("delete", "entity", "subject/bee"), flip])
    apply(own)
    assert len(open_index(own).graph.variables) == 2
    if emptied is None:
        (own / "curation.yaml").unlink()
    else:
        (own / "curation.yaml").write_text(emptied, "utf-8")
    assert apply(own).changed
    index = open_index(own)
    assert (index.graph, index.spec) == (before.graph, before.spec)
    assert not [line for line in check_index(index) if "array" in line]
    arrays, old = index.store.arrays(), before.store.arrays()
    assert sorted(arrays) == sorted(old)
    for name in old:
        assert arrays[name].shape == old[name].shape
        if name.startswith("graph_"):
            np.testing.assert_array_equal(arrays[name], old[name])
    assert not apply(own).changed


def test_a_decision_that_hits_what_something_was_merged_into_says_so_once(own):
    merged = said("merge", "entity", "subject/bee", into="subject/mite")
    decide_all(own, [merged, said("delete", "entity", "subject/bee")])
    report = apply(own)
    assert report.noted == (
        f"{report.decided[1].decision.id} delete entity subject/bee: applied: subject/bee is now subject/mite",
    )
    decide(own, said("edit", "metric", "Level", field="category", to="x"))
    assert apply(own).noted == ()


def test_an_entry_that_stands_twice_counts_once_and_is_said(own):
    decide(own, said("merge", "entity", "subject/bee", into="subject/mite"))
    log = own / "curation.yaml"
    text = log.read_text("utf-8")
    entry = text[text.index("- id:") :]
    log.write_text(text + entry, "utf-8")
    report = apply(own)
    name = report.decided[0].decision.id
    line = f"curation.yaml: {name} stands there 2 times and counts once; remove the others"
    assert [(each.status, each.detail) for each in report.decided] == [
        ("applied", ""),
        ("superseded", "the same decision stands before it"),
    ]
    assert (report.noted, report.findings) == ((line,), [])
    assert check_notes(open_index(own)) == [line]


def test_the_same_words_without_a_time_may_be_meant_twice(own):
    entry = "- {{action: {}, kind: edge, target: 'Level(mite) -> Mortality(bee)'}}\n"
    (own / "curation.yaml").write_text(
        "".join(entry.format(word) for word in ("accept", "reject", "accept")), "utf-8"
    )
    report = apply(own)
    assert [each.status for each in report.decided] == ["superseded", "superseded", "applied"]
    assert report.noted == () and len(open_index(own).graph.edges) == 3


def test_an_edited_settings_file_and_an_unknown_option_are_refused(own):
    with pytest.raises(UsageError, match="unknown option 'tier'"):
        apply(own, tier="S")
    with pytest.raises(UsageError, match="was built with analyst 'rules', found 'llm'"):
        apply(own, analyst="llm")


def test_the_queue_is_riskiest_first_and_what_was_decided_is_not_in_it(own):
    items = queue(open_index(own))
    assert [(item.key, item.why) for item in items] == [
        ("Level(cold) -> Mortality(bee)", ("no verbatim evidence",)),
    ]
    assert items[0].risk == 0.5
    assert items[0].value == {"mechanism": "-weakens", "confidence": 0.5, "polarity": "unclear"}
    assert items[0].quotes[0].found_by == "cosine"
    assert items[0].quotes[0].text == open_index(own).store.chunks()[0].text
    decide(own, said("accept", "edge", items[0].key))
    assert queue(open_index(own)) == []


def test_a_kept_file_that_breaks_is_no_decision(own):
    (own / f"{files.CURATION}.new").write_text("half", "utf-8")
    decide(own, said("rename", "metric", "Level", to="Amount"))
    assert len(read_decisions(own / "curation.yaml")) == 1
    assert not (own / f"{files.CURATION}.new").exists()
