"""A good reply made into one with a fault of content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

Item = dict[str, Any]

MADE_UP = "It is known to everyone that this is so, whatever the text may say."
_NAMES = ("name", "metric", "source", "target")
_LABELS = {"passage": "P99", "pair": 9_999, "members": [9_998, 9_999]}
_EVERY = 3
"""Of the items of a reply every third has the fault, from the first on."""


def spoil(fault: str, text: str) -> tuple[str, str] | None:
    """The reply with a fault of `aitia.testing.llm_faults.CONTENT`, and how it is said to have ended.

    None where a reply that is no JSON object cannot have the fault.
    """
    if fault in ("cut_json", "cut_off"):
        return text[: len(text) // 2], "length" if fault == "cut_off" else "stop"
    if fault == "think":
        return f'<think>\nThe reply may begin with {{"edges": [\n</think>\n\n{text}', "stop"
    if fault == "lone_surrogate":
        place = _in_a_string(text)
        return f"{text[:place]}\ud800{text[place:]}", "stop"
    try:
        reply = json.loads(text)
    except ValueError:
        return None
    return (_SHAPES[fault](reply), "stop") if fault in _SHAPES else (_changed(_ITEMS[fault], reply), "stop")


def _in_a_string(text: str) -> int:
    """The start of a string behind the middle of a JSON text; the middle of another text."""
    start = text.find('": "', len(text) // 2)
    return start + 4 if start >= 0 else len(text) // 2


def _fenced(reply: Item) -> str:
    return f"Here is the JSON:\n\n```json\n{json.dumps(reply, indent=1)}\n```\nLet me know if I can help further."


def _bare(reply: Item) -> str:
    """A list, where there is only one; else the object in a list."""
    lists = list(reply.values())
    return json.dumps(lists[0] if len(lists) == 1 else [reply])


def _schema(reply: Item) -> str:
    properties = {name: {"type": "array", "items": {"type": "object"}} for name in reply}
    return json.dumps({"type": "object", "properties": properties, "required": list(reply)})


_SHAPES: dict[str, Callable[[Item], str]] = {
    "fences": _fenced,
    "bare_list": _bare,
    "wrapped": lambda reply: json.dumps({"response": reply}),
    "schema_echo": _schema,
}


def _changed(change: Callable[[Item], None], reply: Item) -> str:
    for item in _items(reply):
        change(item)
    return json.dumps(reply)


def _items(reply: Item) -> Iterator[Item]:
    for values in reply.values():
        if isinstance(values, list):
            yield from (item for item in values[::_EVERY] if isinstance(item, dict))


def _mistype(item: Item) -> None:
    """Numbers as words, lists as text, and no text where text belongs."""
    for name, value in item.items():
        if isinstance(value, float):
            item[name] = "high"
        elif isinstance(value, list):
            item[name] = "; ".join(map(str, value))
        elif isinstance(value, str) and name in _NAMES:
            item[name] = None
        elif isinstance(value, int):
            item[name] = f"number {value}"


def _mislabel(item: Item) -> None:
    item.update({name: label for name, label in _LABELS.items() if name in item})
    if str(item.get("source", "")).startswith("S"):
        item["source"] = "S99"
    if str(item.get("quote", "")).startswith("Q"):
        item["quote"] = "Q99"


def _misquote(item: Item) -> None:
    if "passage" in item:
        item["quote"] = MADE_UP


def _misname(item: Item) -> None:
    """Names that no list has; a source and target of variables keep the form of a key."""
    for name in _NAMES:
        if isinstance(item.get(name), str):
            item[name] = f"Unheard{item[name]}"
    if "entities" in item and "metric" in item:
        item["entities"] = ["nothing known", *item["entities"]]
    if "signature" in item:
        item["signature"] = ["unheard axis"]


def _with_nul(item: Item) -> None:
    for name in ("description", "mechanism", "quote", "reason", *_NAMES):
        if isinstance(item.get(name), str):
            item[name] += "\x00"
            return


_ITEMS: dict[str, Callable[[Item], None]] = {
    "wrong_types": _mistype,
    "strange_labels": _mislabel,
    "made_up_quotes": _misquote,
    "strange_names": _misname,
    "nul": _with_nul,
}
