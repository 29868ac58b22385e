from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import bootstrap

from aitia.errors import UsageError
from aitia.evaluation.statistics import compare as module
from aitia.evaluation.statistics.compare import compare


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


def test_means_that_are_nought_but_for_rounding_count_as_nought():
    # 0.3 - 0.1 - 0.1 - 0.1 is 5.6e-17 in floating point. All 4**4 resamples, exactly: 108 have the mean 0.
    differences = {"a": Fraction(3, 10), "b": Fraction(-1, 10), "c": Fraction(-1, 10), "d": Fraction(-1, 10)}
    sums = [sum(draw) for draw in product(differences.values(), repeat=4)]
    assert sums.count(0) == 108
    tail = min(sum(s <= 0 for s in sums), sum(s >= 0 for s in sums)) / 256
    result = compare(dict.fromkeys(differences, 0.0), {id: float(d) for id, d in differences.items()})
    assert result.p == pytest.approx(min(1.0, 2 * tail), abs=8 * np.sqrt(tail * (1 - tail) / 10_000))


def random_case(case: int) -> np.ndarray:
    """Differences of the kinds that scores have: smooth, 0 or 1, mostly 0, skewed."""
    generator = np.random.default_rng(1_000 + case)
    n = int(generator.integers(6, 50))
    kinds = (
        generator.normal(0.02, 0.2, n),
        generator.integers(-1, 2, n).astype(float),
        generator.choice([0.0, 0.0, 0.0, 0.5, -1.0], n),
        generator.exponential(0.3, n) - 0.25,
    )
    return np.round(kinds[case % 4], 6)


def within(value: float, means: np.ndarray, share: float, standard_errors: float = 4.0) -> bool:
    """Whether a value is that quantile of the means but for the error of drawing both.

    The number of means below a quantile is binomial, whatever their distribution, so the standard error
    is taken in ranks: of 10,000 draws sqrt(10,000 * share * (1 - share)), times sqrt(2) for two drawings.
    """
    ordered = np.sort(means)
    error = standard_errors * np.sqrt(2 * len(means) * share * (1 - share))
    first = int(np.floor(share * len(means) - error))
    last = int(np.ceil(share * len(means) + error))
    return bool(ordered[max(first, 0)] - 1e-9 <= value <= ordered[min(last, len(means) - 1)] + 1e-9)


@pytest.mark.parametrize("case", range(50))
def test_as_an_implementation_that_draws_how_often_each_question_comes(case):
    differences = random_case(case)
    n = len(differences)
    counts = np.random.default_rng(case).multinomial(n, np.full(n, 1 / n), size=10_000)
    means = np.round(counts @ differences / n, 12)
    ids = [f"q{i}" for i in range(n)]
    result = compare(dict.fromkeys(ids, 0.0), dict(zip(ids, differences.tolist(), strict=True)))
    assert within(result.low, means, 0.025)
    assert within(result.high, means, 0.975)
    tail = min((means <= 0).mean(), (means >= 0).mean())
    error = 4 * np.sqrt(2 * max(tail, 1e-3) * (1 - tail) / 10_000)
    assert result.p == pytest.approx(min(1.0, 2 * tail), abs=2 * error)


@pytest.mark.parametrize("case", [0, 3, 4, 7])
def test_as_scipy(case):
    differences = random_case(case)
    theirs = bootstrap(
        (differences,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(9)
    )
    ids = [f"q{i}" for i in range(len(differences))]
    result = compare(dict.fromkeys(ids, 0.0), dict(zip(ids, differences.tolist(), strict=True)))
    assert within(result.low, theirs.bootstrap_distribution, 0.025)
    assert within(result.high, theirs.bootstrap_distribution, 0.975)
    assert result.low == pytest.approx(theirs.confidence_interval.low, abs=0.03)
    assert result.high == pytest.approx(theirs.confidence_interval.high, abs=0.03)
