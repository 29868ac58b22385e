from dataclasses import replace

import numpy as np
import pytest

from aitia.graph.best_first import EdgeType, Search, best_first
from aitia.graph.csr import adjacency

S, H, C = EdgeType.STRUCTURAL, EdgeType.HIERARCHICAL, EdgeType.CAUSAL
FREE = Search(gamma=0.5, weights=(0.5, 1.0, 2.0))


def search(edges, similarities, seeds, settings=FREE, tokens=None):
    table = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    graph = adjacency(table[:, 0], table[:, 1], len(similarities))
    types = np.array([edge[2] for edge in edges], np.int8)
    return best_first(graph, types, np.array(similarities, np.float32), np.array(seeds), settings, tokens)


def rows(found):
    return list(zip(*(column.tolist() for column in (found.nodes, found.gains, found.depths, found.parents,
                                                     found.edges)), strict=True))  # fmt: skip


def test_gain_decides_and_not_the_hop():
    """Node 3, two hops away over a hierarchical edge, is worth 1 * 0.25; node 1, one hop away, 0.125."""
    edges = [(0, 1, S), (0, 2, H), (2, 3, H)]
    found = search(edges, [1, 0.5, 0.75, 1], [0])
    assert rows(found) == [(0, 1, 0, -1, -1), (2, 0.375, 1, 0, 1), (3, 0.25, 2, 1, 2), (1, 0.125, 1, 0, 0)]
    assert found.path(2) == [0, 1, 2]
    assert found.stopped == "exhausted"


def test_a_better_way_opens_a_node_again():
    """Node 2 is reached at once for 0.25; over node 1, whose own gain is less, a causal edge gives 0.5."""
    edges = [(0, 2, S), (0, 1, S), (1, 2, C), (2, 3, S)]
    found = search(edges, [1, 0.5, 1, 0.5], [0])
    assert rows(found) == [
        (0, 1, 0, -1, -1),
        (2, 0.25, 1, 0, 0),
        (1, 0.125, 1, 0, 1),
        (2, 0.5, 2, 2, 2),
        (3, 0.0625, 2, 1, 3),
    ]
    assert found.final.tolist() == [True, False, True, True, True]
    assert found.path(3) == [0, 2, 3]


def test_no_way_passes_a_node_twice():
    """Back over a causal edge node 0 would gain: 1 * 0.5 * 2 * 2 = 2 > 0.5."""
    found = search([(0, 1, C), (1, 0, C)], [0.5, 1], [0], replace(FREE, weights=(0.5, 1.0, 4.0)))
    assert found.nodes.tolist() == [0, 1]


def test_ties_go_to_the_smaller_node_then_edge():
    edges = [(0, 3, H), (0, 2, H), (0, 2, H), (1, 2, H)]
    found = search(edges, [1, 1, 0.5, 0.5], [1, 0, 1])
    assert rows(found)[:2] == [(0, 1, 0, -1, -1), (1, 1, 0, -1, -1)]
    assert rows(found)[2:] == [(2, 0.25, 1, 0, 1), (3, 0.25, 1, 0, 0)]


STAR = [(0, 1, H), (0, 2, H), (0, 3, H)]


@pytest.mark.parametrize(
    ("limits", "nodes", "stopped"),
    [
        ({}, [0, 3, 2, 1], "exhausted"),
        ({"nodes": 4}, [0, 3, 2, 1], "exhausted"),
        ({"nodes": 2}, [0, 3], "nodes"),
        ({"nodes": 0}, [], "nodes"),
        ({"tokens": 40}, [0, 3, 2, 1], "exhausted"),
        ({"tokens": 39}, [0, 3, 2], "tokens"),
        ({"floor": 0.25}, [0, 3, 2], "gain"),
        ({"floor": 0.3}, [0, 3], "gain"),
    ],
)
def test_what_stopped_it(limits, nodes, stopped):
    found = search(STAR, [1, 0.25, 0.5, 0.75], [0], replace(FREE, **limits), np.full(4, 10))
    assert (found.nodes.tolist(), found.stopped) == (nodes, stopped)


def test_opening_again_costs_nothing():
    edges = [(0, 2, S), (0, 1, S), (1, 2, C)]
    found = search(edges, [1, 0.5, 1], [0], replace(FREE, nodes=3, tokens=30), np.full(3, 10))
    assert found.nodes.tolist() == [0, 2, 1, 2]
    assert found.stopped == "exhausted"


def test_dissimilar_nodes_are_below_the_floor():
    assert search([(0, 1, H)], [1, -0.5], [0]).stopped == "gain"
    assert search([], [1], []).nodes.tolist() == []
