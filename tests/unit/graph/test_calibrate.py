from __future__ import annotations

import numpy as np
import pytest

from aitia.graph.calibrate import random_cosine

# Rows at 0, 60 and 90 degrees: of all pairs with the first axis a third each has cosine 1, 0.5 and 0.
ROWS = np.array([[1, 0], [0.5, 0.75**0.5], [0, 1]], np.float32)
AXIS = ROWS[:1]


@pytest.mark.parametrize(("percentile", "cosine"), [(100, 1.0), (99, 1.0), (50, 0.5), (10, 0.0)])
def test_percentiles_of_a_known_distribution(percentile, cosine):
    assert random_cosine(AXIS, ROWS, percentile, seed=0) == cosine
    assert random_cosine(ROWS, AXIS, percentile, seed=1) == cosine


def test_it_is_rounded_to_four_digits():
    third = np.array([[1 / 3, (8 / 9) ** 0.5]], np.float32)
    assert random_cosine(AXIS, third, 50, seed=0, pairs=10) == 0.3333


def test_one_where_there_is_nothing_to_compare():
    assert random_cosine(ROWS[:0], ROWS, 99, seed=0) == 1.0
    assert random_cosine(ROWS, ROWS[:0], 99, seed=0) == 1.0
