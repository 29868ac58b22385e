from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from aitia.retrieval.dense import cosines, pool, unit_rows


def test_rows_of_length_one_and_zero_rows_as_they_were():
    rows = unit_rows(np.array([[3, 4], [0, 0], [-2, 0]], np.float32))
    assert rows.dtype == np.float32
    assert rows.tolist() == [pytest.approx([0.6, 0.8]), [0, 0], [-1, 0]]


def test_pooling_weighs_blocks_by_their_words():
    blocks = np.array([[1, 0], [0, 1]], np.float32)
    weights = csr_array(np.array([[30, 0], [30, 40], [0, 0]], np.float32))
    assert pool(weights, blocks).tolist() == [[1, 0], pytest.approx([0.6, 0.8]), [0, 0]]


def test_cosines_of_unit_vectors():
    vectors = np.array([[1, 0], [0.6, 0.8], [-1, 0]], np.float32)
    found = cosines(np.array([0, 1], np.float32), vectors)
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx([0, 0.8, 0])
    assert cosines(np.array([0, 1], np.float32), vectors[:0]).shape == (0,)


def test_equal_rows_have_equal_cosines_wherever_they_stand():
    generator = np.random.default_rng(0)
    row, query = unit_rows(generator.standard_normal((2, 384)).astype(np.float32))
    assert len(set(cosines(query, np.tile(row, (1_001, 1))).tolist())) == 1
