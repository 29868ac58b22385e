"""Chunks: the spans of a document that evidence points to."""

from __future__ import annotations

from dataclasses import dataclass, field

from aitia.corpus.document import content_hash


@dataclass(frozen=True, slots=True)
class Chunk:
    """A verbatim span ``text == document.text[start:end]`` with where it stands.

    ``ordinal`` is its position among the document's chunks. ``id`` is the hash of document id and span.
    """

    document_id: str
    path: str
    ordinal: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", content_hash(self.document_id, str(self.start), str(self.end)))

    @property
    def citation(self) -> str:
        """How a person finds the place, as ``file.pdf p. 12, "Staging"``."""
        page = f" p. {self.page}" if self.page is not None else ""
        heading = f', "{self.heading_path[-1]}"' if self.heading_path else ""
        return f"{self.path}{page}{heading}"
