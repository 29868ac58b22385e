from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from aitia.evaluation.statistics.families import adjust


def step_up(p: list[float], level: float) -> list[bool]:
    """Benjamini and Hochberg's own procedure: reject the k smallest, k the last with p(k) <= k/m * level."""
    ordered = sorted(p)
    last = max((k for k, value in enumerate(ordered, 1) if value * len(p) <= k * level), default=0)
    return [value <= ordered[last - 1] for value in p] if last else [False] * len(p)


def test_four_worked_by_hand():
    # Sorted 0.005, 0.01, 0.03, 0.04, times 4/1, 4/2, 4/3, 4/4: 0.02, 0.02, 0.04, 0.04.
    q = adjust([0.01, 0.04, 0.03, 0.005], ["one"] * 4)
    assert q.tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_a_larger_p_pulls_the_q_of_a_smaller_one_down():
    # 0.02 * 3/1 = 0.06, 0.021 * 3/2 = 0.0315, 0.9: the first is no surer than the second.
    assert adjust([0.02, 0.021, 0.9], [0, 0, 0]).tolist() == pytest.approx([0.0315, 0.0315, 0.9])


def test_families_do_not_touch_each_other():
    q = adjust([0.01, 0.5, 0.02, 0.04], ["a", "b", "a", "b"])
    assert q.tolist() == pytest.approx([0.02, 0.5, 0.02, 0.08])


def test_a_family_of_one_keeps_its_p():
    assert adjust([0.03, 0.2], [("coverage", 1), ("coverage", 2)]).tolist() == [0.03, 0.2]


def test_nothing_to_adjust():
    assert adjust([], []).tolist() == []


@pytest.mark.parametrize("case", range(50))
def test_as_scipy_and_as_the_step_up_procedure(case):
    generator = np.random.default_rng(case)
    size = int(generator.integers(1, 40))
    p = np.round(generator.beta(0.4, 2.0, size), int(generator.integers(2, 8)))
    q = adjust(p.tolist(), [0] * size)
    assert q.tolist() == false_discovery_control(p).tolist()
    for level in generator.uniform(0.001, 0.3, 20):
        assert (q <= level).tolist() == step_up(p.tolist(), float(level))
