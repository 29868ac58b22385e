"""From the text of a reply to the JSON that was asked for, or to the reason why it is not there.

Models wrap JSON in fences, prose and thoughts, leave a comma too many, forget the outer object. All that
is read. A reply that ends inside its brackets or strings is not: closing them would pass half a reply off
as the whole.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from aitia.analyst.llm.brackets import Brackets, find_brackets
from aitia.analyst.llm.shape import Lists, echoes_schema, own_object, wanted_object

MAX_REPAIR_CHARACTERS = 200_000
"""Mending is slower than reading: of a faulty reply no more than this is mended."""
MAX_REPAIR_QUOTES = 1_000
"""Nor what has more quotation marks and parentheses between two brackets: strays cost quadratic time."""
MAX_REGIONS = 100
"""Bracketed parts of a reply that are looked at, from the last: the answer is not far from the end."""

CUT_OFF, ECHO, EMPTY = "was cut off", "repeated the schema", "was empty"
NO_JSON, LONG = "held no JSON", "held faulty JSON, too long to be mended"
OTHER_SHAPE, TOO_DEEP = "held other JSON than asked for", "nested its brackets too deeply"

_THOUGHT_START = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"(?:\]\s*\}|\}\s*\])\s*(?:`{3,}\s*)?\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BRACKET = re.compile(r"[\[\]{}]")
_MAX_DIGITS = 18
_UNMENDED = object()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The object that was asked for: each list field of the model with its items, unchecked."""

    value: Lists


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a reply cannot be read, as what the reply did: "was cut off"."""

    reason: str


def parse_reply(text: str, model: type[BaseModel], cut_off: bool = False) -> Parsed | Unusable:
    """The last object in a reply that has the model's list fields; else its last list of their items.

    ``cut_off`` says that the server stopped the reply for its length: what it had begun is not read.
    Strings come without control characters and lone surrogates, and what no float holds (NaN, Infinity, a
    number of 19 digits) comes as a string. Takes time in proportion to the text; mending takes more, and is limited.
    """
    text = text[_thoughts_end(text) :]
    if not text.strip():
        return Unusable(CUT_OFF if cut_off else EMPTY)
    if cut_off and _THOUGHT_START.match(text):
        return Unusable(CUT_OFF)
    brackets = find_brackets(text)
    if brackets.too_deep:
        return Unusable(TOO_DEEP)
    values = list(_values(text, brackets))
    usable = [value for start, value in values if brackets.unclosed is None or start >= brackets.unclosed]
    # Inside a bracket that never closes, an item of the cut-off list looks like an answer.
    whole = [value for start, value in values if brackets.unclosed in (None, start)]
    found = [own_object(value, model) for value in usable] + [wanted_object(value, model) for value in whole]
    lists = next((lists for lists in found if lists), None)
    return Parsed(lists) if lists else Unusable(_fault([value for _, value in values], brackets, cut_off))


def compact_json(value: Any) -> str:
    """JSON on one line without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _fault(values: list[Any], brackets: Brackets, cut_off: bool) -> str:
    if cut_off or brackets.unclosed is not None:
        return CUT_OFF
    if any(echoes_schema(value) for value in values):
        return ECHO
    if _UNMENDED in values:
        return LONG
    return OTHER_SHAPE if any(isinstance(value, dict) and value for value in values) else NO_JSON


def _thoughts_end(text: str) -> int:
    """Where the reply begins: after the last closing tag of thoughts that is not in a string of its JSON."""
    start = 0
    for tag in _THOUGHT_END.finditer(text):
        before = text[start : tag.start()]
        if not _THOUGHT_START.match(before) and find_brackets(before).in_string:
            break
        start = tag.end()
    return start


def _values(text: str, brackets: Brackets) -> Iterator[tuple[int, Any]]:
    """What stands in the outermost brackets, last first, with its start."""
    regions = list(brackets.regions[-MAX_REGIONS:])
    if brackets.unclosed is not None and brackets.in_string and _CLOSED.search(text):
        # One stray quotation mark turned the rest inside out: it is whole, and can be mended.
        regions.append((brackets.unclosed, len(text)))
    budget = MAX_REPAIR_CHARACTERS
    for start, end in reversed(regions):
        part = text[start:end]
        try:
            yield start, _clean(_load(part))
        except ValueError:
            budget -= len(part)
            yield start, _clean(_mended(part)) if budget >= 0 and _mendable(part) else _UNMENDED


def _load(text: str) -> Any:
    decoder = json.JSONDecoder(
        strict=False, parse_constant=str, parse_int=_integer, object_pairs_hook=_joined
    )
    return decoder.decode(text)


def _mendable(text: str) -> bool:
    return all(sum(map(part.count, "\"'(")) <= MAX_REPAIR_QUOTES for part in _BRACKET.split(text))


def _mended(text: str) -> Any:
    from json_repair import loads

    try:
        return loads(text, skip_json_loads=True)
    except (RecursionError, ValueError):
        return None


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


def _joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; lists that share one key are one list, of anything else the last counts."""
    value: dict[str, Any] = {}
    for key, part in pairs:
        earlier = value.get(key)
        value[key] = [*earlier, *part] if isinstance(earlier, list) and isinstance(part, list) else part
    return value


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", _CONTROL.sub(_space, value))
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def _space(control: re.Match[str]) -> str:
    return " " if control.group().isspace() else ""
