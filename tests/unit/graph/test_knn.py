import sys

import numpy as np
import pytest

from aitia.graph import knn
from aitia.graph.knn import knn_graph

# Directions of 0, 90, 60 and 180 degrees, and one more of 90.
ROWS = np.array([[1, 0], [0, 1], [0.5, 0.75**0.5], [-1, 0], [0, 1]], np.float32)
HIGH = np.float32(0.75**0.5)


@pytest.mark.parametrize("engine", ["numpy", "faiss"])
@pytest.mark.parametrize("block", [1, 2, 3, 1024])
def test_best_first_and_ties_by_id(engine, block):
    found = knn_graph(ROWS, 2, block=block, engine=engine)
    assert found.ids.tolist() == [[2, 1], [4, 2], [1, 4], [1, 4], [1, 2]]
    assert found.cosines.tolist() == [[0.5, 0], [1, HIGH], [HIGH, HIGH], [0, 0], [1, HIGH]]
    assert (found.ids.dtype, found.cosines.dtype) == (np.int64, np.float32)


@pytest.mark.parametrize("engine", ["numpy", "faiss"])
def test_neighbours_of_another_group_only(engine):
    found = knn_graph(ROWS, 2, groups=np.array([7, 9, 9, 7, 9]), engine=engine)
    assert found.ids.tolist() == [[2, 1], [0, 3], [0, 3], [1, 4], [0, 3]]


@pytest.mark.parametrize("engine", ["numpy", "faiss"])
def test_a_node_with_fewer_neighbours(engine):
    found = knn_graph(ROWS[:3], 2, groups=np.array([0, 0, 1]), engine=engine)
    assert found.ids.tolist() == [[2, -1], [2, -1], [1, 0]]
    assert found.cosines.tolist() == [[0.5, 0], [HIGH, 0], [HIGH, 0.5]]
    assert knn_graph(ROWS, 6, engine=engine).ids[0].tolist() == [2, 1, 4, 3, -1, -1]


def test_nothing_to_do():
    assert knn_graph(ROWS[:0], 3).ids.shape == (0, 3)
    assert knn_graph(ROWS[:1], 3).ids.tolist() == [[-1, -1, -1]]
    assert knn_graph(ROWS, 0).cosines.shape == (5, 0)


@pytest.mark.parametrize("engine", ["numpy", "faiss"])
def test_more_equal_rows_than_candidates_go_by_id(engine):
    rows = np.tile(np.array([[0.6, 0.8]], np.float32), (40, 1))
    found = knn_graph(rows, 3, engine=engine, block=7)
    assert found.ids[0].tolist() == [1, 2, 3]
    assert found.ids[20].tolist() == [0, 1, 2]


def test_last_bits_decide():
    """One row differs from three equal ones in its last bits, and is nearer by them."""
    base = np.array([0.6, 0.8, 0], np.float32)
    rows = np.stack([base, base, np.nextafter(base, np.float32(2)), base])
    assert knn_graph(rows, 3).ids[3].tolist() == [2, 0, 1]


def test_faiss_and_numpy_agree():
    rows = np.random.default_rng(3).standard_normal((700, 24)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    groups = np.arange(700) // 9
    for kind in (None, groups):
        first = knn_graph(rows, 5, groups=kind, engine="numpy", block=96)
        second = knn_graph(rows, 5, groups=kind, engine="faiss")
        assert first.ids.tolist() == second.ids.tolist()
        assert first.cosines.tolist() == second.cosines.tolist()


def test_large_graphs_ask_faiss_and_do_without(monkeypatch):
    asked, real = [], knn._by_faiss
    monkeypatch.setattr(knn, "FAISS_FROM", 4)
    monkeypatch.setattr(knn, "_by_faiss", lambda *given: asked.append(given) or real(*given))
    expected = knn_graph(ROWS, 2, engine="numpy").ids.tolist()
    assert knn_graph(ROWS[:4], 2).ids.shape == (4, 2)
    assert not asked
    assert knn_graph(ROWS, 2).ids.tolist() == expected
    assert len(asked) == 1
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert knn_graph(ROWS, 2).ids.tolist() == expected
    with pytest.raises(ImportError):
        knn_graph(ROWS, 2, engine="faiss")
