"""Definitions 2 to 4 on the worked graph of the fixtures."""

from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.hcg.cones import cone_members, cone_ranks

DOSE_A, DOSE_B, LEVEL_A, LEVEL_B, RISK_A = range(5)
DOSE, LEVEL, RISK = range(3)


def test_matches(walk):
    match = walk().match
    assert match.metrics.tolist() == [DOSE]
    assert match.sigma.tolist() == [0.5]
    assert match.tau.tolist() == pytest.approx([0.35])
    assert match.variables.tolist() == [DOSE_A, DOSE_B]
    assert match.cosines.tolist() == pytest.approx([0.5, 0.45])


@pytest.mark.parametrize(
    ("settings", "metrics", "variables"),
    [
        ({"tau_min": 0.5}, [DOSE], [DOSE_A, DOSE_B]),  # the band is lower than the gate: 0.4
        ({"tau_min": 0.5, "beta": 0.0}, [DOSE], [DOSE_A]),
        ({"tau_min": 0.5001}, [], []),
        ({"tau_min": 0.1}, [DOSE, RISK, LEVEL], [DOSE_A, DOSE_B, RISK_A, LEVEL_A, LEVEL_B]),
        ({"tau_min": 0.1, "metrics": 2}, [DOSE, RISK], [DOSE_A, DOSE_B, RISK_A]),
        ({"tau_min": 0.1, "per_metric": 1}, [DOSE, RISK, LEVEL], [DOSE_A, RISK_A, LEVEL_A]),
        ({"tau_min": 0.1, "band": "max", "beta": 0.05}, [DOSE, RISK, LEVEL], [DOSE_A, RISK_A, LEVEL_A]),
    ],
)
def test_gate_band_and_limits(walk, settings, metrics, variables):
    match = walk(**settings).match
    assert match.metrics.tolist() == metrics
    assert match.variables.tolist() == variables


def test_reach(walk):
    reach = walk().reach
    assert reach.hops.tolist() == [0, 0, 1, -1, 1]
    assert reach.edges.tolist() == [True, True, True, False]  # the edges walked: without the non-effect
    assert reach.isolated.tolist() == []
    assert reach.share == (0.8, 0.8, 0.8, 0.8)


def test_no_hops(walk):
    reach = walk(max_hops=0).reach
    assert reach.hops.tolist() == [0, 0, -1, -1, -1]
    assert reach.isolated.tolist() == [DOSE_A, DOSE_B]
    assert reach.edges.tolist() == [False, False, False, True]  # the only edge into either of them


def test_traversed_edges_leave_out_those_of_the_last_hop(walk):
    assert walk(max_hops=1).reach.edges.tolist() == [True, True, True, False]
    assert walk(max_hops=1, edges="traversed").reach.edges.tolist() == [True, True, False, False]


def test_nothing_is_walked_behind_an_outcome_where_it_stops(walk):
    found = walk(stop_at_outcomes=True, metrics=1, per_metric=1)
    assert found.reach.hops.tolist() == [0, -1, 1, -1, -1]
    assert found.reach.edges.tolist() == [True, False, False, False]


def test_cones(walk):
    cones = walk().cones
    risk, level = cones.kept
    assert (risk.metric, risk.convergence) == (RISK, 2)
    assert risk.nearness == pytest.approx(0.5 / 3 + 0.45 / 2)
    assert risk.similarity == pytest.approx(0.3)
    assert (level.metric, level.convergence) == (LEVEL, 1)
    assert level.nearness == pytest.approx(0.5 / 2)
    assert level.similarity == pytest.approx(0.2)  # the other level is outside G_q
    assert (cones.found, cones.tied) == (2, 0)


def test_who_is_in_a_cone(walk):
    found = walk()
    risk, level = found.cones.kept
    assert cone_members(found.reach, risk).tolist() == [DOSE_A, DOSE_B, LEVEL_A, RISK_A]
    assert cone_members(found.reach, level).tolist() == [DOSE_A, LEVEL_A]
    assert cone_ranks(found.reach, found.cones).tolist() == [0, 0, 0, -1, 0]


def test_cones_that_tie(walk):
    cones = walk(metrics=1, per_metric=1).cones  # one dose reaches both outcomes
    assert [cone.metric for cone in cones.kept] == [LEVEL, RISK]  # 0.5 / 2 before 0.5 / 3
    assert (cones.found, cones.tied) == (2, 2)


def test_the_best_cones_only(walk):
    found = walk(max_cones=1, metrics=1, per_metric=1)
    assert [cone.metric for cone in found.cones.kept] == [LEVEL]
    assert found.cones.found == 2
    assert found.chunks.tolist() == [0]


def test_chunks_by_cone_hops_and_cosine(walk):
    found = walk()
    # Chunk 2 is evidence of a first and a second hop, chunk 1 of a second, chunk 3 of no edge in G_q.
    assert found.chunks.tolist() == [2, 0, 1]
    assert found.keys.tolist() == [[0, 1], [0, 1], [0, 2]]


def test_chunks_of_a_later_cone_come_later(walk):
    found = walk(metrics=1, per_metric=1)
    assert found.chunks.tolist() == [0, 1, 2]
    assert found.keys.tolist() == [[0, 1], [1, 2], [1, 2]]


def test_chunks_by_the_nearer_end(walk):
    found = walk(order="nearest")
    assert found.chunks.tolist() == [2, 0, 1]
    assert found.keys.tolist() == [[0, 0], [0, 0], [0, 1]]


def test_without_cones_only_hops_and_cosine_count(walk):
    found = walk(cones=False, metrics=1, per_metric=1)
    assert found.chunks.tolist() == [0, 1, 2]
    assert found.keys.tolist() == [[0, 1], [0, 2], [0, 2]]


def test_nothing_matched(walk):
    found = walk(tau_min=0.9)
    assert not found.matched
    assert found.chunks.tolist() == []
    assert found.keys.shape == (0, 2)
    assert not found.reach.edges.any()


def test_a_walk_changes_nothing_that_it_was_given(retriever, ask):
    cosines = np.array([0.1, 0.9, 0.3, 0.05], np.float32)
    cosines.flags.writeable = False
    for settings in ({}, {"max_hops": 0}, {"tau_min": 0.9}):
        retriever.walk(ask(**settings), cosines)
    assert retriever.walk(ask(), cosines).chunks.tolist() == [2, 0, 1]
