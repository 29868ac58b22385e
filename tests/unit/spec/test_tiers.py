from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.spec.tiers import TIERS, tier


def test_the_published_and_our_caps() -> None:
    rows = [(one.name, one.max_metrics, one.max_dimensions, one.reading_tokens) for one in TIERS.values()]
    assert rows == [("XS", 24, 5, 24_000), ("S", 64, 7, 8_000), ("M", 100, 8, 8_000), ("L", 173, 9, 8_000)]
    assert all(one.max_variables is None for one in TIERS.values())


def test_a_tier_is_found_in_any_case() -> None:
    assert tier(" xs ") is TIERS["XS"]


def test_an_unknown_tier_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"^unknown tier 'XL': expected one of XS, S, M, L$"):
        tier("XL")
