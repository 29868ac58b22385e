"""HTML: what a reader of the page sees, with the heading path of every place.

Scripts, styles and navigation are left out. Block elements stand on lines of their own, cells of a
table row are separated by a tab, and inline elements do not break a sentence.
"""

from __future__ import annotations

import re
from typing import Any

from aitia.corpus.document import Section
from aitia.corpus.readers.content import Content, Piece, Unreadable, place_heading
from aitia.corpus.readers.decode import decode

_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LEFT_OUT = frozenset(
    [
        "head",
        "script",
        "style",
        "nav",
        "template",
        "noscript",
        "svg",
        "iframe",
        "object",
        "select",
        "textarea",
    ]
)
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_GAPS = {
    **dict.fromkeys([*_HEADINGS, "p", "div", "section", "article", "main", "header", "footer"], "\n\n"),
    **dict.fromkeys(["aside", "blockquote", "pre", "ul", "ol", "dl", "table", "figure"], "\n\n"),
    **dict.fromkeys(["form", "hr", "address", "details"], "\n\n"),
    **dict.fromkeys(["li", "tr", "br", "dt", "dd", "caption", "figcaption", "summary", "legend"], "\n"),
    **dict.fromkeys(["td", "th"], "\t"),
}
"""What separates an element from what stands before and after it; inline elements are not listed."""


def read_html(data: bytes) -> Content:
    """The visible text of an HTML file; broken markup is read as browsers do."""
    declared = _DECLARED.search(data[:4096])
    markup, note = decode(data, declared[1].decode("ascii") if declared else None)
    if not markup.strip():
        raise Unreadable("only white space")
    return Content((_read_markup(markup),), notes=(note,) if note else ())


def _read_markup(markup: str) -> Piece:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    root = etree.fromstring(markup.encode("utf-8"), parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise Unreadable("elements nested too deeply")
    page = _Page()
    if root is not None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                page.leave(element)
            elif element.tag in _LEFT_OUT:
                walk.skip_subtree()
            else:
                page.enter(element)
    return Piece("".join(page.parts), tuple(page.sections))


class _Page:
    """Collects text and sections while the tree is walked."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.sections: list[Section] = []
        self._length = 0
        self._gap = ""
        self._preformatted = 0
        self._path: list[tuple[int, str]] = []
        self._heading: tuple[int, int] | None = None

    def enter(self, element: Any) -> None:
        self._widen(_GAPS.get(element.tag, ""))
        self._preformatted += element.tag == "pre"
        if element.tag in _HEADINGS:
            self._heading = len(self.parts), self._length
        self._add(element.text)

    def leave(self, element: Any) -> None:
        if element.tag in _LEFT_OUT:
            self._add(element.tail)
            return
        if element.tag in _HEADINGS and self._heading is not None:
            self._close_heading(int(element.tag[1]))
        self._preformatted -= element.tag == "pre"
        self._widen(_GAPS.get(element.tag, ""))
        self._add(element.tail)

    def _close_heading(self, level: int) -> None:
        first, length = self._heading or (0, 0)
        self._heading = None
        words = "".join(self.parts[first:])
        title = " ".join(words.split())
        if title:
            start = length + len(words) - len(words.lstrip())
            self.sections.append(Section(start, place_heading(self._path, level, title)))

    def _widen(self, gap: str) -> None:
        """Keep the stronger of two separators that meet."""
        self._gap = max(self._gap, gap, key=("", " ", "\t", "\n", "\n\n").index)

    def _add(self, text: str | None) -> None:
        if not text:
            return
        words = text if self._preformatted else _SPACE.sub(" ", text)
        if not words.strip(" \n"):
            self._widen("\n" if self._preformatted and "\n" in words else " ")
            return
        if words[0] == " " and not self._preformatted:
            self._widen(" ")
        gap = self._gap if self._length else ""
        body = words if self._preformatted else words.strip(" ")
        self.parts += [gap, body]
        self._length += len(gap) + len(body)
        self._gap = " " if words[-1] == " " and not self._preformatted else ""
