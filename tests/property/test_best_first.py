"""Best-first expansion agrees with a loop over every open way, kept in a plain list."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.graph.best_first import Search, best_first
from aitia.graph.csr import adjacency


class Case(NamedTuple):
    edges: list
    types: list
    similarities: list
    seeds: list
    tokens: list
    search: Search


@st.composite
def cases(draw):
    """Graphs with loops and repeats; numbers of few bits, so that many gains are equal."""
    nodes = draw(st.integers(1, 9))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=30))
    search = Search(
        gamma=draw(st.sampled_from([0.5, 0.7, 1.0])),
        weights=draw(st.sampled_from([(0.5, 1.0, 2.0), (0.8, 1.0, 1.2), (1.0, 1.0, 1.0)])),
        nodes=draw(st.integers(0, 12)),
        tokens=draw(st.none() | st.integers(0, 20)),
        floor=draw(st.sampled_from([0.0, 0.25, -1.0])),
    )
    return Case(
        edges,
        draw(st.lists(st.integers(0, 2), min_size=len(edges), max_size=len(edges))),
        draw(st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 0.75, 1.0]), min_size=nodes, max_size=nodes)),
        draw(st.lists(node, max_size=3)),
        draw(st.lists(st.integers(0, 5), min_size=nodes, max_size=nodes)),
        search,
    )


def naive_expansion(case):
    """Rows of (node, gain, depth, parent, edge), and why it ended."""
    search, rows, best = case.search, [], {}
    open_ways = [(case.similarities[seed], seed, 0, -1, -1) for seed in set(case.seeds)]
    while open_ways:
        open_ways.sort(key=lambda way: (-way[0], *way[1:]))
        gain, node, depth, parent, edge = open_ways.pop(0)
        passed, row = [], parent
        while row != -1:
            passed.append(rows[row][0])
            row = rows[row][3]
        if node in passed or (node in best and best[node] >= gain):
            continue
        if gain < search.floor:
            return rows, "gain"
        if node not in best:
            if len(best) + 1 > search.nodes:
                return rows, "nodes"
            if search.tokens is not None and sum(case.tokens[n] for n in [*best, node]) > search.tokens:
                return rows, "tokens"
        best[node] = gain
        rows.append((node, gain, depth, parent, edge))
        for number, (source, target) in enumerate(case.edges):
            if source == node:
                weight = search.weights[case.types[number]]
                reach = case.similarities[target] * search.gamma ** (depth + 1) * weight
                open_ways.append((reach, target, depth + 1, len(rows) - 1, number))
    return rows, "exhausted"


def expansion(case):
    table = np.array(case.edges, np.int64).reshape(-1, 2)
    graph = adjacency(table[:, 0], table[:, 1], len(case.similarities))
    types, similarities = np.array(case.types, np.int8), np.array(case.similarities, np.float32)
    seeds = np.array(case.seeds, np.int64)
    return best_first(graph, types, similarities, seeds, case.search, np.array(case.tokens))


@given(cases())
def test_rows_are_those_of_a_plain_loop(case):
    found = expansion(case)
    rows, stopped = naive_expansion(case)
    columns = (found.nodes, found.gains, found.depths, found.parents, found.edges)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == rows
    assert found.stopped == stopped


@given(cases())
def test_rows_hang_together(case):
    found = expansion(case)
    nodes = found.nodes.tolist()
    assert len(set(nodes)) <= case.search.nodes
    assert sorted(found.nodes[found.final].tolist()) == sorted(set(nodes))
    for row in range(len(nodes)):
        path = found.path(row)
        assert len(path) == found.depths[row] + 1
        assert len({nodes[step] for step in path}) == len(path)
        assert nodes[path[0]] in case.seeds
        for before, after in pairwise(path):
            assert case.edges[found.edges[after]] == (nodes[before], nodes[after])
    for node in set(nodes):
        gains = found.gains[found.nodes == node].tolist()
        assert gains == sorted(set(gains))
        assert bool(found.final[found.nodes == node][-1])
