"""Units to calls: as many as fit, and the same company for a unit although others far from it change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from aitia.corpus.document import content_hash

Unit = TypeVar("Unit")


def pack(
    units: Iterable[Unit],
    tokens_of: Callable[[Unit], int],
    tokens: int,
    most: int | None = None,
    begins: Callable[[Unit], bool] = lambda unit: False,
) -> list[tuple[Unit, ...]]:
    """Units in their order, at least one a call, while they have so many tokens and are at most ``most``.

    ``begins`` says that a unit begins a call in any case.
    """
    calls: list[list[Unit]] = []
    room = 0
    for unit in units:
        size = tokens_of(unit)
        if not calls or size > room or len(calls[-1]) == most or begins(unit):
            calls.append([])
            room = tokens
        calls[-1].append(unit)
        room -= size
    return [tuple(call) for call in calls]


def begins_by_content(key: str, most: int) -> bool:
    """Whether what has this key begins a call, for two in ``most`` keys.

    Then calls mostly end where the units themselves say so: a unit that is added or goes changes the call that
    it is in, and those behind it only up to the next beginning.
    """
    return int(content_hash("call", key)[:8], 16) % max(1, most // 2) == 0
