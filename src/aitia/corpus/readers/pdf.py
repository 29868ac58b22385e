"""PDF: the text of each page as extracted, with words joined that a line end has divided."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from aitia.corpus.document import Section
from aitia.corpus.readers.content import Content, Piece, Unreadable, clean_text

if TYPE_CHECKING:
    from pypdf import PdfReader

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIVIDED = re.compile(r"([^\W\d_]{1,60})([-\u00ad\u2010])[ \t]*\n[ \t]*([^\W\d_]+)")
_CLOSED = re.compile(r"""[.!?:。！？][)\]"'”’]*$""")


def read_pdf(data: bytes) -> Content:
    """The pages of a PDF, counted from 1; pages without text are left out.

    Raises `Unreadable` for one that is encrypted, damaged, or has no text at all.
    """
    with _silence():
        try:
            pages, notes = _pages(_open(data))
        except Unreadable:
            raise
        except Exception as error:  # whatever a parser of hostile files can raise
            raise Unreadable(f"damaged PDF ({type(error).__name__})") from error
    if not pages:
        raise Unreadable(notes[0] if notes else "no text on any page; scanned pages need OCR first")
    return Content((_join_pages(pages),), notes=tuple(notes))


def _open(data: bytes) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted:
        try:
            opened = bool(reader.decrypt(""))
        except (DependencyError, NotImplementedError):
            opened = False
        if not opened:
            raise Unreadable("encrypted PDF; save it without a password first")
    return reader


def _pages(reader: PdfReader) -> tuple[dict[int, str], list[str]]:
    pages, notes = {}, []
    for number, page in enumerate(reader.pages, start=1):
        try:
            text = clean_text(page.extract_text()).strip()
        except Exception as error:  # one bad page must not cost the others
            notes.append(f"page {number} could not be read ({type(error).__name__})")
            continue
        if text:
            pages[number] = text
    return pages, notes


def _join_pages(pages: dict[int, str]) -> Piece:
    """One text. A page that ends inside a sentence does not end its paragraph."""
    words = {word.lower() for page in pages.values() for word in _WORD.findall(page)}
    parts: list[str] = []
    sections: list[Section] = []
    length = 0
    for number, page in pages.items():
        gap = "" if not parts else "\n\n" if _CLOSED.search(parts[-1][-10:]) else "\n"
        sections.append(Section(length + len(gap), page=number))
        parts += [gap, _join_divided(page, words)]
        length += len(gap) + len(parts[-1])
    return Piece("".join(parts), tuple(sections))


def _join_divided(page: str, words: set[str]) -> str:
    """Join words across line ends; the document's other words decide whether the hyphen stays."""

    def join(match: re.Match[str]) -> str:
        left, hyphen, right = match.groups()
        joined, hyphenated = left + right, f"{left}-{right}"
        if hyphen == "\u00ad" or joined.lower() in words:
            return joined
        compound = hyphenated.lower() in words or len(left) == 1 or not right[0].islower() or left.isupper()
        return hyphenated if compound else joined

    return _DIVIDED.sub(join, page)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep pypdf from writing its complaints to stderr; what matters becomes a reason or a note."""
    logger = logging.getLogger("pypdf")
    disabled, propagate, handlers = logger.disabled, logger.propagate, list(logger.handlers)
    logger.propagate = False
    logger.handlers = [logging.NullHandler()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled, logger.propagate, logger.handlers = disabled, propagate, handlers
