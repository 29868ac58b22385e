"""What became of decisions, by an index: those that it holds, and those that wait for the next time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aitia.graph.curation import Replayed, replay
from aitia.graph.redone import read_redone, with_redone
from aitia.methods.hug.decide import read_gates, read_merges
from aitia.methods.hug.gate_names import Module, Modules
from aitia.spec.decisions import Decided, Decision, Status
from aitia.storage.contents import Store


def replay_stored(store: Store, decisions: Sequence[Decision]) -> Replayed | None:
    """The graph of an index with decisions applied, but for what they would have judged again; None without one."""
    machine = store.machine()
    if machine is None:
        return None
    redone = [read_redone(row) for row in store.records("redone")]
    return replay(with_redone(machine, redone), decisions)


def decided_of(store: Store, decisions: Sequence[Decision]) -> list[Decided]:
    """Each decision with its status; of those that are not in the index the status that they will have."""
    if not decisions:
        return []
    applied = set(store.facts().get("decisions", ()))
    replayed = replay_stored(store, decisions)
    found = _of_records(store, decisions) if replayed is None else list(replayed.decided)
    return [replace(each, pending=each.decision.id not in applied) for each in found]


def modules_of(store: Store) -> Modules:
    """The modules of an index of hug, by which its gates are named."""
    entity_of = {name: row["name"] for row in store.records("entities") for name in row["names"]}
    rows = store.records("modules")
    return Modules([Module(row["key"], row["title"], tuple(row["entities"])) for row in rows], entity_of)


def _of_records(store: Store, decisions: Sequence[Decision]) -> list[Decided]:
    """Of hug what its build said, and of those that wait what the next one will, by the names of today."""
    method = str(store.facts().get("settings", {}).get("method"))
    if method != "hug":
        return [Decided(each, "lost", f"of {method} nothing can be decided") for each in decisions]
    names = {name for row in store.records("entities") for name in row["names"]}
    found = list(read_gates(read_merges(decisions, names), modules_of(store)).decided)
    kept = {row["id"]: row for row in store.records("decided")}
    for step, each in enumerate(found):
        row = kept.get(each.decision.id)
        if row and each.status not in ("undone", "superseded"):
            status: Status = row["status"]
            if status in ("applied", "lost", "conflict"):
                found[step] = Decided(each.decision, status, row["detail"], tuple(row["nearest"]))
    return found
