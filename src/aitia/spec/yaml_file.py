"""``graph_spec.yaml`` and ``outcomes.yaml``: reading, writing, and keeping what a person wrote.

What is written is all of S: dimensions, metrics, variables and seed relations. The edges of the graph,
a multiple of that, are not part of it and stay in ``index.db``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aitia.errors import SpecError
from aitia.spec.model import DomainSpec, OutcomeConfig
from aitia.spec.roles import canonical
from aitia.spec.yaml_check import check_outcomes, check_spec
from aitia.spec.yaml_emit import Plain, emit_pair
from aitia.spec.yaml_layout import OUTCOMES_HEADER, SPEC_HEADER, outcomes_layout, spec_layout
from aitia.spec.yaml_nodes import parse_nodes, read_text
from aitia.spec.yaml_splice import Renamed, splice


def read_spec(path: Path) -> DomainSpec:
    """The specification of a file, in canonical order whatever the order in the file.

    Raises:
        SpecError: unreadable or against a rule; one line that begins with ``file:line``.

    """
    return parse_spec(read_text(path), path.name)


def parse_spec(text: str, name: str = "graph_spec.yaml") -> DomainSpec:
    """The specification of a text; ``name`` is what errors call it."""
    return canonical(check_spec(parse_nodes(text, name), name))


def format_spec(
    spec: DomainSpec,
    existing: str | None = None,
    name: str = "graph_spec.yaml",
    renamed: Callable[[DomainSpec], Renamed] = lambda old: {},
) -> str:
    """The text of a specification: the same for the same specification and existing text.

    Of an existing text everything that still holds stays as it is, with its place and comments; new
    items follow in canonical order, and what is gone goes. ``renamed`` says of the specification in the text
    which of its items are there under another name: they keep their place too.

    Raises:
        SpecError: the existing text cannot be read, so it must not be replaced.

    """
    spec = canonical(spec)
    fresh = _format(SPEC_HEADER, spec_layout(spec))
    if existing is None or not existing.strip():
        return fresh
    lines = existing.replace("\r\n", "\n")
    root = parse_nodes(lines, name)
    old = canonical(check_spec(root, name))
    if old == spec:
        return existing
    if lines == _format(SPEC_HEADER, spec_layout(old)):
        return fresh  # nobody has edited it
    text = splice(lines, root, spec_layout(spec), renamed(old))
    if not _says(text, spec):
        text = fresh  # rather without comments than wrong
    return text.replace("\n", "\r\n") if "\r\n" in existing else text


def write_spec(path: Path, spec: DomainSpec) -> str:
    """Write a specification over what the file holds, as `format_spec` says; the text written."""
    text = format_spec(spec, read_text(path) if path.exists() else None, path.name)
    _replace(path, text)
    return text


def read_outcomes(path: Path) -> OutcomeConfig:
    """The roles of an outcome file. Names are not checked here: assembly reports the unknown ones.

    Raises:
        SpecError: unreadable or of another form; one line that begins with ``file:line``.

    """
    return check_outcomes(parse_nodes(read_text(path), path.name), path.name)


def format_outcomes(outcomes: OutcomeConfig, existing: str | None = None, name: str = "outcomes.yaml") -> str:
    """The text of an outcome file; of an existing text comments and order are kept."""
    layout = outcomes_layout(outcomes)
    lines = (existing or "").replace("\r\n", "\n")
    root = parse_nodes(lines, name)
    check_outcomes(root, name)
    if root.empty:
        return _format(OUTCOMES_HEADER, layout)
    text = splice(lines, root, layout)
    return text.replace("\n", "\r\n") if "\r\n" in (existing or "") else text


def write_outcomes(path: Path, outcomes: OutcomeConfig) -> str:
    """Write roles over what the file holds; the text written."""
    text = format_outcomes(outcomes, read_text(path) if path.exists() else None, path.name)
    _replace(path, text)
    return text


def _says(text: str, spec: DomainSpec) -> bool:
    try:
        return parse_spec(text) == spec
    except SpecError:
        return False


def _format(header: str, layout: dict[str, Plain]) -> str:
    lines = [header]
    for key, value in layout.items():
        lines += ["", *emit_pair(key, value, 0)]
    return "\n".join(lines) + "\n"


def _replace(path: Path, text: str) -> None:
    """Write beside and rename, so that a reader finds the old text or the new one."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8", newline="")
    beside.replace(path)
