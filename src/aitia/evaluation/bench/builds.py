"""The indexes of a benchmark: each built once, opened ever after, with a record of what it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aitia.errors import AitiaError, LimitReached
from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.bench.limits import Limits
from aitia.evaluation.records import BuildRecord, append_record, read_builds, write_records
from aitia.evaluation.systems import System
from aitia.workflows.analysts import ModelOptions
from aitia.workflows.build import build_index
from aitia.workflows.earlier import is_complete
from aitia.workflows.index import Index, open_index
from aitia.workflows.show import show_stats

Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Builder:
    """How the indexes of a benchmark are built: of which corpus, by whom, within which limits."""

    corpus: Path
    embedder: str
    seed: int
    options: ModelOptions
    limits: Limits
    report: Report


def in_build_order(systems: Sequence[System]) -> list[System]:
    """One system of each build, the plain ones first: their builds embed the text, which all others need."""
    firsts = {system.build: system for system in reversed(systems)}
    ordered = sorted(firsts.values(), key=systems.index)
    return sorted(ordered, key=lambda system: not system.build.startswith("plain:"))


def kept_builds(folder: BenchFolder) -> dict[str, BuildRecord]:
    """The builds that need not be made again, by name; the file is left with these alone."""
    found = read_builds(folder.builds)
    kept = {record.system: record for record in found if record.error is None}
    if folder.builds.exists():
        write_records(folder.builds, list(kept.values()))
    return kept


def make_index(folder: BenchFolder, system: System, builder: Builder) -> BuildRecord:
    """Build the index of a system, or take the complete one that is there; the record is written.

    A build that fails is a record with an error.

    Raises:
        LimitReached: the same call goes on from there.

    """
    place = folder.index(system.folder)
    try:
        if is_complete(place):
            record = record_of(system.build, open_index(place), None)
        else:
            began = time.perf_counter()
            index = _build(folder, system, place, builder)
            record = record_of(system.build, index, time.perf_counter() - began)
    except LimitReached:
        raise
    except Exception as error:
        record = BuildRecord(system.build, error=said(error))
    append_record(folder.builds, record)
    return record


def _build(folder: BenchFolder, system: System, place: Path, builder: Builder) -> Index:
    options: dict[str, Any] = {**builder.limits.within(builder.options)}
    if system.tier:
        options["tier"] = system.tier
    return build_index(
        builder.corpus,
        place,
        **options,
        method=system.method,
        embedder=builder.embedder,
        seed=builder.seed,
        ledger=folder.ledger,
        report=lambda step, done, total: builder.report(f"{system.build}: {step}", done, total),
    )


def record_of(name: str, index: Index, seconds: float | None) -> BuildRecord:
    """What an index holds and its build took; what the ledger had counts as asked for.

    ``embedding_calls`` counts texts, each of a step once: how many a call takes is the embedder's own.
    """
    stats = show_stats(index)
    nodes, edges = graph_size(stats)
    stages = stats["llm_calls"].values()
    return BuildRecord(
        system=name,
        nodes=nodes,
        edges=edges,
        seconds=None if seconds is None else round(seconds, 3),
        llm_calls=sum(stage["calls"] + stage["reused"] for stage in stages),
        embedding_calls=index.store.facts().get("embedded"),
        prompt_tokens=sum(stage["prompt_tokens"] + stage["reused_prompt_tokens"] for stage in stages),
        reply_tokens=sum(stage["completion_tokens"] + stage["reused_completion_tokens"] for stage in stages),
    )


def graph_size(stats: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Nodes and edges as the method counts them; None where it has no graph.

    hcg: variables and causal edges. qcg: the kept questions or sentences, and the edges between neighbours.
    hug: entities and modules; links and gates.
    """
    if stats["method"] == "hcg":
        return stats["variables"], stats["edges"]
    if stats["method"] == "qcg":
        return stats["query_nodes"]["kept"], stats["query_nodes"]["edges"]
    if stats["method"] == "hug":
        return stats["entities"] + stats["modules"], stats["links"] + stats["gates"]
    return None, None


def said(error: BaseException) -> str:
    """An error as one line of a record."""
    line = " ".join(str(error).split())
    return line if isinstance(error, AitiaError) else f"unexpected {type(error).__name__}: {line}"
