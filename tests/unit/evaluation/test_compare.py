from __future__ import annotations

import numpy as np
import pytest

from aitia.errors import UsageError
from aitia.evaluation import compare as module
from aitia.evaluation.compare import compare


def test_a_system_against_itself_does_not_differ():
    scores = {f"q{i}": i / 7 for i in range(8)}
    result = compare(scores, scores)
    assert (result.n, result.delta, result.low, result.high, result.p) == (8, 0.0, 0.0, 0.0, 1.0)


def test_one_constant_difference_has_no_spread():
    # Exact in binary, so every mean is 0.25.
    result = compare({"a": 0.5, "b": 0.25}, {"a": 0.75, "b": 0.5})
    assert (result.baseline, result.system) == (0.375, 0.625)
    assert (result.delta, result.low, result.high, result.p) == (0.25, 0.25, 0.25, 0.0)


def test_two_questions_worked_by_hand():
    # Differences 1 and 0: a resample's mean is 0, 0.5 or 1 with odds 1:2:1, so the interval is all of
    # them; a quarter lies at or below 0, hence p = 0.5 up to the error of 10,000 draws (4 sigma: 0.035).
    result = compare({"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 0.0})
    assert (result.delta, result.low, result.high) == (0.5, 0.0, 1.0)
    assert result.p == pytest.approx(0.5, abs=0.035)


def test_opposite_differences_cancel():
    # Means -1, 0 and 1 with odds 1:2:1: three quarters lie in either tail, and p is held to 1.
    result = compare({"a": 0.0, "b": 1.0}, {"a": 1.0, "b": 0.0})
    assert (result.delta, result.low, result.high, result.p) == (0.0, -1.0, 1.0, 1.0)


def test_the_interval_is_that_of_the_normal_approximation():
    generator = np.random.default_rng(0)
    differences = generator.normal(0.1, 1.0, 400)
    ids = [f"q{i}" for i in range(400)]
    result = compare(dict.fromkeys(ids, 0.0), dict(zip(ids, differences, strict=True)))
    half = 1.96 * differences.std() / 20
    assert result.low == pytest.approx(result.delta - half, abs=0.01)
    assert result.high == pytest.approx(result.delta + half, abs=0.01)


def test_only_common_questions_count():
    result = compare({"a": 0.0, "b": 0.0, "only": 9.0}, {"a": 1.0, "b": 1.0, "other": 9.0})
    assert (result.n, result.delta) == (2, 1.0)


def test_no_common_question_is_an_error():
    with pytest.raises(UsageError, match="no question in common"):
        compare({"a": 1.0}, {"b": 1.0})


def test_swapping_the_two_mirrors_the_result():
    a = {f"q{i}": (i * 7 % 11) / 11 for i in range(40)}
    b = {f"q{i}": (i * 5 % 13) / 13 for i in range(40)}
    forward, backward = compare(a, b), compare(b, a)
    assert forward.delta == -backward.delta
    assert forward.low == pytest.approx(-backward.high, abs=1e-12)
    assert forward.p == backward.p


def test_order_and_blocks_change_nothing(monkeypatch):
    a = {f"q{i}": (i * 7 % 11) / 11 for i in range(40)}
    b = {f"q{i}": (i * 5 % 13) / 13 for i in range(40)}
    expected = compare(a, b)
    assert compare(dict(reversed(a.items())), b) == expected
    assert compare(a, b, seed=43) != expected
    monkeypatch.setattr(module, "_CELLS", 4_000)
    assert compare(a, b) == expected
