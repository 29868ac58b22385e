"""Markdown: the text as it is written, with the heading path of every place."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from aitia.corpus.document import Section
from aitia.corpus.readers.content import Content, Piece, place_heading
from aitia.corpus.readers.decode import decode

_FRONT_MATTER = re.compile(r"---\n(?:.*\n)*?(?:---|\.\.\.)(?:\n|$)")


def read_markdown(data: bytes) -> Content:
    """The source text of a Markdown file, unchanged; headings are those of CommonMark."""
    text, note = decode(data)
    return Content((Piece(text, markdown_sections(text)),), notes=(note,) if note else ())


def markdown_sections(text: str) -> tuple[Section, ...]:
    """A section for each heading that is not inside a list or quotation, from its line's start."""
    from markdown_it import MarkdownIt

    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    line_starts = list(
        accumulate((len(line) + 1 for line in body.split("\n")), initial=len(text) - len(body))
    )
    parser = MarkdownIt("commonmark")
    inline = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(body)
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    for token, content in pairwise(tokens):
        if token.type != "heading_open" or token.level or token.map is None:
            continue
        words = inline.parseInline(content.content)[0].children or []
        title = " ".join("".join(word.content if word.content else " " for word in words).split())
        if title:
            sections.append(
                Section(line_starts[token.map[0]], place_heading(path, int(token.tag[1:]), title))
            )
    return tuple(sections)
