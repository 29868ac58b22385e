"""How claims of one name speak together: their support, their usual spelling, their best description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aitia.spec.claims import DimensionClaim, MetricClaim
from aitia.spec.names import clean_name

Claims = Sequence[DimensionClaim] | Sequence[MetricClaim]


def total_support(claims: Claims) -> int:
    """The mentions behind all of them."""
    return sum(claim.support for claim in claims)


def most_frequent(counts: Counter[str]) -> str:
    """The most frequent of several spellings, the first in code point order among equals."""
    return min(counts, key=lambda name: (-counts[name], name))


def usual_name(claims: Claims) -> str:
    """The best supported spelling of their name."""
    counts: Counter[str] = Counter()
    for claim in claims:
        counts[clean_name(claim.name)] += claim.support
    return most_frequent(counts)


def best_description(claims: Claims) -> str:
    """The description of the best supported claim that has one."""
    described = [(-claim.support, claim.description.strip()) for claim in claims if claim.description.strip()]
    return min(described)[1] if described else ""
