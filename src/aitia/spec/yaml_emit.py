"""Plain values as YAML text that is pleasant to read: block style, wrapped prose, quotes where needed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Plain: TypeAlias = "str | float | Sequence[Plain] | Mapping[str, Plain]"

WIDTH = 100
_LONGEST_SIMPLE_KEY = 1_000
_WORDS = re.compile(r"\S+(?: \S+)*")
_READ_AS_OTHER = frozenset(
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"]
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def emit_pair(key: str, value: Plain, indent: int) -> list[str]:
    """The lines of ``key: value`` at a column."""
    pad = " " * indent
    head = emit_scalar(key)
    if len(head) > _LONGEST_SIMPLE_KEY:
        first, *rest = emit_value(value, indent)
        return [f"{pad}? {head}", f"{pad}:{first}", *rest]
    first, *rest = emit_value(value, indent)
    return [f"{pad}{head}:{first}", *rest]


def emit_item(value: Plain, indent: int) -> list[str]:
    """The lines of an item ``- value`` whose dash stands at a column."""
    pad = " " * indent
    if isinstance(value, Mapping):
        lines = _emit_pairs(value, indent + 2)
        return [f"{pad}- {lines[0][indent + 2 :]}", *lines[1:]]
    first, *rest = emit_value(value, indent)
    return [f"{pad}-{first}", *rest]


def emit_value(value: Plain, indent: int) -> list[str]:
    """What follows the colon of a key at a column: a first line that begins with a space or is empty."""
    if isinstance(value, float):
        return [f" {value!r}"]
    if isinstance(value, str):
        return _emit_text(value, indent)
    if not value:
        return [" {}" if isinstance(value, Mapping) else " []"]
    if isinstance(value, Mapping):
        return ["", *_emit_pairs(value, indent + 2)]
    return ["", *(line for item in value for line in emit_item(item, indent))]


def emit_scalar(text: str) -> str:
    """One line: plain where no YAML reader takes it for anything else, else in double quotes."""
    if _is_plain(text):
        return text
    return f'"{"".join(map(_escaped, text))}"'


def _emit_pairs(value: Mapping[str, Plain], indent: int) -> list[str]:
    """The pairs of a nested mapping, without those that say "nothing"."""
    said = (key for key in value if value[key] not in ([], {}))
    return [line for key in said for line in emit_pair(key, value[key], indent)]


def _emit_text(text: str, indent: int) -> list[str]:
    if len(text) <= WIDTH - indent - 20 or not text.isprintable() or not _WORDS.fullmatch(text):
        return [f" {emit_scalar(text)}"]
    pad = " " * (indent + 2)
    lines = textwrap.wrap(text, max(WIDTH - len(pad), 40), break_long_words=False, break_on_hyphens=False)
    return [" >-", *(pad + line for line in lines)]


def _is_plain(text: str) -> bool:
    return (
        text[:1].isalpha()
        and text.isprintable()
        and text[-1] not in ": "
        and ": " not in text
        and " #" not in text
        and text.lower() not in _READ_AS_OTHER
    )


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
