from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.qcg.config import QuerySettings
from aitia.methods.qcg.trace import parents_of
from aitia.methods.qcg.walk import nearest, score_chunks, walk_graph


def walked(graph, **settings):
    walk = walk_graph(*graph, QuerySettings(**settings))
    return (
        walk.nodes.tolist(),
        walk.hops.tolist(),
        dict(zip(walk.chunks.tolist(), walk.scores.tolist(), strict=True)),
    )


def test_the_nearest_nodes_and_one_hop(graph):
    nodes, hops, scores = walked(graph, nodes=2, hops=1, score="mean")
    assert (nodes, hops) == ([0, 2, 1, 3, 4], [0, 0, 1, 1, 1])
    assert list(scores) == [1, 0, 2]
    assert scores == pytest.approx({1: 0.8, 0: 0.7, 2: 0.25})


@pytest.mark.parametrize(("score", "expected"), [
    ("sum", {0: 1.4, 1: 0.8, 2: 0.5}),
    ("max", {0: 0.9, 1: 0.8, 2: 0.7}),
    ("topm", {0: 0.9, 1: 0.8, 2: 0.7}),
])  # fmt: skip
def test_scores(graph, score, expected):
    _, _, scores = walked(graph, nodes=2, hops=1, score=score, top_m=1)
    assert list(scores) == list(expected)
    assert scores == pytest.approx(expected)


def test_without_hops(graph):
    nodes, hops, scores = walked(graph, nodes=2, hops=0)
    assert (nodes, hops, list(scores)) == ([0, 2], [0, 0], [0, 1])


def test_gamma_is_the_cosine_plus_one(graph):
    assert walked(graph, gamma=1.8, hops=0)[0] == [0, 2]
    assert walked(graph, gamma=1.95, hops=1) == ([], [], {})
    assert walked(graph, gamma=1.0, hops=0)[0] == [0, 1, 2, 3]


def test_ties_go_to_the_lower_id():
    scores = np.array([0.5, 0.7, 0.5, 0.7, 0.5], np.float32)
    assert nearest(scores, 3).tolist() == [1, 3, 0]
    assert nearest(scores, 9).tolist() == [1, 3, 0, 2, 4]
    equal = score_chunks(np.ones(2, np.float32), np.array([4, 2]), "mean", 1)
    assert equal[0].tolist() == [2, 4]


def test_who_led_to_a_node(graph):
    _, neighbours, _ = graph
    one = walk_graph(*graph, QuerySettings(nodes=2, hops=1))
    assert dict(zip(one.nodes.tolist(), parents_of(one, neighbours).tolist(), strict=True)) == {
        0: -1, 2: -1, 1: 0, 3: 2, 4: 0,
    }  # fmt: skip
    # From 2 by 3 to 4; 4 and 0 would both lead to 1, but 0 is reached only after it.
    two = walk_graph(
        np.array([0.1, 0.2, 0.8, 0.7, 0.6], np.float32), *graph[1:], QuerySettings(nodes=1, hops=4)
    )
    assert two.nodes.tolist() == [2, 3, 4, 1, 0]
    assert parents_of(two, neighbours).tolist() == [-1, 2, 3, 4, 1]


def test_of_several_the_nearest_led_to_it():
    neighbours = np.array([[2], [2], [-1]])
    walk = walk_graph(
        np.array([0.5, 0.9, 0], np.float32), neighbours, np.zeros(3, int), QuerySettings(nodes=2)
    )
    assert parents_of(walk, neighbours).tolist() == [-1, -1, 1]
    none = walk_graph(np.zeros(0, np.float32), np.empty((0, 0), int), np.zeros(0, int), QuerySettings())
    assert parents_of(none, np.empty((0, 0), int)).tolist() == []
