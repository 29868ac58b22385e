"""Decisions on a graph of five variables, worked by hand."""

from __future__ import annotations

import pytest

from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.graph.curation import replay
from aitia.graph.domain import DomainGraph
from aitia.spec.decisions import Decision, quote_hashes
from aitia.spec.model import Dimension, Metric, Quote, Relation, Variable

HEAT = EdgeEvidence(0, 0, 4, "heat", "quote")
COLD = EdgeEvidence(1, 0, 4, "cold", "quote")
NEAR = EdgeEvidence(2, 0, 9, "", "chunk")


def metric(name, role="intermediate"):
    return Metric(name=name, signature=("who",), description=f"how {name}", category="c", graph_role=role)


KEYS = ("Loss(ant)", "Loss(bee)", "Rate(ant)", "Rate(bee)", "Yield(bee)")
"""Rows 0 to 4, in key order."""

MACHINE = DomainGraph(
    (Dimension(name="who", entities=("ant", "bee")),),
    CausalGraph(
        (metric("Loss"), metric("Rate"), metric("Yield", "terminal")),
        tuple(Variable(metric=key[:-5], entities=(key[-4:-1],)) for key in KEYS),
        (Template("Loss", "Yield", "u", 0.7), Template("Rate", "Loss", "t", 0.6)),
        (
            CausalEdge(0, 4, "fewer", 0.8, "negative", (HEAT,)),
            CausalEdge(1, 4, "less", 0.6, "negative", (COLD, NEAR)),
            CausalEdge(2, 0, "kills", 0.9, "positive", (HEAT,)),
        ),
    ),
    (
        Relation(
            source="Rate(ant)", target="Loss(ant)", mechanism="kills", confidence=0.9, polarity="positive"
        ),
    ),
    {"Loss(bee)": (Quote(text="cold", chunk_id="c1"),)},
)


def said(action, kind, target, at=0, **value):
    return Decision(action=action, kind=kind, target=target, value=value, time=f"2026-01-01T00:00:0{at}Z")


def edges_of(replayed):
    graph = replayed.domain.graph
    keys = [variable.key for variable in graph.variables]
    return {f"{keys[edge.source]} -> {keys[edge.target]}": edge for edge in graph.edges}


def statuses(replayed):
    return [each.status for each in replayed.decided]


def test_the_graph_of_the_machine_is_as_it_was():
    assert replay(MACHINE, []).domain == MACHINE
    assert tuple(variable.key for variable in MACHINE.graph.variables) == KEYS


def test_a_new_name_is_in_every_key_and_the_old_one_is_still_understood():
    replayed = replay(
        MACHINE,
        [
            said("rename", "metric", "Loss", to="Mortality"),
            said("rename", "entity", "who/ant", to="emmet"),
            said("edit", "edge", "Rate(ant) -> Loss(ant)", field="polarity", to="unclear"),
            said("edit", "edge", "Rate(emmet) -> Mortality(ant)", field="confidence", to=0.5),
        ],
    )
    assert statuses(replayed) == ["applied"] * 4
    assert sorted(edges_of(replayed)) == [
        "Mortality(bee) -> Yield(bee)",
        "Mortality(emmet) -> Yield(bee)",
        "Rate(emmet) -> Mortality(emmet)",
    ]
    edge = edges_of(replayed)["Rate(emmet) -> Mortality(emmet)"]
    assert (edge.polarity, edge.confidence, edge.evidence) == ("unclear", 0.5, (HEAT,))
    assert replayed.domain.dimensions[0].aliases == {"ant": "emmet"}
    assert [each.source for each in replayed.domain.graph.templates] == ["Mortality", "Rate"]
    assert replayed.domain.quotes == {"Mortality(bee)": (Quote(text="cold", chunk_id="c1"),)}
    relation = replayed.domain.relations[0]
    assert (relation.source, relation.target, relation.polarity) == (
        "Rate(emmet)",
        "Mortality(emmet)",
        "unclear",
    )


def test_merged_entities_unite_variables_edges_and_evidence():
    replayed = replay(MACHINE, [said("merge", "entity", "who/ant", into="who/bee")])
    assert [variable.key for variable in replayed.domain.graph.variables] == [
        "Loss(bee)",
        "Rate(bee)",
        "Yield(bee)",
    ]
    united = edges_of(replayed)["Loss(bee) -> Yield(bee)"]
    assert (united.mechanism, united.confidence, united.polarity) == ("fewer", 0.8, "negative")
    assert united.evidence == (HEAT, COLD, NEAR)
    assert replayed.domain.dimensions[0] == Dimension(name="who", entities=("bee",), aliases={"ant": "bee"})


def test_merged_metrics_need_one_signature_and_an_edge_to_itself_goes():
    replayed = replay(MACHINE, [said("merge", "metric", "Rate", into="Loss")])
    assert sorted(edges_of(replayed)) == ["Loss(ant) -> Yield(bee)", "Loss(bee) -> Yield(bee)"]
    assert replayed.domain.graph.templates == (Template("Loss", "Yield", "u", 0.7),)
    other = [said("add", "metric", "Sum", signature=[]), said("merge", "metric", "Rate", into="Sum")]
    refused = replay(MACHINE, other)
    assert statuses(refused) == ["applied", "conflict"]
    assert refused.decided[1].detail == "their signatures differ; expected that of Sum()"


