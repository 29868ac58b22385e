from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aitia.analyst.graph_protocols import GateClaim, ModuleSummary
from aitia.methods.hug.config import BuildSettings
from aitia.methods.hug.entities import Entity, EntityGraph, Link
from aitia.methods.hug.gates import judge_gates
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.spec.model import Quote

ALIKE = np.array([[1.0, 0.0]] * 4, np.float32)
UNLIKE = np.eye(4, dtype=np.float32)
DOCUMENTS = {"c0": "d0", "c1": "d1", "c2": "d1"}


class Judge:
    """Says of every pair what it is told to, and keeps what it was asked."""

    def __init__(self, forward=0.9, backward=0.0):
        self.forward, self.backward = forward, backward
        self.asked = []
        self.quotes = []

    def judge_gates(self, requests):
        self.asked += [(request.first.key, request.second.key) for request in requests]
        self.quotes += [[quote.text for quote in request.quotes] for request in requests]
        return [
            GateClaim(request.first.key, request.second.key, self.forward, self.backward, "said")
            for request in requests
        ]


def modules(*groups, parents=None, levels=None):
    keys = tuple("abcdefgh"[: len(groups)])
    return Hierarchy(
        keys,
        np.array(levels or [1] * len(groups)),
        np.array(parents or [-1] * len(groups)),
        tuple(np.array(group) for group in groups),
        tuple(ModuleSummary(key, key, key) for key in keys),
    )


def entities(count, *links):
    return EntityGraph(
        tuple(Entity(f"n{row}", "part", (f"n{row}",), (0,)) for row in range(count)),
        tuple(
            Link(
                source,
                target,
                "cause",
                True,
                False,
                0.9,
                tuple(Quote(text=text, chunk_id=chunk) for chunk, text in said),
            )
            for source, target, *said in links
        ),
    )


def judged(graph, hierarchy, vectors, judge, **settings):
    return judge_gates(graph, hierarchy, vectors, judge, BuildSettings(**settings), DOCUMENTS)


def test_modules_alike_and_apart_are_asked_about_each_pair_once():
    judge = Judge()
    gates = judged(entities(8), modules([0, 1], [2, 3], [4, 5], [6, 7]), ALIKE, judge)
    assert sorted(judge.asked) == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert all(gate.accepted for gate in gates)


def test_modules_unlike_are_asked_about_only_with_two_documents_of_stated_causes():
    pair = modules([0, 1, 4, 5, 6], [2, 3, 7, 8, 9])
    one = entities(10, (0, 2, ("c1", "x causes y")), (1, 3, ("c2", "z causes w")))  # both chunks of d1
    judge = Judge()
    assert judged(one, pair, UNLIKE[:2], judge) == []
    two = entities(10, (0, 2, ("c1", "x causes y")), (1, 3, ("c0", "z causes w"), ("c2", "more")))
    judged(two, pair, UNLIKE[:2], judge)
    assert judge.asked == [("a", "b")]
    assert judge.quotes == [["x causes y", "z causes w"]]  # of d1 those of one chunk only


def test_modules_are_asked_about_if_most_pairs_of_members_are_farther_than_two_hops():
    pair = modules([0, 1], [2, 3])
    one_of_four = entities(4, (0, 2, ("c0", "x")))
    assert len(judged(one_of_four, pair, ALIKE[:2], Judge())) == 1
    two_of_four = entities(4, (0, 2, ("c0", "x")), (1, 2, ("c1", "y")))
    assert judged(two_of_four, pair, ALIKE[:2], Judge()) == []
    assert len(judged(two_of_four, pair, ALIKE[:2], Judge(), gate_hops=0)) == 1


@pytest.mark.parametrize(
    ("forward", "backward", "gate"),
    [
        (0.7, 0.0, (0, 1, 0.7, 0.0, True)),
        (0.69, 0.0, (0, 1, 0.69, 0.0, False)),
        (0.1, 0.8, (1, 0, 0.8, 0.1, True)),
        (0.9, 0.75, (0, 1, 0.9, 0.75, False)),
    ],
)
def test_a_gate_is_accepted_if_one_direction_alone_is_sure(forward, backward, gate):
    (found,) = judged(entities(4), modules([0, 1], [2, 3]), ALIKE[:2], Judge(forward, backward))
    assert (found.source, found.target, found.confidence, found.reverse, found.accepted) == gate


def test_no_module_is_asked_about_more_often_than_the_cap():
    judge = Judge()
    judged(entities(8), modules([0, 1], [2, 3], [4, 5], [6, 7]), ALIKE, judge, max_gates=1)
    assert judge.asked == [("a", "b"), ("c", "d")]


def test_coarse_pairs_first_and_below_a_gate_no_more():
    """a and b are parts of e, c and d of f: what e has a gate with, and all of it, is settled."""
    groups = [0, 1], [2, 3], [4, 5], [6, 7], [0, 1, 2, 3], [4, 5, 6, 7]
    hierarchy = modules(*groups, levels=[1, 1, 1, 1, 2, 2], parents=[4, 4, 5, 5, -1, -1])
    vectors = np.array([[1.0, 0.0]] * 6, np.float32)
    judge = Judge()
    judged(entities(8), hierarchy, vectors, judge)
    assert judge.asked[0] == ("e", "f")
    assert not {("e", "c"), ("e", "d"), ("f", "a"), ("f", "b")} & set(judge.asked)
    refused = Judge(forward=0.0)
    judged(entities(8), hierarchy, vectors, refused)
    assert {("e", "c"), ("e", "d"), ("f", "a"), ("f", "b")} <= set(refused.asked)


def test_a_judge_that_leaves_a_pair_out_makes_no_gate():
    judge = Judge()
    judge.judge_gates = lambda requests: []
    assert judged(entities(4), modules([0, 1], [2, 3]), ALIKE[:2], judge) == []


def test_no_modules():
    assert (
        judged(
            entities(0),
            replace(
                modules([0, 1]),
                keys=(),
                levels=np.zeros(0, int),
                parents=np.zeros(0, int),
                members=(),
                summaries=(),
            ),
            ALIKE[:0],
            Judge(),
        )
        == []
    )
