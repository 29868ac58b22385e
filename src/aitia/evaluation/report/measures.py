"""Means of the scores by system, judge, metric and type of question, each with what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from aitia.evaluation.compare import RESAMPLES, SEED
from aitia.evaluation.report.bench_folder import Bench

ALL = ""
"""The type that stands for all questions."""

Values = Mapping[tuple[str, int], float | None]
"""Scores of one metric by question id and run; None is NaN."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over ``n`` questions, each averaged over its runs first.

    ``sd`` is the sample standard deviation of the runs' means, None for one run. ``low`` to ``high`` is the
    95 % interval of a bootstrap over questions (percentiles, 10,000 resamples). ``nan`` and ``failed`` count
    pairs of a question and a run: a score that is not a number, an answer that ended with an error.
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
    nan: int
    failed: int


def measure(bench: Bench) -> tuple[Measure, ...]:
    """Every measure of a benchmark: by system, then judge and metric in the order of the records, then type."""
    return tuple(
        found
        for system in bench.systems
        for (judge, metric), values in _values(bench, system).items()
        for found in _by_type(bench, system, judge, metric, values)
    )


def question_means(bench: Bench, system: str) -> dict[tuple[str, str], dict[str, float]]:
    """A system's scores by judge and metric, then by question id, averaged over runs."""
    return {key: _means(values) for key, values in _values(bench, system).items()}


def _values(bench: Bench, system: str) -> dict[tuple[str, str], dict[tuple[str, int], float | None]]:
    failed = {(a.id, a.run) for a in bench.answers.get(system, ()) if a.error is not None}
    found: dict[tuple[str, str], dict[tuple[str, int], float | None]] = {}
    for record in bench.scores.get(system, ()):
        if (record.id, record.run) in failed:
            continue
        for metric, value in record.scores.items():
            number = None if value is None or value != value else float(value)
            found.setdefault((record.judge, metric), {})[record.id, record.run] = number
    return found


def _by_type(bench: Bench, system: str, judge: str, metric: str, values: Values) -> Iterable[Measure]:
    answers = bench.answers.get(system, ())
    types = {a.id: a.type for a in answers}
    failed = [a.type for a in answers if a.error is not None]
    for kind in (*bench.types, ALL):
        of_kind = {key: value for key, value in values.items() if kind == ALL or types.get(key[0]) == kind}
        if not of_kind:
            continue
        means = _means(of_kind)
        runs = _run_means(of_kind)
        numbers = np.array([means[id] for id in sorted(means)], dtype=np.float64)
        low, high = interval(numbers) if numbers.size > 1 else (None, None)
        yield Measure(
            system=system,
            judge=judge,
            metric=metric,
            type=kind,
            mean=float(numbers.mean()) if numbers.size else None,
            sd=float(np.std(runs, ddof=1)) if len(runs) > 1 else None,
            low=low,
            high=high,
            runs=len(runs),
            n=len(means),
            nan=sum(value is None for value in of_kind.values()),
            failed=len(failed) if kind == ALL else failed.count(kind),
        )


def _means(values: Values) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for (id, _), value in sorted(values.items()):
        if value is not None:
            found.setdefault(id, []).append(value)
    return {id: sum(each) / len(each) for id, each in found.items()}


def _run_means(values: Values) -> Sequence[float]:
    found: dict[int, list[float]] = {}
    for (_, run), value in sorted(values.items()):
        if value is not None:
            found.setdefault(run, []).append(value)
    return [sum(each) / len(each) for _, each in sorted(found.items())]


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