def test_a_flip_is_understood_once_and_a_terminal_metric_has_no_effect():
    replayed = replay(
        MACHINE,
        [
            said("flip", "edge", "Rate(ant) -> Loss(ant)", 0),
            said("flip", "edge", "Rate(ant) -> Loss(ant)", 1),
            said("edit", "edge", "Rate(ant) -> Loss(ant)", 2, field="mechanism", to="feeds"),
            said("flip", "edge", "Loss(ant) -> Yield(bee)", 3),
        ],
    )
    assert statuses(replayed) == ["applied", "conflict", "applied", "conflict"]
    assert replayed.decided[1].detail == "it was flipped already"
    assert "Yield is terminal" in replayed.decided[3].detail
    assert edges_of(replayed)["Loss(ant) -> Rate(ant)"].mechanism == "feeds"
    assert [relation.pair for relation in replayed.domain.relations] == [("Loss(ant)", "Rate(ant)")]


def test_the_later_decision_on_a_field_is_in_force():
    key = "Rate(ant) -> Loss(ant)"
    decisions = [said("accept", "edge", key, 0, confidence=0.9), said("reject", "edge", key, 1)]
    replayed = replay(MACHINE, decisions)
    assert statuses(replayed) == ["superseded", "applied"]
    assert replayed.decided[0].detail == f"by {decisions[1].id}"
    assert key not in edges_of(replayed)
    assert replayed.domain.relations == ()


def test_a_rejected_edge_comes_back_to_the_queue_for_new_quotes_only():
    key = "Loss(bee) -> Yield(bee)"
    for seen, new in ((["cold"], ()), (["heat"], ("cold",)), ([], ("cold",))):
        reject = said("reject", "edge", key, evidence=quote_hashes(seen) or ["none"])
        replayed = replay(MACHINE, [reject])
        assert replayed.renewed == ({key: new} if new else {})
        assert key not in edges_of(replayed)


def test_an_accepted_edge_outlives_its_support():
    kept = said(
        "accept", "edge", "Loss(wasp) -> Rate(ant)", mechanism="stings", confidence=0.7, polarity="positive"
    )
    replayed = replay(MACHINE, [kept])
    edge = edges_of(replayed)["Loss(wasp) -> Rate(ant)"]
    assert (edge.mechanism, edge.confidence, edge.polarity, edge.evidence) == ("stings", 0.7, "positive", ())
    assert len(replayed.unlinked) == 1
    assert replayed.decided[0].detail == "its support is gone; it stays because it was accepted"
    assert replayed.domain.dimensions[0].entities == ("ant", "bee", "wasp")
    lost = replay(MACHINE, [said("accept", "edge", "Joy(ant) -> Loss(ant)", mechanism="m", confidence=0.7)])
    assert statuses(lost) == ["lost"]
    assert lost.domain == MACHINE


def test_a_role_that_comes_later_silences_what_was_added():
    add = said("add", "edge", "Loss(bee) -> Rate(bee)", 0, mechanism="m")
    role = said("role", "metric", "Loss", 1, to="terminal")
    replayed = replay(MACHINE, [add, role])
    assert statuses(replayed) == ["superseded", "applied"]
    assert sorted(edges_of(replayed)) == ["Rate(ant) -> Loss(ant)"]
    assert statuses(replay(MACHINE, [role, add])) == ["applied", "conflict"]


def test_metrics_are_judged_again_by_another_description_and_for_a_freed_role():
    edit = said("edit", "metric", "Loss", field="description", to="how many die")
    renamed = said("rename", "metric", "Loss", to="Mortality")
    free = said("role", "metric", "Yield", to="outcome")
    edited = replay(MACHINE, [renamed, edit, free]).edited
    assert sorted(edited) == ["Loss", "Yield"]
    assert (edited["Loss"].name, edited["Loss"].description) == ("Loss", "how many die")
    assert edited["Yield"].graph_role == "outcome"
    for nothing in (
        [renamed],
        [said("edit", "metric", "Loss", field="category", to="x")],
        [said("role", "metric", "Loss", to="terminal")],
        [edit, said("edit", "metric", "Loss", field="description", to="how Loss")],
        [edit, said("delete", "metric", "Loss")],
    ):
        assert replay(MACHINE, nothing).edited == {}
    both = [said("merge", "metric", "Rate", into="Loss"), edit]
    assert sorted(replay(MACHINE, both).edited) == ["Loss", "Rate"]
    assert sorted(replay(MACHINE, both[::-1]).edited) == ["Loss"]


