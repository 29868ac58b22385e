"""Applying decisions: hand edits are taken in, all is replayed, what a decision touches is redone, one commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from aitia.spec.decisions import Decided, Decision
from aitia.workflows.analysts import ModelOptions
from aitia.workflows.contents import Report


class ApplyOptions(ModelOptions, total=False):
    """Options of applying; everything else is the index's own."""

    report: Report


@dataclass(frozen=True)
class ApplyReport:
    """What applying did.

    ``taken``: decisions found as edits of ``graph_spec.yaml``. ``decided``: every decision with what became of
    it. ``redone``: metrics whose templates and edges were judged again. ``calls``: what a model was asked, by
    stage. ``changed``: whether the index was written.
    """

    taken: tuple[Decision, ...] = ()
    decided: tuple[Decided, ...] = ()
    redone: tuple[str, ...] = ()
    calls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changed: bool = False

    @property
    def findings(self) -> list[str]:
        """The decisions that could not be applied, a line each."""
        return [each.line for each in self.decided if each.status in ("lost", "conflict")]


def apply(folder: str | Path, **options: Unpack[ApplyOptions]) -> ApplyReport:
    """Bring an index up to date with ``graph_spec.yaml`` and ``curation.yaml``.

    Raises:
        AitiaError: with one line that says what to do; the index is as it was.

    """
    raise NotImplementedError
