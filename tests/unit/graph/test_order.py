from __future__ import annotations

import numpy as np
import pytest

from aitia.graph.order import ascending, descending


def test_ties_keep_their_places():
    assert ascending(np.array([70_000, 3, 70_000, 3])).tolist() == [1, 3, 0, 2]
    assert descending(np.array([0.5, 0.9, 0.5, -0.1, -0.2], np.float32)).tolist() == [1, 0, 2, 3, 4]


def test_both_zeros_are_equal():
    assert descending(np.array([-0.0, 0.0, -0.0, 1e-45], np.float32)).tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("order", [ascending, descending])
def test_of_nothing(order):
    found = order(np.zeros(0, np.float32 if order is descending else np.int64))
    assert found.tolist() == []
    assert found.dtype == np.int64


def test_the_array_given_is_left_as_it_was():
    scores = np.array([-0.0, 1.0], np.float32)
    scores.flags.writeable = False
    descending(scores)
    assert np.signbit(scores[0])
