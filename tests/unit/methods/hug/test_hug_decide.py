from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.hug.canonical import canonicalise
from aitia.methods.hug.decide import BY_HAND, read_gates, read_merges, remember_gate, set_gates
from aitia.methods.hug.gate_names import Module, Modules
from aitia.methods.hug.gates import Gate
from aitia.spec.decisions import Decision

NAMES = ("pump", "pumps", "valve", "seal")
KEYS = ("k1", "k2", "k3", "k4")
MODULES = Modules(
    [
        Module("k1", "Wet", ("pump", "pumps", "valve")),
        Module("k2", "Dry", ("seal",)),
        Module("k3", "Same", ("tap", "drain")),
        Module("k4", "Same", ("hose", "nozzle")),
    ]
)


def said(action, kind, target, at=0):
    return Decision(action=action, kind=kind, target=target, time=f"2026-01-01T00:00:0{at}Z")


def test_the_later_decision_on_two_names_is_in_force():
    first, second = said("accept", "merge", "pump -> valve", 0), said("reject", "merge", "valve -> pump", 1)
    wishes = read_merges([first, second, said("accept", "merge", "seal -> pump", 2)], NAMES)
    assert wishes.apart == {frozenset(("pump", "valve"))}
    assert wishes.together == (("seal", "pump"),)
    assert [each.status for each in wishes.decided] == ["superseded", "applied", "applied"]
    assert wishes.decided[0].detail == f"by {second.id}"


def test_what_is_undone_is_not_wanted():
    first = said("accept", "merge", "pump -> valve")
    wishes = read_merges(
        [first, said("undo", "merge", first.id, 1), said("undo", "merge", "00000000", 2)], NAMES
    )
    assert (wishes.apart, wishes.together) == (frozenset(), ())
    assert [each.status for each in wishes.decided] == ["undone", "applied", "lost"]


@pytest.mark.parametrize(
    ("decision", "status", "detail", "nearest"),
    [
        (said("accept", "merge", "pumpe -> valve"), "lost", "there is no 'pumpe'", ("pump", "pumps")),
        (said("accept", "merge", "pump -> pump"), "conflict", "they are one", ()),
        (said("reject", "gate", "Wet -> Same"), "lost", "there is no 'Same'", ("Same [k3]", "Same [k4]")),
        (said("flip", "edge", "a -> b"), "lost", "nothing of an entity graph is an edge to flip", ()),
    ],
)
def test_what_cannot_be_says_why(decision, status, detail, nearest):
    found = read_gates(read_merges([decision], NAMES), MODULES).decided[0]
    assert (found.status, found.detail, found.nearest) == (status, detail, nearest)


def test_a_gate_is_named_by_keys_or_by_titles_of_its_own():
    decisions = [
        said("reject", "gate", "Wet -> Dry"),
        said("accept", "gate", "k3 -> k1", 1),
        said("reject", "gate", "k2 -> k4", 2),
    ]
    wishes = read_gates(read_merges(decisions, NAMES), MODULES)
    assert wishes.gates == {("k1", "k2"): False, ("k3", "k1"): True, ("k2", "k4"): False}
    gates = [Gate(0, 1, 0.9, 0.1, "stated", accepted=True), Gate(1, 2, 0.8, 0.1, "stated", accepted=True)]
    assert set_gates(gates, wishes, KEYS) == [
        Gate(0, 1, 0.9, 0.1, "stated", accepted=False),
        gates[1],
        Gate(2, 0, 1.0, 0.0, BY_HAND, accepted=True),
    ]


def test_a_gate_is_found_again_by_the_members_of_its_modules():
    first = said("reject", "gate", "Wet -> Dry")
    kept = first.model_copy(update={"value": remember_gate(first, MODULES)})
    assert kept.value == {"source": ["pump", "pumps", "valve"], "target": ["seal"]}

    def replayed(*modules):
        found = read_gates(read_merges([kept], NAMES), Modules(modules, {"pumps": "pump", "seal": "ring"}))
        return found.gates, found.decided[0].status, found.decided[0].detail

    dry, other = Module("n2", "Ring", ("ring",)), Module("n3", "Wet", ("hose", "nozzle"))
    assert replayed(other, dry, Module("n1", "Pump", ("pump", "valve"))) == (
        {("n1", "n2"): False}, "applied", "",
    )  # fmt: skip
    near = Module("n1", "Pump", ("pump", "tap", "drain"))  # one of four: no longer what was meant
    assert replayed(other, dry, near) == ({}, "lost", "there is no 'Wet'")
    both = Module("n1", "All", ("pump", "valve", "ring"))
    assert replayed(both, other) == ({}, "lost", "there is no 'Dry'")
    assert remember_gate(said("reject", "gate", "Wett -> Dry"), MODULES) == {"target": ["seal"]}


def test_a_module_is_called_by_its_title_where_that_is_its_own_and_can_be_typed():
    long = "0123456789abcdef"
    modules = Modules(
        [
            Module("k1", "Wet", ()),
            Module(long, "Same", ()),
            Module("k4", "Same", ()),
            Module("k5", "a -> b", ()),
            Module("k6", "Open (", ()),
        ]
    )
    assert list(modules.name_of.values()) == ["Wet", "Same [01234567]", "Same [k4]", "k5", "k6"]
    assert [modules.find(name) for name in ("Wet", "Same [01234567]", "Same", "k6", "Open (")] == [
        "k1", long, None, "k6", "k6",
    ]  # fmt: skip


def test_names_are_merged_whatever_speaks_against_it_and_kept_apart():
    vectors = {"pump": [1, 0], "valve": [0, 1], "seal": [0, 1], "tap": [0.8, 0.6]}

    def embed(names):
        return np.array([vectors[name] for name in names], np.float32)

    counts = {"pump": 3, "pumps": 1, "valve": 2, "seal": 2, "tap": 1}
    apart = [frozenset(("seal", "valve")), frozenset(("pump", "pumps"))]
    vectors["pumps"] = [1, 0]
    found = canonicalise(counts, embed, 0.9, apart, [("valve", "tap")])
    assert found.name_of == {
        "pump": "pump",
        "pumps": "pumps",
        "valve": "valve",
        "seal": "seal",
        "tap": "valve",
    }
    assert [(merge.kept, merge.merged, merge.by) for merge in found.merges] == [("valve", "tap", "person")]
    chain = canonicalise(counts, embed, 0.9, (), [("tap", "pump"), ("seal", "tap")])
    assert {name for name, entity in chain.name_of.items() if entity == "seal"} == {
        "pump",
        "pumps",
        "tap",
        "seal",
    }