@pytest.mark.parametrize(
    ("rename", "later"),
    [
        (
            said("rename", "metric", "Rate", to="Load"),
            said("edit", "metric", "Load", 1, field="category", to="x"),
        ),
        (said("rename", "metric", "Rate", to="Load"), said("delete", "edge", "Load(ant) -> Loss(ant)", 1)),
        (said("rename", "entity", "who/ant", to="emmet"), said("delete", "entity", "who/emmet", 1)),
        (said("rename", "dimension", "who", to="what"), said("add", "entity", "what/cat", 1)),
    ],
)
def test_a_name_that_was_taken_back_is_understood_by_the_decisions_after_it(rename, later):
    undo = said("undo", rename.kind, rename.id, 2)
    plain = later.model_copy(
        update={
            "target": later.target.replace("Load", "Rate").replace("emmet", "ant").replace("what/", "who/")
        }
    )
    replayed = replay(MACHINE, [rename, later, undo])
    assert statuses(replayed) == ["undone", "applied", "applied"]
    assert replayed.domain == replay(MACHINE, [plain]).domain


def test_a_name_that_was_taken_back_may_be_given_to_another():
    rename = said("rename", "metric", "Rate", to="Load")
    undo = said("undo", "metric", rename.id, 1)
    replayed = replay(MACHINE, [rename, undo, said("rename", "metric", "Loss", 2, to="Load")])
    assert statuses(replayed) == ["undone", "applied", "applied"]
    assert [each.name for each in replayed.domain.graph.metrics] == ["Load", "Rate", "Yield"]


def test_what_a_name_of_then_means_today_is_said():
    made = [
        said("merge", "entity", "who/bee", into="who/ant"),
        said("rename", "metric", "Rate", 1, to="Load"),
        said("delete", "entity", "who/bee", 2),
        said("edit", "metric", "Rate(who)", 3, field="category", to="x"),
        said("edit", "metric", "Load", 4, field="description", to="x"),
    ]
    assert [each.detail for each in replay(MACHINE, made).decided] == [
        "", "", "who/bee is now who/ant", "Rate is now Load", "",
    ]  # fmt: skip
    edge = said("edit", "edge", "Rate(ant) -> Loss(bee)", 3, field="confidence", to=0.1)
    assert replay(MACHINE, [*made[:2], edge]).decided[2].detail == "Rate is now Load; who/bee is now who/ant"


def test_undoing_an_undo_brings_a_decision_back():
    rename = said("rename", "metric", "Loss", to="Mortality")
    undo = said("undo", "metric", rename.id, 1)
    redo = said("undo", "metric", undo.id, 2)
    assert statuses(replay(MACHINE, [rename, undo])) == ["undone", "applied"]
    replayed = replay(MACHINE, [rename, undo, redo])
    assert statuses(replayed) == ["applied", "undone", "applied"]
    assert "Mortality" in [each.name for each in replayed.domain.graph.metrics]
    assert statuses(replay(MACHINE, [undo])) == ["lost"]


@pytest.mark.parametrize(
    ("decision", "status", "detail", "near"),
    [
        (said("rename", "metric", "Los", to="X"), "lost", "there is no metric 'Los'", ("Loss",)),
        (
            said("rename", "metric", "Loss", to="Rate"),
            "conflict",
            "there is a metric 'Rate' already; merge",
            (),
        ),
        (said("delete", "entity", "who/beee"), "lost", "there is no entity 'who/beee'", ("who/bee",)),
        (said("delete", "dimension", "who"), "conflict", "it is a dimension of Loss, Rate, Yield", ()),
        (said("add", "edge", "Loss(bee) -> Loss(bee)"), "conflict", "it would lead to itself", ()),
        (said("flip", "edge", "Loss(bee)"), "lost", "expected two names with -> between them", ()),
        (said("add", "variable", "Loss(ant, bee)"), "lost", "Loss has 1 dimensions, found 2 entities", ()),
        (said("edit", "metric", "Loss", field="kind", to="soft"), "conflict", "found kind 'soft'", ()),
        (said("edit", "metric", "Loss"), "conflict", "it does not say 'field'", ()),
        (said("accept", "merge", "ant -> bee"), "lost", "nothing of a causal graph is a merge to accept", ()),
    ],
)
def test_what_cannot_be_says_why_and_changes_nothing(decision, status, detail, near):
    replayed = replay(MACHINE, [decision])
    found = replayed.decided[0]
    assert found.status == status
    assert found.detail.startswith(detail)
    assert found.nearest[: len(near)] == near
    assert replayed.domain == MACHINE


def test_a_name_that_is_free_again_may_be_given():
    replayed = replay(
        MACHINE,
        [
            said("rename", "metric", "Loss", to="Mortality"),
            said("rename", "metric", "Rate", to="Loss"),
            said("add", "metric", "Rate", signature=["who"], description="new"),
        ],
    )
    assert statuses(replayed) == ["applied"] * 3
    assert sorted(edges_of(replayed)) == [
        "Loss(ant) -> Mortality(ant)",
        "Mortality(ant) -> Yield(bee)",
        "Mortality(bee) -> Yield(bee)",
    ]
    assert next(each for each in replayed.domain.graph.metrics if each.name == "Rate").description == "new"
