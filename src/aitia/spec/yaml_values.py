"""Typed values out of nodes, or an error that names the line, what was found and what is expected."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NoReturn

from aitia.spec.keys import parse_key
from aitia.spec.yaml_nodes import Node, fail

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class NodeReader:
    """Reads the nodes of one file; ``name`` is what errors call it."""

    name: str

    def fail(self, node: Node, message: str) -> NoReturn:
        """Raise the one-line error of a node."""
        fail(self.name, node.line, message)

    def fields(
        self, node: Node, what: str, known: Collection[str], needed: Sequence[str] = ()
    ) -> dict[str, Node]:
        """The values of a mapping by key; empty ones are left out."""
        if node.kind != "mapping":
            self.fail(node, f"found {shown(node)}, expected {what} with the keys {', '.join(known)}")
        for word, _ in node.pairs:
            if word.text not in known:
                expected = ", ".join(known)
                self.fail(word, f"found the key {clip(word.text)} in {what}, expected one of {expected}")
        found = {word.text: value for word, value in node.pairs if not value.empty}
        for key in needed:
            if key not in found:
                self.fail(node, f"found no {key} in {what}, expected one")
        return found

    def items(self, node: Node | None, what: str) -> list[Node]:
        """The items of a list; none where nothing stands."""
        if node is None or node.empty:
            return []
        if node.kind != "sequence":
            self.fail(node, f"found {shown(node)}, expected a list of {what}")
        return node.items

    def text(self, node: Node | None, what: str) -> str:
        """A text; empty where nothing stands."""
        if node is None:
            return ""
        if node.kind != "scalar":
            self.fail(node, f"found {shown(node)}, expected {what}")
        return "" if node.empty else node.text

    def name_of(self, node: Node, what: str) -> str:
        """A text that may not be blank."""
        text = self.text(node, what)
        if not text.strip():
            self.fail(node, f"found nothing, expected {what}")
        return text

    def choice(self, node: Node | None, what: str, choices: Sequence[str], default: str) -> str:
        """One of a few words."""
        if node is None:
            return default
        text = self.text(node, what)
        if text not in choices:
            self.fail(node, f"found the {what} {clip(text)}, expected one of {', '.join(choices)}")
        return text

    def share(self, node: Node | None, what: str, default: float) -> float:
        """A number from 0 to 1."""
        if node is None:
            return default
        text = self.text(node, what)
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1:
            self.fail(node, f"found the {what} {clip(text)}, expected a number from 0 to 1")
        return number

    def key(self, node: Node, what: str) -> tuple[str, tuple[str, ...]]:
        """A key ``Name(part, ...)`` taken apart."""
        try:
            return parse_key(self.name_of(node, what))
        except ValueError as error:
            self.fail(node, f"{clip(str(error))}, expected {what} such as Name(part, part)")


def clip(text: str) -> str:
    """A text short enough for an error, on one line."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\u2026")


def shown(node: Node) -> str:
    """A node as an error names it."""
    if node.empty:
        return "nothing"
    return clip(node.text) if node.kind == "scalar" else f"a {node.kind}"
