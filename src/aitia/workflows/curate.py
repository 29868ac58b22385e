"""Curation of an index: deciding, and what became of the decisions. What is decided waits for `apply`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aitia.spec.curation_file import append_decisions, read_decisions
from aitia.spec.decisions import Decided, Decision
from aitia.workflows import folder as files
from aitia.workflows.apply import ApplyOptions, ApplyReport, apply
from aitia.workflows.complete import complete
from aitia.workflows.decided import decided_of
from aitia.workflows.index import Index, open_index
from aitia.workflows.queue import PlacedQuote, QueueItem, queue

__all__ = [
    "ApplyOptions", "ApplyReport", "PlacedQuote", "QueueItem", "apply", "decide", "decide_all", "history", "queue",
]  # fmt: skip


def decide(folder: str | Path, decision: Decision) -> Decision:
    """Append a decision to ``curation.yaml``, as it is kept: with its time, and the evidence of today.

    Raises:
        UsageError: its target or value is not one of the index as it is, all earlier decisions applied; the
            one line names the nearest.

    """
    return decide_all(folder, [decision])[0]


def decide_all(
    folder: str | Path, decisions: Sequence[Decision], places: Sequence[str] = ()
) -> list[Decision]:
    """Append decisions, all of them or none; each is checked with those before it applied.

    ``places``: where each stands, as errors name it.

    Raises:
        UsageError: as `decide`, of the first that cannot be.
        IndexFolderError: no index, or somebody is writing it.

    """
    target = Path(folder)
    files.open_store(target)
    with files.locked(target):
        index = open_index(target)
        log = target / files.CURATION
        known = read_decisions(log)
        made = complete(index, known, decisions, places)
        append_decisions(log, made)
    return made


def history(index: Index) -> list[Decided]:
    """Every decision in its order with what became of it, those that wait for `apply` too.

    Raises:
        SpecError: ``curation.yaml`` breaks its rules.

    """
    return decided_of(index.store, read_decisions(index.folder / files.CURATION))
