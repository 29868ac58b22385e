"""DOCX: paragraphs and table rows in order, with the heading path of every place.

The body is walked as XML, because text in content controls, tracked insertions and text boxes counts as
much as any other. Tracked deletions, headers, footers and notes are left out.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from aitia.corpus.document import Section
from aitia.corpus.readers.content import Content, Piece, Unreadable, clean_text, place_heading

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_LEFT_OUT = (f"{_WORD}del", f"{_WORD}moveFrom", f"{_WORD}pPr", f"{_WORD}rPr", _FALLBACK)
_TEXT = (f"{_WORD}t", f"{_MATH}t")
_SIGNS = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n", f"{_WORD}cr": "\n", f"{_WORD}noBreakHyphen": "-"}
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_LARGEST, _LARGE, _STEEPEST = 512_000_000, 32_000_000, 100
"""Unpacked bytes refused always; refused if packed more than 100 times."""


def read_docx(data: bytes) -> Content:
    """The text of a DOCX file. Raises `Unreadable` if it is damaged, or would unpack to a giant."""
    _refuse_bomb(data)
    try:
        body, levels = _open(data)
        blocks = list(_blocks(body, levels))
    except Exception as error:  # whatever a parser of hostile files can raise
        raise Unreadable(f"damaged DOCX ({type(error).__name__})") from error
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    parts: list[str] = []
    length = 0
    for level, words, gap in blocks:
        text = clean_text(words).strip()
        if not text:
            continue
        if parts:
            parts.append(gap)
            length += len(gap)
        if level is not None:
            sections.append(Section(length, place_heading(path, level, " ".join(text.split()))))
        parts.append(text)
        length += len(text)
    return Content((Piece("".join(parts), tuple(sections)),))


def _refuse_bomb(data: bytes) -> None:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Unreadable("damaged DOCX (not a zip archive)") from error
    if unpacked > _LARGEST or unpacked > max(_LARGE, _STEEPEST * len(data)):
        raise Unreadable(f"unpacks to {unpacked // 1_000_000} MB, which no document needs; refused")


def _open(data: bytes) -> tuple[Any, dict[str, int]]:
    """The body element, and the outline level of each heading style by its id; a title is level 0."""
    from docx import Document

    document = Document(BytesIO(data))
    levels = {}
    for style in document.styles:
        level = _style_level(style)
        if level is not None:
            levels[style.style_id] = level
    return document.element.body, levels


def _style_level(style: Any) -> int | None:
    for _ in range(10):  # styles inherit; a damaged file may do so in a circle
        if style is None:
            return None
        name = style.name or ""
        match = _HEADING.fullmatch(name)
        if match or name == "Title":
            return int(match[1]) if match else 0
        outline = style.element.find(f"{_WORD}pPr/{_WORD}outlineLvl")
        if outline is not None:
            return _outline_level(outline)
        style = getattr(style, "base_style", None)
    return None


def _outline_level(outline: Any) -> int | None:
    level = int(outline.get(f"{_WORD}val", "9"))
    return level + 1 if level < 9 else None


def _blocks(parent: Any, levels: dict[str, int]) -> Iterator[tuple[int | None, str, str]]:
    """Heading level (or none), text, and the gap before it, of each paragraph and table row."""
    for child in parent:
        if child.tag == f"{_WORD}p":
            yield _level(child, levels), "".join(_words(child)), "\n\n"
        elif child.tag == f"{_WORD}tbl":
            gap = "\n\n"
            for row in child.iter(f"{_WORD}tr"):
                cells = (" ".join("".join(_words(cell)).split()) for cell in row.findall(f"{_WORD}tc"))
                yield None, "\t".join(cells), gap
                gap = "\n"
        elif child.tag not in _LEFT_OUT:
            yield from _blocks(child, levels)


def _level(paragraph: Any, levels: dict[str, int]) -> int | None:
    outline = paragraph.find(f"{_WORD}pPr/{_WORD}outlineLvl")
    if outline is not None:
        return _outline_level(outline)
    style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
    return None if style is None else levels.get(style.get(f"{_WORD}val"))


def _words(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _TEXT:
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _LEFT_OUT:
            if child.tag == f"{_WORD}p":
                yield "\n"
            yield from _words(child)
