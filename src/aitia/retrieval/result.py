"""What a retrieval returns: evidence in rank order, and the trace that explains it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim span of a document, of one stored chunk or of several that follow one another.

    ``chunk_id`` is the chunk that ranked it, ``chunk_ids`` are all it touches in the document's order.
    ``start`` and ``end`` are offsets into the document.
    """

    text: str
    chunk_id: str
    chunk_ids: tuple[str, ...]
    document: str
    citation: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Evidence best first, within the budget.

    ``matched`` is false when no chunk shares a content term with the question and none is close;
    ``graph_matched`` is false when the graph had no match and the evidence is the recorded fallback
    (always true for methods without a graph). ``trace`` holds the method's own explanation as plain
    JSON values; ``seconds`` has ``embed`` and ``retrieve``.
    """

    question: str
    evidence: tuple[Evidence, ...]
    matched: bool = True
    graph_matched: bool = True
    trace: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
