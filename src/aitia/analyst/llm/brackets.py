"""Where the brackets of a text open and close: finds JSON within prose, and sees that it was cut off."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_DEPTH = 100
"""Brackets within brackets; what nests deeper is no reply, and would exhaust a recursive reader."""

_OPENING = re.compile(r"[{\[]")
_TOKEN = re.compile(r'\\.|"[^"\\]*+(?:\\.[^"\\]*+)*+("?)|[{}\[\]]', re.DOTALL)
_JSON_START = re.compile(r"""\{\s*(?:["'}]|\w+"?\s*:|$)|\[\s*(?:[\[{"\]]|$)""")
_OPENER = {"}": "{", "]": "["}


@dataclass(frozen=True, slots=True)
class Brackets:
    """The outermost closed brackets, as (start, end); and how the text ends.

    ``unclosed`` is the first bracket that begins JSON and never closes, ``in_string`` whether the text
    ends inside a string of it.
    """

    regions: tuple[tuple[int, int], ...]
    unclosed: int | None
    in_string: bool
    too_deep: bool = False


def find_brackets(text: str) -> Brackets:
    """One pass over a text. Quotation marks count inside brackets only, where they hide brackets.

    A closing bracket of the other kind closes what stands in between, as a reader of faulty JSON would.
    """
    regions: list[tuple[int, int]] = []
    stack: list[int] = []
    opened = {"{": 0, "[": 0}
    in_string = False
    position = 0
    while match := (_TOKEN if stack else _OPENING).search(text, position):
        token, position = match.group(), match.end()
        if token in opened:
            stack.append(match.start())
            opened[token] += 1
            if len(stack) > MAX_DEPTH:
                return Brackets((), None, False, too_deep=True)
        elif token in _OPENER and opened[_OPENER[token]]:
            start = _close(text, stack, opened, _OPENER[token])
            while regions and regions[-1][0] > start:
                regions.pop()
            regions.append((start, position))
        else:
            in_string = match.group(1) == ""
    unclosed = next((start for start in stack if _JSON_START.match(text, start)), None)
    return Brackets(tuple(regions), unclosed, in_string)


def _close(text: str, stack: list[int], opened: dict[str, int], opener: str) -> int:
    """Where the innermost open bracket of a kind stands; it and all inside it are open no longer."""
    while True:
        start = stack.pop()
        opened[text[start]] -= 1
        if text[start] == opener:
            return start
