"""What became of decisions in a run that applied them: edits that were taken in, and those that could not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aitia.spec.decisions import Decision


def note_taken(taken: Sequence[Decision], quiet: bool) -> None:
    """A line for each decision that was found as an edit of ``graph_spec.yaml``."""
    from aitia.cli.output import note
    from aitia.cli.text import excerpt

    for each in taken:
        words = [str(each.value[name]) for name in ("field", "to", "into") if name in each.value]
        becomes = f": {excerpt(' '.join(words), 200)}" if words else ""
        note(f"Taken from graph_spec.yaml: {each.id} {each.action} {each.kind} {each.target}{becomes}", quiet)


def write_unapplied(lines: Sequence[str]) -> None:
    """A line for each decision whose target is gone, or that cannot be together with what is there."""
    from aitia.cli.output import write
    from aitia.cli.text import safe_line

    for line in lines:
        write(safe_line(line))
