from __future__ import annotations

import numpy as np

from aitia.graph.csr import adjacency
from aitia.graph.traverse import or_at, spread_labels, start_labels, take_reachable

#   0 -> 1 -> 2 -> 0   and   3 -> 2 -> 4
SOURCES, TARGETS = np.array([0, 1, 2, 3, 2]), np.array([1, 2, 0, 2, 4])
FORWARD, BACKWARD = adjacency(SOURCES, TARGETS, 5), adjacency(TARGETS, SOURCES, 5)


def levels_of(seeds, inside=None):
    known, level = start_labels(np.array(seeds), 5)
    levels = []
    while len(level.nodes):
        levels.append(dict(zip(level.nodes.tolist(), level.gained.tolist(), strict=True)))
        level = spread_labels(FORWARD, BACKWARD, known, level, inside)
    return levels, known.tolist()


def test_bits_arrive_after_as_many_levels_as_hops():
    levels, known = levels_of([3, 0])  # bit 0 is of node 3, bit 1 of node 0
    assert levels == [{0: 2, 3: 1}, {1: 2, 2: 1}, {0: 1, 2: 2, 4: 1}, {1: 1, 4: 2}]
    assert known == [3, 3, 3, 1, 3]


def test_nodes_outside_are_not_entered():
    levels, known = levels_of([3], np.array([True, True, False, True, True]))
    assert levels == [{3: 1}]
    assert known == [0, 0, 0, 1, 0]


def test_labels_that_meet_in_one_place():
    sets = np.array([0b1000, 0], np.uint16)
    or_at(sets, np.array([0, 0, 1, 0]), np.array([0b001, 0b010, 0b100, 0b001], np.uint16))
    assert sets.tolist() == [0b1011, 0b100]


def test_what_was_taken_is_free_no_longer():
    free = np.array([True, True, False, True, True])
    found = take_reachable(BACKWARD, np.array([2]), free)
    assert sorted(found.tolist()) == [0, 1, 3]
    assert free.tolist() == [False, False, False, False, True]
    assert take_reachable(BACKWARD, np.array([2]), free).tolist() == []
