"""Faulty JSON, read as far as it can be: large replies item by item, in bounded time.

A general repairer takes quadratic time or more on what is no JSON at all. It is given small pieces only:
the objects in a reply's lists, each alone, and what is left of the reply around them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from aitia.analyst.llm.brackets import find_brackets

MAX_CHARACTERS = 4_000
"""What is longer, and no list of objects, is not mended."""
MAX_DEPTH = 8
"""Nor is what has more brackets within brackets: no item has them, and they cost most."""
MAX_ITEMS = 10_000
"""Of a faulty reply; more have no room for what an item says."""
MAX_WORK = 10_000_000
"""Characters times marks that are mended of one reply, each 0.7 microseconds at worst."""

_PIECE_WORK = 1_000
_LEVELS = 3
"""Lists within items within lists that are taken apart."""
_MARK = re.compile(r"[^\w\s]")
_GAP = re.compile(r"[\s,]*")
_MAX_DIGITS = 18


class Faulty(str):
    """A piece of JSON that could not be read, as it came."""

    __slots__ = ()


class Mender:
    """Reads the parts of one reply, and mends them until it has done too much."""

    def __init__(self) -> None:
        self._left = MAX_WORK

    def read(self, text: str, levels: int = _LEVELS) -> Any:
        """What the brackets of a text hold. Of lists of objects each object is mended alone."""
        try:
            return _DECODER.decode(text)
        except ValueError:
            self._left -= _PIECE_WORK
        if self._left < 0:
            return Faulty(text)
        brackets = find_brackets(text)
        if not levels or not 0 < len(brackets.items) <= MAX_ITEMS:
            return self._mended(text, brackets.depth)
        frame, position = "", 0
        runs: list[list[Any]] = []
        for start, end in brackets.items:
            gap = text[position:start]
            if not runs or gap.strip(" \t\r\n,"):
                frame += f'{gap}"\0{len(runs)}" '
                runs.append([])
            value = self.read(text[start:end], levels - 1)
            runs[-1].append(value if isinstance(value, dict | Faulty) else Faulty(text[start:end]))
            position = end
        return _filled(self.read(frame + text[position:].lstrip(" \t\r\n,"), 0), runs)

    def _mended(self, text: str, depth: int) -> Any:
        from json_repair import loads

        if len(text) > MAX_CHARACTERS or depth > MAX_DEPTH:
            return Faulty(text)
        work = len(text) * (50 + len(_MARK.findall(text)))
        if work > self._left:
            return Faulty(text)
        self._left -= work
        try:
            return loads(text, skip_json_loads=True)
        except (RecursionError, ValueError):
            return Faulty(text)


def _filled(value: Any, runs: list[list[Any]]) -> Any:
    """The frame of a reply with its items: each run in the list, or in place of the list, where it stood."""
    if isinstance(value, str) and value[:1] == "\0" and value[1:].isdecimal() and int(value[1:]) < len(runs):
        run, runs[int(value[1:])] = runs[int(value[1:])], []  # once: no reply can multiply itself
        return run
    if isinstance(value, list):
        parts = [(part, _filled(part, runs)) for part in value]
        return [
            item
            for part, filled in parts
            for item in (filled if isinstance(part, str) and isinstance(filled, list) else [filled])
        ]
    if isinstance(value, dict):
        return {key: _filled(part, runs) for key, part in value.items()}
    return value


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


def _joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; lists that share one key are one list, of anything else the last counts."""
    value: dict[str, Any] = {}
    for key, part in pairs:
        earlier = value.get(key)
        value[key] = [*earlier, *part] if isinstance(earlier, list) and isinstance(part, list) else part
    return value


_DECODER = json.JSONDecoder(strict=False, parse_constant=str, parse_int=_integer, object_pairs_hook=_joined)
