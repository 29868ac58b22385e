from __future__ import annotations

import numpy as np
import pytest

from aitia.retrieval.fuse import ranks, reciprocal_rank_fusion

ONE = np.array([0.9, 0.0, 0.5, 0.9], np.float32)
TWO = np.array([-0.1, 0.2, 0.4, 0.0], np.float32)


def test_ranks_from_one_ties_by_position_none_for_no_score():
    assert ranks(ONE).tolist() == [1, np.inf, 3, 2]
    assert ranks(TWO).tolist() == [np.inf, 2, 1, np.inf]


def test_two_lists_by_hand():
    fused = reciprocal_rank_fusion([ONE, TWO], 60)
    assert fused.dtype == np.float32
    assert fused.tolist() == pytest.approx([1 / 61, 1 / 62, 1 / 63 + 1 / 61, 1 / 62])


def test_weights():
    fused = reciprocal_rank_fusion([ONE, TWO], 20, [1.0, 0.1])
    assert fused.tolist() == pytest.approx([1 / 21, 0.1 / 22, 1 / 23 + 0.1 / 21, 1 / 22])


def test_as_many_weights_as_lists():
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([ONE, TWO], 20, [1.0])
