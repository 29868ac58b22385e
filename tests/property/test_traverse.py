"""Adjacency, orders and traversals over arrays agree with loops over nodes and edges."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.graph import traverse
from aitia.graph.csr import adjacency
from aitia.graph.order import ascending, descending
from aitia.graph.traverse import or_at, spread_labels, start_labels, take_reachable


def arrays(nodes, edges):
    table = np.array(edges, np.int64).reshape(-1, 2)
    return adjacency(table[:, 0], table[:, 1], nodes), adjacency(table[:, 1], table[:, 0], nodes)


@st.composite
def graphs(draw):
    """Nodes and edges, with loops, cycles and repeats."""
    nodes = draw(st.integers(1, 14))
    count = draw(st.integers(0, 50))
    node = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(node, node), min_size=count, max_size=count))


# Orders


@given(st.lists(st.integers(0, 5) | st.integers(0, 2**48)))
def test_ascending_is_a_stable_sort(keys):
    assert ascending(np.array(keys, np.int64)).tolist() == sorted(range(len(keys)), key=lambda i: keys[i])


@given(
    st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45]) | st.floats(width=32, allow_nan=False))
)
def test_descending_is_a_stable_sort_of_floats(scores):
    values = np.array(scores, np.float32)
    found = descending(values)
    assert found.tolist() == sorted(range(len(scores)), key=lambda i: -float(values[i]))


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_ascending_of_every_kind(kind):
    keys = np.array([7, 0, 100, 7, 1], kind)
    assert ascending(keys).tolist() == [1, 4, 0, 3, 2]


# Adjacency


@given(graphs())
def test_adjacency_holds_every_edge_once_in_id_order(graph):
    nodes, edges = graph
    forward, backward = arrays(nodes, edges)
    assert forward.nodes == backward.nodes == nodes
    for node in range(nodes):
        here = slice(forward.indptr[node], forward.indptr[node + 1])
        assert forward.edges[here].tolist() == [i for i, edge in enumerate(edges) if edge[0] == node]
        assert forward.neighbours[here].tolist() == [edge[1] for edge in edges if edge[0] == node]
    assert sorted(backward.edges.tolist()) == list(range(len(edges)))


@given(graphs(), st.data())
def test_positions_are_those_of_the_nodes_asked_for(graph, data):
    nodes, edges = graph
    forward, _ = arrays(nodes, edges)
    asked = data.draw(st.lists(st.integers(0, nodes - 1), max_size=6))
    positions, counts = forward.positions(np.array(asked, np.int64))
    expected = [[i for i, edge in enumerate(edges) if edge[0] == node] for node in asked]
    assert counts.tolist() == [len(each) for each in expected]
    assert forward.edges[positions].tolist() == [i for each in expected for i in each]


# Traversals


def naive_hops(edges, seed, inside):
    hops = {seed: 0}
    queue = deque([seed])
    while queue:
        node = queue.popleft()
        for source, target in edges:
            if source == node and target in inside and target not in hops:
                hops[target] = hops[node] + 1
                queue.append(target)
    return hops


@pytest.mark.parametrize("dense_share", [-1.0, 0.4, 2.0], ids=["pull", "both", "push"])
@settings(deadline=None, max_examples=60)
@given(graphs(), st.data())
def test_a_label_gains_a_node_at_the_level_of_its_hops(dense_share, graph, data):
    nodes, edges = graph
    forward, backward = arrays(nodes, edges)
    seeds = data.draw(st.lists(st.integers(0, nodes - 1), min_size=1, unique=True))
    inside = data.draw(st.none() | st.sets(st.integers(0, nodes - 1)))
    mask = None if inside is None else np.isin(np.arange(nodes), list(inside))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traverse, "DENSE_SHARE", dense_share)
        known, level = start_labels(np.array(seeds, np.int64), nodes)
        levels = [level]
        while len(level.nodes):
            level = spread_labels(forward, backward, known, level, mask)
            levels.append(level)
    found = {
        (seeds[bit], node): hop
        for hop, level in enumerate(levels)
        for node, gained in zip(level.nodes.tolist(), level.gained.tolist(), strict=True)
        for bit in range(len(seeds))
        if gained >> bit & 1
    }
    within = set(range(nodes)) if inside is None else inside
    hops = {(seed, node): hop for seed in seeds for node, hop in naive_hops(edges, seed, within).items()}
    assert found == hops
    assert {
        (seeds[bit], node)
        for node in range(nodes)
        for bit in range(len(seeds))
        if int(known[node]) >> bit & 1
    } == (set(hops))


@pytest.mark.parametrize("count", [1, 16, 17, 64])
def test_as_many_labels_as_bits(count):
    forward, backward = arrays(count + 1, [(node, count) for node in range(count)])
    known, level = start_labels(np.arange(count), count + 1)
    level = spread_labels(forward, backward, known, level)
    assert level.nodes.tolist() == [count]
    assert int(level.gained[0]) == int(known[count]) == 2**count - 1


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2**16 - 1))),
    st.lists(st.integers(0, 255), min_size=6),
)
def test_or_at_is_that_of_numpy(pairs, start):
    sets = np.array(start[:6], np.uint16)
    expected = sets.copy()
    places = np.array([place for place, _ in pairs], np.int64)
    labels = np.array([label for _, label in pairs], np.uint16)
    np.bitwise_or.at(expected, places, labels)
    or_at(sets, places, labels)
    assert sets.tolist() == expected.tolist()


@settings(deadline=None)
@given(graphs(), st.data())
def test_take_reachable_takes_what_is_reached_over_free_nodes(graph, data):
    nodes, edges = graph
    forward, _ = arrays(nodes, edges)
    seeds = data.draw(st.lists(st.integers(0, nodes - 1), max_size=4, unique=True))
    free = data.draw(st.sets(st.integers(0, nodes - 1)))
    mask = np.isin(np.arange(nodes), list(free))
    found = take_reachable(forward, np.array(seeds, np.int64), mask)
    expected, frontier = set(), list(seeds)
    while frontier:
        node = frontier.pop()
        for source, target in edges:
            if source == node and target in free - expected:
                expected.add(target)
                frontier.append(target)
    assert sorted(found.tolist()) == sorted(expected)
    assert set(np.flatnonzero(mask).tolist()) == free - expected
