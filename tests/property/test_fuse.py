"""Ranks and fusion against their formulas, one item at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.retrieval.fuse import ranks, reciprocal_rank_fusion

VALUES = st.sampled_from([-0.5, 0.0, 0.25, 0.5, 0.5, 1.0]) | st.floats(-2, 2, width=32)


@st.composite
def score_lists(draw):
    items = draw(st.integers(1, 12))
    return draw(st.lists(st.lists(VALUES, min_size=items, max_size=items), min_size=1, max_size=5))


def naive_rank(scores, item):
    """One more than the number of items before it: those of a higher score, and equal ones that stand first."""
    before = [
        i for i, score in enumerate(scores) if score > scores[item] or (score == scores[item] and i < item)
    ]
    return 1 + len(before)


@given(st.lists(VALUES))
def test_ranks(scores):
    expected = [naive_rank(scores, item) if score > 0 else np.inf for item, score in enumerate(scores)]
    assert ranks(np.array(scores, np.float32)).tolist() == expected


@given(score_lists(), st.sampled_from([0.5, 20.0, 60.0]), st.data())
def test_fusion_is_the_sum_of_weighted_reciprocal_ranks(lists, k, data):
    weights = data.draw(
        st.none() | st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0]), min_size=len(lists), max_size=len(lists))
    )
    fused = reciprocal_rank_fusion([np.array(each, np.float32) for each in lists], k, weights)
    for item in range(len(lists[0])):
        expected = sum(
            weight / (k + naive_rank(each, item))
            for each, weight in zip(lists, weights or [1.0] * len(lists), strict=True)
            if each[item] > 0
        )
        assert fused[item] == pytest.approx(expected, rel=1e-6)
        assert (fused[item] == 0) == (expected == 0)


@given(score_lists())
def test_an_item_that_no_list_ranks_gets_nothing_and_moves_nobody(lists):
    arrays = [np.array(each, np.float32) for each in lists]
    fused = reciprocal_rank_fusion(arrays, 60)
    longer = reciprocal_rank_fusion([np.append(each, np.float32(0)) for each in arrays], 60)
    assert longer.tolist() == [*fused.tolist(), 0.0]
