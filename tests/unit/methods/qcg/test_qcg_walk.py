from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.qcg.config import QuerySettings
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
