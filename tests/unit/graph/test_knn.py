import numpy as np
import pytest

from aitia.graph.knn import knn_graph

# Directions of 0, 90, 60 and 180 degrees, and one more of 90.
ROWS = np.array([[1, 0], [0, 1], [0.5, 0.75**0.5], [-1, 0], [0, 1]], np.float32)
HIGH = np.float32(0.75**0.5)


@pytest.mark.parametrize("block", [1, 2, 3, 1024])
def test_best_first_and_ties_by_id(block):
    found = knn_graph(ROWS, 2, block=block)
    assert found.ids.tolist() == [[2, 1], [4, 2], [1, 4], [1, 4], [1, 2]]
    assert found.cosines.tolist() == [[0.5, 0], [1, HIGH], [HIGH, HIGH], [0, 0], [1, HIGH]]
    assert (found.ids.dtype, found.cosines.dtype) == (np.int64, np.float32)


def test_neighbours_of_another_group_only():
    found = knn_graph(ROWS, 2, groups=np.array([7, 9, 9, 7, 9]))
    assert found.ids.tolist() == [[2, 1], [0, 3], [0, 3], [1, 4], [0, 3]]


def test_a_node_with_fewer_neighbours():
    found = knn_graph(ROWS[:3], 2, groups=np.array([0, 0, 1]))
    assert found.ids.tolist() == [[2, -1], [2, -1], [1, 0]]
    assert found.cosines.tolist() == [[0.5, 0], [HIGH, 0], [HIGH, 0.5]]
    assert knn_graph(ROWS, 6).ids[0].tolist() == [2, 1, 4, 3, -1, -1]


def test_nothing_to_do():
    assert knn_graph(ROWS[:0], 3).ids.shape == (0, 3)
    assert knn_graph(ROWS[:1], 3).ids.tolist() == [[-1, -1, -1]]
    assert knn_graph(ROWS, 0).cosines.shape == (5, 0)


def test_more_equal_rows_than_candidates_go_by_id():
    rows = np.tile(np.array([[0.6, 0.8]], np.float32), (40, 1))
    found = knn_graph(rows, 3, block=7)
    assert found.ids[0].tolist() == [1, 2, 3]
    assert found.ids[20].tolist() == [0, 1, 2]


def test_last_bits_decide():
    """One row differs from three equal ones in its last bits, and is nearer by them."""
    base = np.array([0.6, 0.8, 0], np.float32)
    rows = np.stack([base, base, np.nextafter(base, np.float32(2)), base])
    assert knn_graph(rows, 3).ids[3].tolist() == [2, 0, 1]
