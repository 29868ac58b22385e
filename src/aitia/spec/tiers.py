"""Tiers: how large a vocabulary may grow, and how much text is read at once (HCG-RAG, section 4).

Only the metric count of L (173) is published; the other caps continue the sequence downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aitia.errors import UsageError

TierName = Literal["XS", "S", "M", "L"]


@dataclass(frozen=True, slots=True)
class Tier:
    """Caps by evidence frequency, and the size of a reading window in tokens.

    ``max_variables`` is no part of the published method: variables follow from the corpus. ``llm_pairs``
    are the pairs of variables that a model is asked about at most, so that a build keeps to half the
    published calls.
    """

    name: TierName
    max_metrics: int
    max_dimensions: int
    reading_tokens: int = 8_000
    max_variables: int | None = None
    llm_pairs: int = 10_800


TIERS: dict[TierName, Tier] = {
    "XS": Tier("XS", 24, 5, reading_tokens=24_000, llm_pairs=1_000),
    "S": Tier("S", 64, 7, llm_pairs=10_800),
    "M": Tier("M", 100, 8, llm_pairs=16_000),
    "L": Tier("L", 173, 9, llm_pairs=34_000),
}


def tier(name: str) -> Tier:
    """The tier of a name, in any case.

    Raises:
        UsageError: no such tier.

    """
    for known in TIERS.values():
        if known.name == name.strip().upper():
            return known
    raise UsageError(f"unknown tier {name!r}: expected one of {', '.join(TIERS)}")
