"""Prompts as files: a system part that never changes, and a template of the part that does.

The two are separated by a line ``=== user ===``. The system part is sent as it is, so that providers can
cache it; the user part is a `string.Template` (``$name``; ``$$`` is a dollar sign).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

from aitia.corpus.fold import fold_text
from aitia.errors import UsageError

SEPARATOR = "=== user ==="
_SEPARATOR_LINE = re.compile(rf"^{SEPARATOR}[ \t]*$", re.MULTILINE)
_EXAMPLE_REPLY = re.compile(r"^## Example reply\s*```json\s*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LABEL = re.compile(r"\W*[a-z]?\d*\W*", re.IGNORECASE)
_IDENTITIES: tuple[tuple[str, ...], ...] = (
    ("name",),
    ("quote",),
    ("source", "target"),
    ("question",),
    ("fact",),
    ("summary",),
    ("reason",),
)
"""What tells that two items are the same: any one of these, equal in all its fields."""


@dataclass(frozen=True)
class Prompt:
    """One prompt: what it is called, the fixed system part, and the template of the user part."""

    name: str
    system: str
    user: str

    def render(self, **fields: str) -> str:
        """The user part with its placeholders filled; the fields must be those that it names."""
        if set(fields) != self.placeholders:
            different = ", ".join(sorted(set(fields) ^ self.placeholders))
            raise ValueError(f"prompt {self.name}: fields and placeholders differ in {different}")
        return Template(self.user).substitute(fields)

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the user part's placeholders."""
        return frozenset(Template(self.user).get_identifiers())

    def repeated(self, item: Any) -> tuple[str, ...]:
        """The item's words that are the example's, folded; empty for an item of its own.

        Labels (``P1``, ``Q3``, ``S2``, ``12``) are everybody's and repeat nothing.
        """
        if not isinstance(item, Mapping):
            return ()
        return next((words for words in _identities(item) if words in self._example), ())

    @cached_property
    def _example(self) -> frozenset[tuple[str, ...]]:
        reply = example_reply(self.system)
        return frozenset(words for item in _items(reply) for words in _identities(item))


def example_reply(system: str) -> dict[str, Any]:
    """The reply of a system part's worked example; empty where it has none.

    Raises ValueError where it is no JSON object.
    """
    block = _EXAMPLE_REPLY.search(system)
    reply = json.loads(block.group(1)) if block else {}
    if not isinstance(reply, dict):
        raise ValueError("not an object")
    return reply


def load_prompts(folder: Path | None = None) -> dict[str, Prompt]:
    """The prompts by name: the packaged ones, each replaced by the file of its name in ``folder``.

    Raises UsageError for a file whose name is no prompt's, that has no ``=== user ===`` line, or whose
    placeholders are not those of the packaged prompt.
    """
    prompts = {name: _parse(name, text, f"prompt {name}.md") for name, text in _packaged()}
    if folder is None:
        return prompts
    if not folder.is_dir():
        raise UsageError(
            f"prompt folder {str(folder)!r} is no folder; expected one with files such as metrics.md"
        )
    for path in sorted(folder.glob("*.md")):
        if path.stem not in prompts:
            raise UsageError(f"prompt file {path}: no prompt is called so; expected {_listed(prompts)}")
        prompts[path.stem] = _replacement(path, prompts[path.stem])
    return prompts


def _folder() -> Traversable:
    return files("aitia.analyst.llm").joinpath("prompts")


def _packaged() -> Iterator[tuple[str, str]]:
    for file in sorted(_folder().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            yield file.name.removesuffix(".md"), file.read_text("utf-8")


def _replacement(path: Path, packaged: Prompt) -> Prompt:
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise UsageError(
            f"prompt file {path} cannot be read ({reason}); expected a UTF-8 text file"
        ) from error
    prompt = _parse(packaged.name, text, f"prompt file {path}")
    unknown, missing = (
        prompt.placeholders - packaged.placeholders,
        packaged.placeholders - prompt.placeholders,
    )
    if unknown:
        raise UsageError(
            f"prompt file {path}: placeholder {_listed(unknown)} is unknown; expected "
            f"{_listed(packaged.placeholders)}. Write $$ for a dollar sign"
        )
    if missing:
        raise UsageError(
            f"prompt file {path}: placeholder {_listed(missing)} is missing in the user part; add it"
        )
    return prompt


def _parse(name: str, text: str, source: str) -> Prompt:
    parts = _SEPARATOR_LINE.split(text, maxsplit=1)
    if len(parts) < 2 or not parts[0].strip():
        raise UsageError(
            f"{source}: no system part before a line '{SEPARATOR}'; expected the system part, that line, "
            "then the user part"
        )
    prompt = Prompt(name, parts[0].strip(), parts[1].strip())
    if not Template(prompt.user).is_valid():
        raise UsageError(f"{source}: a $ in the user part begins no placeholder; write $$ for a dollar sign")
    try:
        example_reply(prompt.system)
    except ValueError as error:
        reason = str(error).partition("\n")[0]
        raise UsageError(f"{source}: its example reply is no JSON object ({reason}); mend it") from error
    return prompt


def _items(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in the lists of an object, and those in their lists."""
    for part in value.values():
        for item in part if isinstance(part, list) else ():
            if isinstance(item, Mapping):
                yield item
                yield from _items(item)


def _identities(item: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for fields in (*_IDENTITIES, _whole(item)):
        values = [item.get(field) for field in fields]
        words = tuple(fold_text(value).text.strip() for value in values if isinstance(value, str))
        if words and len(words) == len(values) and not any(_LABEL.fullmatch(word) for word in words):
            yield words


def _whole(item: Mapping[str, Any]) -> tuple[str, ...]:
    """A claim about a bare metric (an outcome) is the metric; a variable's metric says too little."""
    return ("metric",) if "entities" not in item else ()


def _listed(names: Iterator[str] | frozenset[str] | dict[str, Prompt]) -> str:
    return ", ".join(sorted(names))
