"""Whether what stands in a file already says what is to be written, in whatever form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aitia.spec.keys import format_key, parse_key
from aitia.spec.yaml_emit import Plain
from aitia.spec.yaml_nodes import Node

_KEY_PATHS = ("metrics.name", "variables", "relations.source", "relations.target")
_DEFAULTS: Mapping[str, Plain] = {
    "metrics.attributes.graph_role": "intermediate",
    "metrics.attributes.kind": "extensible",
    "relations.confidence": 1.0,
    "relations.polarity": "unclear",
}
_NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "dimensions": ("name",),
    "relations": ("source", "target"),
    "relations.quotes": ("text", "chunk"),
}


def is_default(path: str, value: Plain) -> bool:
    """Whether a missing key says the same."""
    if isinstance(value, Mapping):
        return all(is_default(f"{path}.{key}", inner) for key, inner in value.items())
    return value == _DEFAULTS.get(path, "" if isinstance(value, str) else [])


def identity(path: str, item: Plain) -> str:
    """What makes an item of a list the same item, although its other fields may differ."""
    if isinstance(item, str):
        return _canonical(path, item)
    assert isinstance(item, Mapping)
    if path == "metrics":
        return parse_key(str(item["name"]))[0]
    parts = [_canonical(f"{path}.{field}", str(item[field])) for field in _NAMED_BY[path]]
    return format_key("", parts)


def plain_of(node: Node) -> Plain:
    """A node's value, scalars as text."""
    if node.kind == "scalar":
        return "" if node.empty else node.text
    if node.kind == "sequence":
        return [plain_of(item) for item in node.items]
    return {key.text: plain_of(value) for key, value in node.pairs}


def same(path: str, node: Node, value: Plain) -> bool:
    """Whether a node says what a value says."""
    if node.empty:
        return is_default(path, value)
    if isinstance(value, Mapping):
        return node.kind == "mapping" and _same_mapping(path, node, value)
    if isinstance(value, str | float):
        return node.kind == "scalar" and _same_scalar(path, node.text, value)
    return node.kind == "sequence" and _same_sequence(path, node, value)


def _same_mapping(path: str, node: Node, value: Mapping[str, Plain]) -> bool:
    found = {key.text: inner for key, inner in node.pairs}
    return found.keys() <= value.keys() and all(
        same(f"{path}.{key}", found[key], inner) if key in found else is_default(f"{path}.{key}", inner)
        for key, inner in value.items()
    )


def _same_sequence(path: str, node: Node, value: Sequence[Plain]) -> bool:
    wanted = {identity(path, item): item for item in value}
    found = {identity(path, plain_of(item)): item for item in node.items}
    return found.keys() == wanted.keys() and all(same(path, found[key], wanted[key]) for key in found)


def _same_scalar(path: str, text: str, value: str | float) -> bool:
    if isinstance(value, float):
        return float(text) == value
    return _canonical(path, text) == _canonical(path, value)


def _canonical(path: str, text: str) -> str:
    return format_key(*parse_key(text)) if path in _KEY_PATHS else text
