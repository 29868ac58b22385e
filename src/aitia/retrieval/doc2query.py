"""Generated questions as Doc2Query has them (Nogueira et al. 2019): without repeats, and without the poor ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices

_WORD = re.compile(r"\w+")


def normal_question(question: str) -> str:
    """A question by which repeats are known: its words in lower case."""
    return " ".join(_WORD.findall(question.casefold()))


def first_of_each(keys: Sequence[tuple[str, str]]) -> Indices:
    """Positions of the keys (chunk, normal question) that no earlier one repeats; those without a word are left out."""
    seen: dict[tuple[str, str], int] = {}
    for position, key in enumerate(keys):
        if key[1]:
            seen.setdefault(key, position)
    return np.fromiter(seen.values(), np.int64, len(seen))


def best_share(scores: NDArray[np.float32], groups: Indices, share: float) -> NDArray[np.bool_]:
    """Which items are among the best ``share`` of their group, rounded up: at least one of each (Doc2Query--).

    ``scores`` and ``groups``, integers >= 0, are of shape (items,); ties by position. One group for all is
    the cut over the whole corpus (Gospodinov et al. 2023).
    """
    kept = np.zeros(len(scores), bool)
    if not len(scores):
        return kept
    order = np.lexsort((np.arange(len(scores)), -scores, groups))
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    ranks = np.arange(len(scores)) - starts[groups[order]]
    # Rounded first: 0.7 * 10 is more than 7 in floats.
    quotas = np.array([ceil(round(share * size, 9)) for size in sizes.tolist()])
    kept[order] = ranks < quotas[groups[order]]
    return kept
