from __future__ import annotations

import numpy as np
import pytest

from aitia.graph.causal import ROLES
from aitia.testing.random_graphs import Size, random_graph

SIZE = Size(variables=200, edges=3_000, metrics=40, chunks=90, evidence=3)


def test_what_a_random_graph_promises():
    graph = random_graph(np.random.default_rng(3), SIZE)
    assert len(graph.sources) == len(graph.targets) == 3_000
    assert not (graph.sources == graph.targets).any()
    assert not (graph.roles[graph.metric_of[graph.sources]] == ROLES.index("terminal")).any()
    assert set(graph.roles.tolist()) == {0, 1, 2}
    pairs = list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert graph.edge_of.tolist() == [edge for edge in range(3_000) for _ in range(3)]
    assert graph.chunk_of.min() >= 0 and graph.chunk_of.max() < 90
    assert len(graph.roles) == 40 and graph.nodes == 200


def test_the_seed_decides():
    one, two, other = (random_graph(np.random.default_rng(seed), SIZE) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.targets, two.targets)
    assert (one.targets != other.targets).any()


@pytest.mark.parametrize("size", [Size(0, 9, 3, 5), Size(1, 9, 3, 5), Size(5, 0, 1, 0)])
def test_where_there_can_be_no_edge_there_is_none(size):
    graph = random_graph(np.random.default_rng(0), size)
    assert graph.nodes == size.variables
    assert len(graph.sources) == len(graph.chunk_of) == 0
