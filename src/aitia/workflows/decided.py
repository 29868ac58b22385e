"""What became of decisions, by an index: those that it holds, and those that wait for the next time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aitia.graph.curation import Replayed, replay
from aitia.graph.redone import read_redone, with_redone
from aitia.spec.decisions import Decided, Decision
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
    applied = set(store.facts().get("decisions", ()))
    replayed = replay_stored(store, decisions)
    if replayed is None:
        kept = {row["id"]: row for row in store.records("decided")}
        found = [_stored(each, kept.get(each.id, {})) for each in decisions]
    else:
        found = list(replayed.decided)
    return [replace(each, pending=each.decision.id not in applied) for each in found]


def _stored(decision: Decision, row: dict[str, str]) -> Decided:
    return Decided(decision, row.get("status", "applied"), row.get("detail", ""))  # type: ignore[arg-type]
