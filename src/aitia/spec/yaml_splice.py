"""Changing a YAML text in place: only what differs is rewritten, so comments and order survive.

Works on the text, not on a reloaded tree: an edit replaces the span of a value that changed, removes the
lines of an item that is gone together with the comment right above it, or inserts lines behind the last
item. Containers in flow style (``[a, b]``) are rewritten whole if they changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from aitia.spec.yaml_emit import Plain, emit_item, emit_pair, emit_value
from aitia.spec.yaml_nodes import Node
from aitia.spec.yaml_same import identity, is_default, plain_of, same

_COMMENT = re.compile(r"[ \t]*#")
_OPEN_MAPPINGS = ("dimensions.aliases",)


class Edit(NamedTuple):
    """Replace the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


Renamed = Mapping[str, Mapping[str, str]]
"""What an item of a list is called now, by the list's path and what it is called in the text (`identity`)."""


def splice(text: str, root: Node, layout: Mapping[str, Plain], renamed: Renamed | None = None) -> str:
    """The text with every section of the layout brought up to date; ``root`` is its parse."""
    if not text.endswith("\n"):
        text += "\n"
    splicer = _Splicer(text, renamed or {})
    splicer.mapping("", root, layout)
    pieces = []
    position = 0
    for edit in sorted(splicer.edits, key=lambda edit: edit[:2]):
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


@dataclass(slots=True)
class _Splicer:
    """Collects the edits. ``path`` is the dotted way of keys from the root, without positions."""

    text: str
    renamed: Renamed
    edits: list[Edit] = field(default_factory=list)

    def mapping(self, path: str, node: Node, new: Mapping[str, Plain]) -> None:
        added = []
        for key, value in new.items():
            pair = node.pair(key)
            if pair:
                self.value(_join(path, key), *pair, value)
            elif not is_default(_join(path, key), value):
                added += emit_pair(key, value, node.column)
        if path in _OPEN_MAPPINGS:
            for place, (key_node, value_node) in enumerate(node.pairs):
                if key_node.text not in new:
                    self.remove(self.line_start(key_node.start), value_node, node.column, first=place == 0)
        if added:
            self.insert(node, node.column, added)

    def value(self, path: str, key: Node, node: Node, new: Plain) -> None:
        if same(path, node, new):
            return
        if isinstance(new, Mapping) and self.spliceable(node, "mapping"):
            self.mapping(path, node, new)
        elif isinstance(new, list | tuple) and self.spliceable(node, "sequence"):
            self.sequence(path, node, new)
        else:
            self.replace(key.end, node, ":", emit_value(new, key.column))

    def sequence(self, path: str, node: Node, new: Sequence[Plain]) -> None:
        wanted = {identity(path, item): item for item in new}
        renamed = self.renamed.get(path, {})
        for place, item in enumerate(node.items):
            known = identity(path, plain_of(item))
            value = wanted.pop(renamed.get(known, known), None)
            if value is None:
                start = self.dash_line(item, node.column)
                self.remove(start, item, node.column, first=place == 0)
            elif not same(path, item, value):
                if isinstance(value, Mapping) and self.spliceable(item, "mapping"):
                    self.mapping(path, item, value)
                else:
                    first, *rest = emit_item(value, item.column - 2)
                    self.replace(item.start, item, "", [first[item.column :], *rest])
        added = [line for item in wanted.values() for line in emit_item(item, node.column)]
        if added:
            self.insert(node, node.column, added)

    def replace(self, start: int, node: Node, head: str, lines: list[str]) -> None:
        """Put the first line where the node is, and the others below any comment that follows it."""
        end = self.content_end(node)
        self.edits.append(Edit(start, end, head + lines[0]))
        below = self.text.index("\n", end) + 1
        self.edits.append(Edit(below, below, "".join(line + "\n" for line in lines[1:])))

    def insert(self, node: Node, column: int, lines: list[str]) -> None:
        place = self.lines_end(node, column)
        self.edits.append(Edit(place, place, "\n".join(lines) + "\n"))

    def remove(self, start: int, node: Node, column: int, *, first: bool) -> None:
        """Remove lines, and the comment above them unless it heads the whole list."""
        while not first and start:
            above = self.line_start(start - 1)
            line = self.text[above : start - 1]
            if not _COMMENT.match(line) or line.index("#") > column:
                break
            start = above
        self.edits.append(Edit(start, self.lines_end(node, column), ""))

    def spliceable(self, node: Node, kind: str) -> bool:
        """Whether a node is a block container without explicit keys (``? key``)."""
        if node.kind != kind or not node.block:
            return False
        return not any(
            self.text[self.line_start(key.start) : key.start].rstrip().endswith("?") for key, _ in node.pairs
        )

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def dash_line(self, item: Node, column: int) -> int:
        """Where the line with the item's dash starts; the item itself may stand on a later one."""
        start = self.line_start(item.start)
        dash = " " * column + "-"
        while start and not self.text.startswith(dash, start):
            start = self.line_start(start - 1)
        return start

    def lines_end(self, node: Node, column: int) -> int:
        """Behind the last line of a node and the comments below it that are indented into it."""
        end = self.text.index("\n", self.content_end(node)) + 1
        while (match := _COMMENT.match(self.text, end)) and match.end() - 1 - end > column:
            end = self.text.index("\n", end) + 1
        return end

    def content_end(self, node: Node) -> int:
        """Behind the last character of a node that is content."""
        if node.kind == "scalar":
            return self.block_end(node) if node.block else node.end
        last = node.items[-1] if node.items else node.pairs[-1][1] if node.pairs else None
        return self.content_end(last) if last and node.block else node.end

    def block_end(self, node: Node) -> int:
        """Behind a block scalar: its lines are blank or indented like the first."""
        end = position = self.text.index("\n", node.start)
        indent = 0
        while position + 1 < len(self.text):
            following = self.text.find("\n", position + 1)
            line = self.text[position + 1 : following]
            if line.strip():
                depth = len(line) - len(line.lstrip(" "))
                indent = indent or depth
                if depth < indent or not depth:
                    break
                end = following
            position = following
        return end


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
