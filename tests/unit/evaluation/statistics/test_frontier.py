from __future__ import annotations

import numpy as np

from aitia.evaluation.statistics.frontier import Standing, on_frontier, undominated


def test_published_standings():
    # HCG M, Fast-GraphRAG and MS global of the medical table; MS local is worse than M in all three.
    systems = {
        "fast": Standing(0.690, 0.525, 5807),
        "ms-global": Standing(0.573, 0.649, 5130),
        "ms-local": Standing(0.654, 0.600, 5130),
        "hcg:M": Standing(0.679, 0.616, 1064),
    }
    assert on_frontier(systems) == ("fast", "ms-global", "hcg:M")


def test_two_alike_both_stay():
    assert on_frontier({"a": Standing(0.5, 0.5, 9), "b": Standing(0.5, 0.5, 9)}) == ("a", "b")


def test_one_node_less_dominates_what_is_else_alike():
    assert on_frontier({"a": Standing(0.5, 0.5, 9), "b": Standing(0.5, 0.5, 8)}) == ("b",)


def test_none_and_one():
    assert on_frontier({}) == ()
    assert on_frontier({"a": Standing(0, 0, 0)}) == ("a",)
    assert undominated(np.empty((0, 3))).tolist() == []
