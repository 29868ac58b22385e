"""From ranked windows to contexts: overlaps skipped, neighbours joined, cut to a budget of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Units:
    """Where each unit (window or chunk) lies: chunk row, first and one-past-last word in its chunk."""

    chunk: Indices
    first: Indices
    last: Indices


@dataclass(frozen=True, slots=True)
class Context:
    """A chosen span of a chunk in words ``first`` to ``last`` (exclusive), with the unit that ranked it."""

    chunk: int
    first: int
    last: int
    unit: int


def select_contexts(order: Sequence[int] | Indices, units: Units, budget_words: int) -> list[Context]:
    """Contexts in the order of their best unit, at most ``budget_words`` words together.

    A unit is skipped when at least half of its words are already chosen; units of one chunk that touch
    or overlap become one context; the last one is cut to what is left of the budget (design 2.7).
    """
    chosen: dict[int, list[tuple[int, int]]] = {}
    first_unit: dict[tuple[int, int], int] = {}
    left = budget_words
    for unit in order:
        if left <= 0:
            break
        chunk, first, last = int(units.chunk[unit]), int(units.first[unit]), int(units.last[unit])
        shown = chosen.setdefault(chunk, [])
        if 2 * _covered(shown, first, last) >= last - first:
            continue
        last = _cut(shown, first, last, left)
        left -= last - first - _covered(shown, first, last)
        shown.append((first, last))
        first_unit[(chunk, first)] = int(unit)
    return _joined(chosen, first_unit)


def _covered(shown: list[tuple[int, int]], first: int, last: int) -> int:
    """Words of [first, last) that are inside any of the shown spans (which may overlap a little)."""
    words = {word for a, b in shown for word in range(max(a, first), min(b, last))}
    return len(words)


def _cut(shown: list[tuple[int, int]], first: int, last: int, left: int) -> int:
    """The end that leaves at most ``left`` new words in [first, end)."""
    while last - first - _covered(shown, first, last) > left:
        last -= 1
    return last


def _joined(chosen: dict[int, list[tuple[int, int]]], first_unit: dict[tuple[int, int], int]) -> list[Context]:
    """Touching spans of a chunk united, placed by whichever was chosen first."""
    place = {key: position for position, key in enumerate(first_unit)}
    contexts: list[tuple[int, Context]] = []
    for chunk, shown in chosen.items():
        merged: list[list[int]] = []
        for first, last in sorted(shown):
            key = place[(chunk, first)]
            if merged and first <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], last)
                merged[-1][2] = min(merged[-1][2], key)
            else:
                merged.append([first, last, key])
        keys = list(first_unit)
        contexts += [
            (key, Context(chunk, first, last, first_unit[keys[key]])) for first, last, key in merged
        ]
    return [context for _, context in sorted(contexts, key=lambda item: item[0])]
