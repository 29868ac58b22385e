"""From ranked units to contexts: what is shown already is skipped, neighbours joined, the budget kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Units:
    """Where each unit (window, block or chunk) lies: its chunk, first and one-past-last word in it."""

    chunk: Indices
    first: Indices
    last: Indices


@dataclass(frozen=True, slots=True)
class Context:
    """Words ``first`` to ``last`` (exclusive) of a chunk; ``unit`` is the best-ranked unit inside."""

    chunk: int
    first: int
    last: int
    unit: int


def select_contexts(order: Iterable[int], units: Units, budget_words: int) -> list[Context]:
    """Contexts in the order of their best unit, at most ``budget_words`` words together (design 2.7).

    A unit that is wholly shown already is passed over. Units of one chunk that touch or overlap become
    one context. The last one is cut to what is left of the budget, so the budget is used to the word.
    """
    shown: dict[int, NDArray[np.bool_]] = {}
    chosen: list[Context] = []
    left = budget_words
    for unit in order:
        if left <= 0:
            break
        chunk, first, last = int(units.chunk[unit]), int(units.first[unit]), int(units.last[unit])
        words = shown.setdefault(chunk, np.zeros(0, bool))
        if len(words) < last:
            words = shown[chunk] = np.concatenate([words, np.zeros(last - len(words), bool)])
        fresh = np.flatnonzero(~words[first:last])
        if not len(fresh):
            continue
        if len(fresh) > left:
            last = first + int(fresh[left])
        left -= min(len(fresh), left)
        words[first:last] = True
        chosen.append(Context(chunk, first, last, int(unit)))
    return _joined(chosen)


def _joined(chosen: list[Context]) -> list[Context]:
    """Touching contexts of a chunk as one, where the first chosen of them stands."""
    place = {id(context): position for position, context in enumerate(chosen)}
    joined: list[list[Context]] = []
    for context in sorted(chosen, key=lambda each: (each.chunk, each.first, each.last)):
        group = joined[-1] if joined else []
        if group and group[-1].chunk == context.chunk and context.first <= max(each.last for each in group):
            group.append(context)
        else:
            joined.append([context])
    merged = []
    for group in joined:
        best = min(group, key=lambda each: place[id(each)])
        whole = Context(best.chunk, group[0].first, max(each.last for each in group), best.unit)
        merged.append((place[id(best)], whole))
    return [context for _, context in sorted(merged, key=lambda item: item[0])]
