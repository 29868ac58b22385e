"""Is one system better than another on the same questions? A paired bootstrap.

Efron and Tibshirani, An Introduction to the Bootstrap (1993): questions are drawn with replacement and
the mean difference is taken each time. The interval is the 2.5th to the 97.5th percentile of these
means; p is twice the smaller of the shares at or below and at or above 0, at most 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.errors import UsageError

RESAMPLES = 10_000
SEED = 42
_CELLS = 4_000_000  # drawn at once: 32 MB
_ZERO = 1e-12  # a mean of scores in [0, 1] that near 0 is 0: 0.3 - 0.1 - 0.1 - 0.1 is 5.6e-17


@dataclass(frozen=True, slots=True)
class Comparison:
    """``delta`` is the mean of system - baseline over ``n`` questions, ``low`` to ``high`` its interval.

    On ``differing`` of them the two scores are not the same.
    """

    n: int
    differing: int
    baseline: float
    system: float
    delta: float
    low: float
    high: float
    p: float


def compare(
    baseline: Mapping[str, float],
    system: Mapping[str, float],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Compare two systems' scores by question id, over the ids that both have.

    The result depends on neither the order of the mappings nor on anything but the seed. Raises
    UsageError where the two have no question in common.
    """
    ids = sorted(baseline.keys() & system.keys())
    if not ids:
        raise UsageError("nothing to compare: the two runs have no question in common")
    before = np.array([baseline[id] for id in ids], dtype=np.float64)
    after = np.array([system[id] for id in ids], dtype=np.float64)
    differences = after - before
    means = _resampled_means(differences, resamples, seed)
    low, high = np.percentile(means, (2.5, 97.5))
    tail = min(float((means <= _ZERO).mean()), float((means >= -_ZERO).mean()))
    return Comparison(
        n=len(ids),
        differing=int((np.abs(differences) > _ZERO).sum()),
        baseline=float(before.mean()),
        system=float(after.mean()),
        delta=float(differences.mean()),
        low=float(low),
        high=float(high),
        p=min(1.0, 2 * tail),
    )


def _resampled_means(differences: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    n = len(differences)
    at_once = max(1, _CELLS // n)
    blocks = [
        differences[generator.integers(n, size=(min(at_once, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, at_once)
    ]
    return np.concatenate(blocks)
