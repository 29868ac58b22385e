"""What a person wrote into the files of an earlier build, so that a new build neither loses nor ignores it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aitia.errors import IndexFolderError
from aitia.graph.hand_edits import AUTHOR
from aitia.spec.curation_file import append_decisions, read_decisions
from aitia.spec.decisions import Decision
from aitia.spec.model import OutcomeConfig
from aitia.spec.yaml_file import read_outcomes
from aitia.spec.yaml_nodes import read_text
from aitia.workflows import folder as files
from aitia.workflows.spec_edits import find_spec_edits


def earlier_outcomes(target: Path) -> OutcomeConfig | None:
    """The roles of the index's own outcome file, unless they are the ones that a build proposed."""
    path = target / files.OUTCOMES
    if not path.exists() or not (target / files.DATABASE).exists():
        return None
    facts = _last_facts(target)
    if facts is not None and read_text(path) == facts.get("outcomes_proposed"):
        return None
    return read_outcomes(path)


def is_complete(target: Path) -> bool:
    """Whether the folder holds an index that lacks no part of its corpus."""
    facts = _last_facts(target) if (target / files.DATABASE).exists() else None
    return facts is not None and facts.get("status") == "complete"


TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Taken:
    """What people decided: all of it, and those ``edits`` of ``graph_spec.yaml`` that were found just now.

    ``existing`` is the text of that file, whose comments and order stay; None where there is none to keep.
    """

    existing: str | None
    decisions: tuple[Decision, ...]
    edits: tuple[Decision, ...] = ()


def take_edits(target: Path) -> Taken:
    """Append what a person changed in the specification of an earlier build to the decisions, and read them.

    An edit that was appended and not applied, because something was killed, is not found again. Where
    ``index.db`` is damaged nobody can tell what was edited; then a copy of the file is kept beside it.

    Raises:
        SpecError: a file that breaks its rules, with its line.
        IndexFolderError: a specification beside an index that has none.

    """
    path, log = target / files.SPEC, target / files.CURATION
    decisions = read_decisions(log)
    if not path.exists() or not (target / files.DATABASE).exists():
        return Taken(None, decisions)
    text = read_text(path)
    facts = _last_facts(target)
    if facts is None:
        path.with_name(f"{files.SPEC}.old").write_text(text, "utf-8", newline="")
        return Taken(None, decisions)
    generated = facts.get("spec_text", "")
    applied = set(facts.get("decisions", ()))
    waiting = [each for each in decisions if each.author == AUTHOR and each.id not in applied]
    if text == generated and not waiting:
        return Taken(text, decisions)
    if not generated:
        raise IndexFolderError(
            f"{path} is not of this index, which has no specification; copy it elsewhere and delete it"
        )
    edits = tuple(find_spec_edits(text, generated, waiting, files.open_store(target), now()))
    append_decisions(log, edits)
    return Taken(text, (*decisions, *edits), edits)


def find_repeated(decisions: Sequence[Decision]) -> list[str]:
    """A line for each decision that stands there again, to its time; one without a time may be meant twice."""
    times = Counter(each.id for each in decisions if each.time)
    return [
        f"{files.CURATION}: {name} stands there {count:,} times and counts once; remove the others"
        for name, count in times.items()
        if count > 1
    ]


def check_untouched(target: Path, taken: Taken) -> None:
    """Refuse to write over a specification that was edited since it was read.

    Raises:
        IndexFolderError: it was.

    """
    path = target / files.SPEC
    if taken.existing is not None and path.exists() and read_text(path) != taken.existing:
        raise IndexFolderError(
            f"{path} was edited while the index was being written, and is left as it is; run the same command again"
        )


def now() -> str:
    """The time of a decision: ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime(TIME)


def _last_facts(target: Path) -> dict[str, Any] | None:
    """The facts of the last build; None where its index is damaged, which a new build mends."""
    try:
        return files.open_store(target).facts()
    except IndexFolderError:
        return None
