"""Keys: the one written form of a metric with its dimensions, or of a variable with its entities.

``Name(part, part)``. A name or part that would blur the form (a comma, a parenthesis, a quotation
mark, outer white space, a control character, or nothing at all) is written as a JSON string, so
``parse_key`` gives back exactly what ``format_key`` was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_NEEDS_QUOTES = re.compile(r'[,()"\\\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$|^$')
_PLAIN_KEY = re.compile(r'([^"(),]+)\(([^"()]*)\)')
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[(),]|[^"(),]+|"', re.DOTALL)


def format_key(name: str, parts: Sequence[str]) -> str:
    """The key of a name and its parts, ``StagingClassification(melanoma, stage III)``."""
    return f"{_written(name)}({', '.join(map(_written, parts))})"


def parse_key(key: str) -> tuple[str, tuple[str, ...]]:
    """The name and parts of a key; a bare name has no parts.

    Beyond what `format_key` writes, a part may hold balanced parentheses without quotes, because
    people and models write ``Dose(methotrexate (oral), weekly)``.

    Raises:
        ValueError: the parentheses do not balance, the name is missing, or text follows the last one.

    """
    plain = _PLAIN_KEY.fullmatch(key.strip())
    if plain:
        name, inside = plain.groups()
        return name.strip(), tuple(part.strip() for part in inside.split(",")) if inside.strip() else ()
    name, parts = _scan(key.strip())
    if not name:
        raise ValueError(f"no name before the parenthesis in {key!r}")
    return name, parts


def _written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if _NEEDS_QUOTES.search(text) else text


def _scan(key: str) -> tuple[str, tuple[str, ...]]:
    """Split at the commas of depth one; quoted strings are opaque."""
    parts: list[str] = [""]
    depth = 0
    closed = False
    for piece in _PIECE.findall(key):
        if closed:
            raise ValueError(f"text after the closing parenthesis in {key!r}")
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
        if depth < 0:
            raise ValueError(f"a closing parenthesis too many in {key!r}")
        if (piece == "(" and depth == 1) or (piece == "," and depth == 1):
            parts.append("")
        elif piece == ")" and depth == 0:
            closed = True
        else:
            parts[-1] += piece
    if depth:
        raise ValueError(f"a parenthesis is not closed in {key!r}")
    if len(parts) == 2 and not parts[1].strip():
        return _read(parts[0]), ()
    return _read(parts[0]), tuple(_read(part) for part in parts[1:])


def _read(raw: str) -> str:
    text = raw.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    return text
