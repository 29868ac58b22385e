"""Plain text: no structure is read into it."""

from __future__ import annotations

from aitia.corpus.readers.content import Content, Piece
from aitia.corpus.readers.decode import decode


def read_plain(data: bytes) -> Content:
    """The text of a ``.txt`` file."""
    text, note = decode(data)
    return Content((Piece(text),), notes=(note,) if note else ())
