from __future__ import annotations

import numpy as np

from aitia.graph.csr import adjacency


def test_edges_by_source_and_by_target():
    sources, targets = np.array([2, 0, 2, 0]), np.array([0, 1, 1, 2])
    forward = adjacency(sources, targets, 4)
    assert forward.nodes == 4
    assert forward.indptr.tolist() == [0, 2, 2, 4, 4]
    assert forward.neighbours.tolist() == [1, 2, 0, 1]
    assert forward.edges.tolist() == [1, 3, 0, 2]
    backward = adjacency(targets, sources, 4)
    assert backward.indptr.tolist() == [0, 1, 3, 4, 4]
    assert backward.neighbours.tolist() == [2, 0, 2, 0]
    assert backward.edges.tolist() == [0, 1, 2, 3]


def test_positions_of_some_nodes():
    graph = adjacency(np.array([0, 0, 2]), np.array([1, 2, 0]), 3)
    positions, counts = graph.positions(np.array([2, 1, 0]))
    assert positions.tolist() == [2, 0, 1]
    assert counts.tolist() == [1, 0, 2]


def test_no_edges_and_no_nodes():
    none = np.zeros(0, np.int64)
    assert adjacency(none, none, 2).indptr.tolist() == [0, 0, 0]
    assert adjacency(none, none, 0).indptr.tolist() == [0]
    positions, counts = adjacency(none, none, 2).positions(np.array([0, 1]))
    assert (positions.tolist(), counts.tolist()) == ([], [0, 0])
