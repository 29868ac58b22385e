"""Where the brackets of a text open and close: finds JSON within prose, and sees that it was cut off."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_DEPTH = 100
"""Brackets within brackets; what nests deeper is no reply, and would exhaust a recursive reader."""

_JSON_START = re.compile(r"""\{\s*+(?:["'}]|\w++"?\s*+:|$)|\[\s*+(?:[\[{"\]]|$)""")
# A mark opens a string where a value may begin, and ends it where a value may end or before brackets: strays
# do neither.
_TOKEN = re.compile(
    r'\\.|(?<=[\s,:{\[])"[^"\\]*+(?:(?:\\.|"(?!\s*+(?:[,:}\]]|$)|[^"{}\[\]]*+[{}\[\]]))[^"\\]*+)*+("?)|[{}\[\]]',
    re.DOTALL,
)
_OPENER = {"}": "{", "]": "["}
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Brackets:
    """The outermost closed brackets, the outermost objects that stand in a list, and how the text ends.

    ``unclosed`` is the first bracket that never closes, ``in_string`` whether the text ends inside a string
    of it; ``depth`` counts brackets within brackets, to 1 more than `MAX_DEPTH`.
    """

    regions: tuple[Span, ...] = ()
    items: tuple[Span, ...] = ()
    unclosed: int | None = None
    in_string: bool = False
    depth: int = 0


def find_brackets(text: str) -> Brackets:
    """One pass over a text. Brackets count from one on that begins JSON; those in strings do not.

    A closing bracket of the other kind closes what stands in between, as a reader of faulty JSON would.
    """
    regions: list[Span] = []
    items: list[Span] = []
    stack: list[int] = []
    opened = {"{": 0, "[": 0}
    in_string = False
    position = depth = 0
    while match := (_TOKEN if stack else _JSON_START).search(text, position):
        token = match.group() if stack else text[match.start()]
        position = match.end() if stack else match.start() + 1
        if token in opened:
            stack.append(match.start())
            opened[token] += 1
            depth = max(depth, len(stack))
            if depth > MAX_DEPTH:
                return Brackets(depth=depth)
        elif token in _OPENER and opened[_OPENER[token]]:
            start = _close(text, stack, opened, _OPENER[token])
            _add(regions, (start, position))
            if token == "}" and stack and text[stack[-1]] == "[":
                _add(items, (start, position))
        else:
            in_string = match.group(1) == ""
    return Brackets(tuple(regions), tuple(items), stack[0] if stack else None, in_string, depth)


def _add(spans: list[Span], span: Span) -> None:
    """Add a span in place of those that lie in it."""
    while spans and spans[-1][0] > span[0]:
        spans.pop()
    spans.append(span)


def _close(text: str, stack: list[int], opened: dict[str, int], opener: str) -> int:
    """Where the innermost open bracket of a kind stands; it and all inside it are open no longer."""
    while True:
        start = stack.pop()
        opened[text[start]] -= 1
        if text[start] == opener:
            return start
