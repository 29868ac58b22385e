"""``curation.yaml``: the decisions in their order. It is only ever appended to; comments stay where they are."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from aitia.corpus.document import content_hash
from aitia.errors import SpecError
from aitia.spec.decisions import ACTIONS, Action, Decision, Kind
from aitia.spec.yaml_emit import Plain, emit_item
from aitia.spec.yaml_nodes import Node, parse_nodes, read_text
from aitia.spec.yaml_same import plain_of
from aitia.spec.yaml_values import NodeReader, clip

FILE = "curation.yaml"
HEADER = """\
# What people decided about this index, in order: the only record of it. Every build, update and `aitia apply`
# replays it over what the machine made. Append only; `undo` with an id as its target takes a decision back.
"""
FIELDS = ("id", "action", "kind", "target", "value", "author", "time", "reason")

_KEPT = 8
_parsed: dict[str, tuple[Decision, ...]] = {}
"""Parses by content, because a file of thousands of decisions takes seconds to read."""


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions of a file; none if there is no file.

    Raises:
        SpecError: unreadable or of another form; one line that begins with ``file:line``.

    """
    return parse_decisions(read_text(path), path.name) if path.exists() else ()


def parse_decisions(text: str, name: str = FILE) -> tuple[Decision, ...]:
    """The decisions of a text; ``name`` is what errors call it."""
    key = content_hash(name, text)
    if key not in _parsed:
        read = NodeReader(name)
        root = parse_nodes(text, name)
        _keep(key, tuple(_decision(read, node) for node in read.items(root, "decisions")))
    return _parsed[key]


def append_text(text: str, decisions: Sequence[Decision], name: str = FILE) -> str:
    """The text with decisions after those it has; what stands in it stays to the letter.

    Raises:
        SpecError: the text cannot be read, or nothing can be appended to the form it has.

    """
    known = parse_decisions(text, name)
    column = 0
    if known:
        root = parse_nodes(text, name)
        if not root.block:
            raise SpecError(
                f"{name}:{root.line}: found a list in brackets, expected one with a dash a decision"
            )
        column = root.column
    added = "".join(f"{line}\n" for each in decisions for line in emit_item(_layout(each), column))
    if parse_decisions(added, name) != tuple(decisions):
        raise SpecError(f"{name}: a decision cannot be written: {clip(decisions[0].target)}")
    head = text if known or text.strip() else HEADER
    if not known and text.strip() and not parse_nodes(text, name).empty:
        raise SpecError(
            f"{name}:1: found an empty list in brackets, expected nothing or decisions; remove it"
        )
    whole = f"{head}{'' if head.endswith(chr(10)) else chr(10)}{added}"
    _keep(content_hash(name, whole), (*known, *decisions))
    return whole


def append_decisions(path: Path, decisions: Sequence[Decision]) -> None:
    """Append to a file: all of them are on the disk when this returns, or none.

    Raises:
        SpecError: as `append_text`, or the file cannot be written.

    """
    if not decisions:
        return
    text = append_text(read_text(path) if path.exists() else "", decisions, path.name)
    beside = path.with_name(f"{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise SpecError(f"{path}: cannot be written ({error.strerror or error})") from None


def _keep(key: str, decisions: tuple[Decision, ...]) -> None:
    while len(_parsed) >= _KEPT:
        del _parsed[next(iter(_parsed))]
    _parsed[key] = decisions


def _layout(decision: Decision) -> Mapping[str, Plain]:
    fields = {"id": decision.id, **decision.model_dump()}
    return {name: fields[name] for name in FIELDS if fields[name] not in ("", {})}


def _decision(read: NodeReader, node: Node) -> Decision:
    found = read.fields(node, "a decision", FIELDS, ("action", "kind", "target"))
    kind = cast("Kind", read.choice(found["kind"], "kind", tuple(ACTIONS), ""))
    action = cast("Action", read.choice(found["action"], f"action on a {kind}", ACTIONS[kind], ""))
    decision = Decision(
        action=action,
        kind=kind,
        target=read.name_of(found["target"], "a target"),
        value=_value(read, found["value"]) if "value" in found else {},
        author=read.text(found.get("author"), "an author"),
        time=read.text(found.get("time"), "a time"),
        reason=read.text(found.get("reason"), "a reason"),
    )
    if "id" in found and read.text(found["id"], "an id") != decision.id:
        told = f"found the id {clip(found['id'].text)} of a decision that was changed (it would be {decision.id})"
        read.fail(found["id"], f"{told}; expected it as it was made: undo it and add another")
    return decision


def _value(read: NodeReader, node: Node) -> dict[str, Any]:
    if node.kind != "mapping":
        read.fail(node, "expected the value as 'field: value' lines")
    value: dict[str, Any] = {key.text: plain_of(inner) for key, inner in node.pairs}
    for key, inner in node.pairs:
        of_edge = key.text == "to" and value.get("field") == "confidence"
        if key.text == "confidence" or of_edge:
            value[key.text] = read.share(inner, "confidence", 1.0)
    return value
