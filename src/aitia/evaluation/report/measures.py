"""The means of `aitia.evaluation.aggregate`, each with its questions counted and an interval where there is one run."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from aitia.evaluation.aggregate import (
    ABSTAINED_RIGHT,
    OVERALL,
    Aggregate,
    Rules,
    aggregate,
    metric_applies,
    rules_of,
)
from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.statistics.compare import RESAMPLES, SEED

ALL = OVERALL
"""The type that stands for all questions that a metric is of."""

Place = tuple[str, str, str, str]
"""System, judge, metric, type."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over ``n`` questions and ``runs``, of ``scores``; what is not known is None.

    ``sd`` is the sample standard deviation of the runs' means, None for one run. ``low`` to ``high`` is the
    95 % interval of a bootstrap over questions, each averaged over its runs (percentiles, 10,000 resamples).
    ``nan`` and ``failed`` count answers over all runs: those without a score, and those that are none.
    """

    system: str
    judge: str
    metric: str
    type: str
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    runs: int
    n: int
    scores: int
    nan: int
    failed: int
    over_runs: bool = False
    """Whether the runs of this judge and metric differ at all, of any system: what spread is shown."""


def measure(bench: Bench) -> tuple[Measure, ...]:
    """Every measure of a benchmark: systems and types in its order, judges in that of asking."""
    rules = rules_of(bench.dataset)
    found: dict[str, list[Aggregate]] = defaultdict(list)
    answers = [answer for name in bench.systems for answer in bench.answers.get(name, ())]
    scores = [score for name in bench.systems for score in bench.scores.get(name, ())]
    asked = bench.settings.get("judges")
    order = asked if isinstance(asked, list) else []
    judges = list(dict.fromkeys(["", *order, *(score.judge for score in scores)]))
    for each in aggregate(answers, scores, rules):
        found[each.system].append(each)
    measures = [
        _measure(each, values.get((each.system, each.judge, each.metric, each.type), {}))
        for system in bench.systems
        for values in [_values(bench, system, rules)]
        for each in sorted(found[system], key=lambda each: judges.index(each.judge))
    ]
    differ = {(each.judge, each.metric) for each in measures if each.sd}
    return tuple(replace(each, over_runs=(each.judge, each.metric) in differ) for each in measures)


def _measure(each: Aggregate, values: Mapping[str, list[float]]) -> Measure:
    numbers = np.array([math.fsum(runs) / len(runs) for _, runs in sorted(values.items())], dtype=np.float64)
    low, high = interval(numbers) if numbers.size > 1 else (None, None)
    return Measure(
        *(each.system, each.judge, each.metric, each.type),
        mean=None if math.isnan(each.mean) else each.mean,
        sd=None if math.isnan(each.deviation) else each.deviation,
        low=low,
        high=high,
        runs=each.runs,
        n=len(numbers),
        scores=each.n,
        nan=each.nan,
        failed=each.failed,
    )


def _values(bench: Bench, system: str, rules: Rules) -> dict[Place, dict[str, list[float]]]:
    """The scores that a mean is of, by question; of answers that failed there are none."""
    kinds = {(a.id, a.run): a.type for a in bench.answers.get(system, ()) if a.error is None}
    found: dict[Place, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in bench.scores.get(system, ()):
        kind = kinds.get((record.id, record.run))
        for metric, value in record.scores.items():
            if kind is None or value is None or math.isnan(value):
                continue
            if metric == ABSTAINED_RIGHT or metric_applies(metric, kind, rules):
                for group in (kind, ALL):
                    found[system, record.judge, metric, group][record.id].append(value)
    return found


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of the means of 10,000 resamples of values of shape (n,)."""
    means = _draws(len(values)) @ values.astype(np.float32) / np.float32(len(values))
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


@lru_cache(maxsize=8)
def _draws(n: int) -> NDArray[np.float32]:
    """How often each of n questions is drawn, shape (RESAMPLES, n): shared by all that have as many."""
    generator = np.random.default_rng(SEED)
    counts = np.empty((RESAMPLES, n), dtype=np.float32)
    for row in counts:
        row[:] = np.bincount(generator.integers(n, size=n), minlength=n)
    return counts
