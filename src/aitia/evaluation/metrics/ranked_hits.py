"""Where the wanted things stand in a ranking: documents by name, or facts by their words (MultiHop-RAG, 2024)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.errors import UsageError


@dataclass(frozen=True, slots=True)
class RankedHits:
    """``new[q, r]``: how many of the wanted things of question q stand at rank r + 1 and at none before.

    ``new`` has shape (questions, k), without k as many columns as any question has ranks or wants; ``wanted``,
    shape (questions,), counts them. Of documents at most one is new at a rank, of facts there may be several.
    """

    new: NDArray[np.int64]
    wanted: NDArray[np.int64]

    @property
    def found(self) -> NDArray[np.int64]:
        """How many stand among the first k, shape (questions,)."""
        total: NDArray[np.int64] = self.new.sum(axis=1)
        return total


def find_documents(
    ranked: Sequence[Sequence[str]], wanted: Sequence[Iterable[str]], k: int | None = None
) -> RankedHits:
    """Documents in rank order, in which a name counts where it stands first: k is of different documents.

    ``k`` None: all.
    """
    distinct = [list(dict.fromkeys(names)) for names in ranked]
    return _hits(distinct, [set(names) for names in wanted], k, lambda document, name: document == name)


def find_facts(
    contexts: Sequence[Sequence[str]], facts: Sequence[Iterable[str]], k: int | None = None
) -> RankedHits:
    """Contexts in rank order that hold a fact verbatim but for spaces and line breaks, as MultiHop-RAG counts.

    A context that holds a part of a fact does not count: chunks shorter than the facts cannot reach 1.
    """
    bare = [[_bare(context) for context in found] for found in contexts]
    wanted = [{_bare(fact) for fact in of_question} for of_question in facts]
    return _hits(bare, wanted, k, lambda context, fact: fact in context)


def _bare(text: str) -> str:
    return text.replace(" ", "").replace("\n", "")


def _hits(
    ranked: Sequence[Sequence[str]],
    wanted: Sequence[set[str]],
    k: int | None,
    holds: Callable[[str, str], bool],
) -> RankedHits:
    if k is not None and k < 1:
        raise UsageError(f"k is {k}; expected at least 1")
    # Without k no question may be cut because others are short.
    depth = k or max(map(len, (*ranked, *wanted)), default=0)
    new = np.zeros((len(ranked), depth), dtype=np.int64)
    for row, (items, names) in enumerate(zip(ranked, wanted, strict=True)):
        for name in names:
            rank = next((at for at, item in enumerate(items[:depth]) if holds(item, name)), None)
            if rank is not None:
                new[row, rank] += 1
    return RankedHits(new, np.array([len(names) for names in wanted], dtype=np.int64))
