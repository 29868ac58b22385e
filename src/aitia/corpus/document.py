"""Documents: the text of one source, with what is needed to cite a place in it."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, field


def content_hash(*parts: str) -> str:
    """The first 16 hex digits of the SHA-256 of the parts, which a NUL separates.

    Every id in Aitia is one of these, so equal content has equal ids on any machine.
    """
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Section:
    """Where a page or a heading begins: it holds from ``start`` to the next section's start."""

    start: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One source text.

    ``path`` is relative to the root it was found under, with ``/``; a record of a JSON file adds
    ``#record``. ``name`` is what users call it: the record's own id, else the file's stem. ``id`` is
    the hash of the text, so a renamed file keeps its id and two files of one text are one document.
    """

    path: str
    name: str
    text: str
    sections: tuple[Section, ...] = ()
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", content_hash(self.text))

    def section_at(self, offset: int) -> Section:
        """The section that holds a character offset; an unnamed one before the first."""
        position = bisect_right([section.start for section in self.sections], offset)
        return self.sections[position - 1] if position else Section(0)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was found but not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something the user should know about a path that was read: its encoding was detected."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything read: documents in path order, what was skipped, and notes."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[Note, ...] = ()
