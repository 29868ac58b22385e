"""YAML text as nodes with positions. The only module that touches ruamel.

Built from parse events: nothing is constructed, so a tag runs nothing and every scalar stays the words
that stand in the file (``yes``, ``1.0``). Anchors, aliases, tags and deep nesting are refused: these files
are data that people edit, and none of that has a use in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn

from aitia.errors import SpecError

MAX_BYTES = 32_000_000
MAX_DEPTH = 8
_COLON = re.compile(r"\s*:")


@dataclass(slots=True)
class Node:
    """A value and where it stands: character offsets, line from 1, column from 0."""

    kind: Literal["scalar", "sequence", "mapping"]
    start: int
    end: int
    line: int
    column: int
    text: str = ""
    plain: bool = True
    block: bool = True
    items: list[Node] = field(default_factory=list)
    pairs: list[tuple[Node, Node]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing stands here: ``key:`` or ``key: null``."""
        return self.kind == "scalar" and self.plain and self.text in ("", "~", "null")

    def pair(self, key: str) -> tuple[Node, Node] | None:
        """The pair of a key in a mapping."""
        return next((pair for pair in self.pairs if pair[0].text == key), None)


def read_text(path: Path) -> str:
    """A file's text, line ends as they are, without a byte order mark.

    Raises:
        SpecError: it cannot be read, is larger than `MAX_BYTES`, or is not UTF-8.

    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            fail(path.name, 1, f"found {size:,} bytes, expected at most {MAX_BYTES:,}; is it the right file?")
        content = path.read_bytes()
    except OSError as error:
        raise SpecError(f"{path}: cannot be read ({error.strerror or error})") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fail(path.name, line, f"found byte 0x{content[error.start]:02x}, expected UTF-8; save it as UTF-8")


def parse_nodes(text: str, name: str) -> Node:
    """The root node of the only document in ``text``; an empty text gives an empty scalar.

    Raises:
        SpecError: not YAML, or YAML beyond what is read here; begins with ``name:line``.

    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        return _Builder(name, text, iter(YAML(typ="safe", pure=True).parse(text))).document()
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        fail(name, line, f"found the control character {text[error.position]!r}, expected printable text")
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(f"{error.problem or error.context}".split())
        fail(name, mark.line + 1 if mark else 1, f"not valid YAML: {problem}")


def fail(name: str, line: int, message: str) -> NoReturn:
    """Raise the one-line error of a place in a file."""
    raise SpecError(f"{name}:{line}: {message}")


class _Builder:
    def __init__(self, name: str, text: str, events: Iterator[Any]) -> None:
        self.name = name
        self.text = text
        self.events = events

    def document(self) -> Node:
        root = Node("scalar", 0, 0, 1, 0)
        documents = 0
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    fail(self.name, event.start_mark.line + 1, "found a second document, expected one")
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                root = self.node(event, 1)
        return root

    def node(self, event: Any, depth: int) -> Node:
        kind = type(event).__name__
        line = event.start_mark.line + 1
        if kind == "AliasEvent" or event.anchor:
            fail(self.name, line, "found an anchor or alias (& or *), expected the value itself")
        if event.tag and event.tag != "!":
            fail(self.name, line, f"found the tag {event.tag}, expected a value without a tag")
        if depth > MAX_DEPTH:
            fail(self.name, line, f"found more than {MAX_DEPTH} levels of nesting")
        start = event.start_mark
        if kind == "ScalarEvent":
            return Node(
                "scalar",
                start.index,
                event.end_mark.index,
                line,
                start.column,
                text=event.value,
                plain=event.style is None or event.style == "",
                block=event.style in ("|", ">"),
            )
        block = not event.flow_style
        if kind == "SequenceStartEvent":
            return self.sequence(Node("sequence", start.index, 0, line, start.column, block=block), depth)
        return self.mapping(Node("mapping", start.index, 0, line, start.column, block=block), depth)

    def sequence(self, node: Node, depth: int) -> Node:
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                node.end = event.end_mark.index
                break
            node.items.append(self.node(event, depth + 1))
        return node

    def mapping(self, node: Node, depth: int) -> Node:
        lines: dict[str, int] = {}
        for event in self.events:
            if type(event).__name__ == "MappingEndEvent":
                node.end = event.end_mark.index
                break
            key = self.node(event, depth + 1)
            if key.kind != "scalar":
                fail(self.name, key.line, f"found a {key.kind} as a key, expected a word")
            if key.text in lines:
                fail(self.name, key.line, f"found {key.text!r} again, first on line {lines[key.text]}")
            lines[key.text] = key.line
            value = self.node(next(self.events), depth + 1)
            if value.empty and value.start == value.end:
                self.place_nothing(key, value)
            node.pairs.append((key, value))
        return node

    def place_nothing(self, key: Node, value: Node) -> None:
        """Move an absent value from the next token, where ruamel sees it, to behind its colon."""
        colon = _COLON.match(self.text, key.end)
        if colon:
            value.start = value.end = colon.end()
            value.line = key.line
