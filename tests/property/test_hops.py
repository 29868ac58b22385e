"""Expansion over neighbours agrees with sets of nodes, a step at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.graph.hops import expand_hops


@st.composite
def cases(draw):
    nodes, width = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    entry = st.integers(-1, nodes - 1)
    table = draw(st.lists(st.lists(entry, min_size=width, max_size=width), min_size=nodes, max_size=nodes))
    return table, draw(st.lists(st.integers(0, nodes - 1), max_size=4)), draw(st.integers(0, 5))


@given(cases())
def test_hops_are_the_least_numbers_of_steps(case):
    table, seeds, hops = case
    least = dict.fromkeys(seeds, 0)
    union, last = set(seeds), set(seeds)
    for step in range(1, hops + 1):
        last = {other for node in last for other in table[node] if other >= 0}
        union |= last
        for node in last:
            least.setdefault(node, step)
    found = expand_hops(np.array(table), np.array(seeds, np.int64), hops)
    assert set(found.nodes.tolist()) == union
    assert list(zip(found.hops.tolist(), found.nodes.tolist(), strict=True)) == sorted(
        (step, node) for node, step in least.items()
    )
