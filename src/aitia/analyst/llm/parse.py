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

from aitia.analyst.llm.brackets import MAX_DEPTH, Brackets, find_brackets
from aitia.analyst.llm.mend import Faulty, Mender
from aitia.analyst.llm.shape import Lists, echoes_schema, list_fields, own_object, wanted_object

MAX_REGIONS = 100
"""Bracketed parts of a reply that are looked at, from the last: the answer is not far from the end."""

CUT_OFF, ECHO, EMPTY = "was cut off", "repeated the schema", "was empty"
NO_JSON, UNMENDED = "held no JSON", "held faulty JSON that cannot be mended"
OTHER_SHAPE, TOO_DEEP = "held other JSON than asked for", "nested its brackets too deeply"

_THOUGHT_START = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)
_KEY = re.compile(r"""\b(\w++)["']?+\s*+:""")
_BEGUN = re.compile(r"""[\[{\s]*+["']?\w*["']?\s*""")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


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
    number of 19 digits) comes as a string. Items that cannot be mended come as `Faulty`. Takes time in
    proportion to the text; mending takes more, and is limited.
    """
    text = text[_thoughts_end(text) :]
    if not text.strip():
        return Unusable(CUT_OFF if cut_off else EMPTY)
    if cut_off and _THOUGHT_START.match(text):
        return Unusable(CUT_OFF)
    brackets = find_brackets(text)
    if brackets.depth > MAX_DEPTH:
        return Unusable(TOO_DEEP)
    values = list(_values(text, brackets))
    lists = _wanted(values, text, brackets.unclosed, model)
    if lists and not _all_faulty(lists):
        return Parsed(lists)
    broken = cut_off or (brackets.unclosed is not None and not lists)
    return Unusable(CUT_OFF if broken else _fault([value for _, value in values], bool(lists)))


def compact_json(value: Any) -> str:
    """JSON on one line without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _wanted(
    values: list[tuple[int, Any]], text: str, unclosed: int | None, model: type[BaseModel]
) -> Lists | None:
    """The best of what stands in the brackets: by the reply's own names first, then the last, not empty.

    Brackets that never close are prose, unless they begin what is looked for: that is a reply cut off.
    """
    fields = list_fields(model)
    names = set(fields)
    own = [own_object(value, model) for start, value in values if not _cut(text, unclosed, names, start)]
    if found := next(filter(None, own), None):
        return found
    names |= {name for item in fields.values() for name in item.model_fields}
    # Inside a bracket that never closes, an item of the cut-off list looks like an answer.
    whole = [value for start, value in values if unclosed is None or start < unclosed]
    others = [wanted_object(value, model) for value in whole if not _cut(text, unclosed, names, 0)]
    some = [lists for lists in others if lists]
    return next((lists for lists in some if any(lists.values())), some[0] if some else None)


def _cut(text: str, unclosed: int | None, names: set[str], start: int) -> bool:
    """Whether after what begins at ``start`` a reply with one of the names begins, and is cut off."""
    if unclosed is None or start >= unclosed:
        return False
    return bool(_BEGUN.fullmatch(text, unclosed)) or not names.isdisjoint(_KEY.findall(text, unclosed))


def _all_faulty(lists: Lists) -> bool:
    items = [item for items in lists.values() for item in items]
    return bool(items) and all(isinstance(item, Faulty) for item in items)


def _fault(values: list[Any], found: bool) -> str:
    if any(echoes_schema(value) for value in values):
        return ECHO
    if found or any(isinstance(value, Faulty) for value in values):
        return UNMENDED
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
    mender = Mender()
    for start, end in reversed(brackets.regions[-MAX_REGIONS:]):
        yield start, _clean(mender.read(text[start:end]))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return type(value)(_SURROGATE.sub("\ufffd", _CONTROL.sub(_space, value)))
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def _space(control: re.Match[str]) -> str:
    return " " if control.group().isspace() else ""
