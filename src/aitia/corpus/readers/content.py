"""What a reader makes of the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aitia.corpus.document import Section


class Unreadable(Exception):
    """The file gives no text; the message is the reason, as the user reads it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One text of a file. ``record`` tells the records of one file apart, ``name`` is the record's own."""

    text: str
    sections: tuple[Section, ...] = ()
    record: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The texts of a file, the parts that could not be read, and what the user should know."""

    pieces: tuple[Piece, ...]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Reader = Callable[[bytes], Content]


def clean_text(text: str) -> str:
    r"""The text with ``\n`` as the only line end, and without NUL and a leading byte order mark.

    Halves of surrogate pairs, which no encoding can store, are joined, or replaced where one is missing.
    """
    text = text.removeprefix("\ufeff").replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def place_heading(path: list[tuple[int, str]], level: int, title: str) -> tuple[str, ...]:
    """Enter a heading into the stack of open ones, and return the titles from the outermost to it."""
    while path and path[-1][0] >= level:
        path.pop()
    path.append((level, title))
    return tuple(title for _, title in path)
