"""Bytes to text: byte order mark, else UTF-8, else what the file declares, else detection."""

from __future__ import annotations

import codecs
import re

from aitia.corpus.readers.content import Unreadable, clean_text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"\x7fELF",
    b"\xd0\xcf\x11\xe0",
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x7f]")
_MOST_CONTROL = 0.05
"""Share of control characters above which a text is no text."""


def decode(data: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """The cleaned text, and a note for the user where its encoding is a guess.

    Raises `Unreadable` for what is not text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data[len(mark) :].decode(encoding, "replace")), None
    if data.startswith(_SIGNATURES):
        raise Unreadable("binary, not text")
    encoding = _utf_16_without_mark(data) or "utf-8"
    try:
        text = _checked(data.decode(encoding))
    except UnicodeDecodeError:
        return _decode_other(data, declared)
    return text, None if encoding == "utf-8" else _note(encoding)


def _decode_other(data: bytes, declared: str | None) -> tuple[str, str | None]:
    if declared is not None:
        try:
            return _checked(data.decode(codecs.lookup(declared).name)), None
        except (LookupError, UnicodeDecodeError):
            pass
    encoding = _detect(data)
    if encoding is None:
        raise Unreadable("binary, or of an unknown encoding; expected UTF-8")
    return _checked(data.decode(encoding, "replace")), _note(encoding)


def _note(encoding: str) -> str:
    return f"not UTF-8: read as {encoding.replace('_', '-')} (detected)"


def _checked(text: str) -> str:
    if len(_CONTROL.findall(text)) > 2 + _MOST_CONTROL * len(text):
        raise Unreadable("binary, not text")
    return clean_text(text)


def _utf_16_without_mark(data: bytes) -> str | None:
    """UTF-16 of most scripts shows in its zero bytes: many, and all at odd or all at even places."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if len(data) % 2 or max(even, odd) < max(2, len(data) // 20) or min(even, odd) > max(even, odd) // 50:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _detect(data: bytes) -> str | None:
    """The likeliest encoding; Windows-1252 where it is about as likely as the best.

    Detection ranks the code pages of one script by small margins, and 1252 is by far the commonest.
    """
    from charset_normalizer import from_bytes

    matches = from_bytes(data)
    best = matches.best()
    if best is None:
        return None
    for match in matches:
        alike = match.coherence >= best.coherence - 0.05 and match.chaos <= best.chaos + 0.1
        if alike and "cp1252" in match.could_be_from_charset:
            return "cp1252"
    return best.encoding
