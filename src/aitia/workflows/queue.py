"""What an expert should look at, riskiest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from aitia.spec.decisions import Kind
from aitia.workflows.index import Index

Topic = Literal["edge", "rejected", "merge", "gate", "renewed"]


@dataclass(frozen=True, slots=True)
class PlacedQuote:
    """Words of the corpus that bear on an item: a span of its document, and the chunk (id) they stand in."""

    text: str
    chunk: str
    document: str
    start: int
    end: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Something to decide. ``key`` is the target of a decision of kind ``decides`` about it.

    ``why``: what makes it risky, in words, gravest first. ``risk``: 0 to 1. ``says``: what is claimed, in words.
    ``value``: its fields (mechanism, confidence, polarity), which an ``add`` of it needs.
    """

    topic: Topic
    decides: Kind
    key: str
    why: tuple[str, ...]
    risk: float
    says: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)
    quotes: tuple[PlacedQuote, ...] = ()


def queue(index: Index) -> list[QueueItem]:
    """All that is open, by descending risk, then key."""
    raise NotImplementedError
