"""Would a second judge say the same? Rank correlations of the scores, and the flags that survive.

Spearman's rho and Kendall's tau-b, of the systems' means (is the ranking the same?) and of the single
questions' scores (do the judges mean the same?).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from aitia.errors import UsageError
from aitia.evaluation.statistics.comparisons import ComparedPair, Verdict
from aitia.evaluation.statistics.question_scores import BenchScores, Measure

FOUND: frozenset[Verdict] = frozenset({"better", "worse"})
"""Verdicts that are flags."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rank correlations over ``n`` pairs, in [-1, 1]; None where one side does not vary or n < 2."""

    n: int
    spearman: float | None
    kendall: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges on one metric. ``shift`` is the second's mean less the first's over the same scores."""

    metric: str
    first: str
    second: str
    systems: Correlation
    questions: Correlation
    shift: float


@dataclass(frozen=True, slots=True)
class Flag:
    """One comparison as two judges see it."""

    first: ComparedPair
    second: ComparedPair

    @property
    def significant(self) -> bool:
        """Whether the first judge finds a difference."""
        return self.first.verdict in FOUND

    @property
    def survives(self) -> bool:
        """Whether the second judge finds the same, or finds nothing either."""
        return (
            self.first.verdict == self.second.verdict or not {self.first.verdict, self.second.verdict} & FOUND
        )


def judges_agreement(bench: BenchScores, metric: str, first: str, second: str) -> Agreement:
    """How two judges agree, over the questions that both scored of each system; all systems' together.

    Raises:
        UsageError: no question of any system was scored by both.

    """
    means, questions = [], []
    for system in bench.systems.values():
        one = system.scores.get(Measure(metric, first), {})
        other = system.scores.get(Measure(metric, second), {})
        pairs = [(one[id], other[id]) for id in sorted(one.keys() & other.keys())]
        if pairs:
            means.append(np.mean(pairs, axis=0))
            questions.extend(pairs)
    if not questions:
        raise UsageError(f"{metric}: no question was scored by both judges, {first!r} and {second!r}")
    scores = np.array(questions, dtype=np.float64)
    return Agreement(
        metric,
        first,
        second,
        correlate(means),
        correlate(scores),
        float((scores[:, 1] - scores[:, 0]).mean()),
    )


def correlate(pairs: ArrayLike) -> Correlation:
    """The rank correlations of pairs, shape (n, 2)."""
    from scipy.stats import kendalltau, spearmanr

    values = np.asarray(pairs, dtype=np.float64).reshape(-1, 2)
    if len(values) < 2 or (values == values[0]).all(axis=0).any():
        return Correlation(len(values), None, None)
    first, second = values.T
    spearman, kendall = spearmanr(first, second).statistic, kendalltau(first, second).statistic
    return Correlation(len(values), float(spearman), float(kendall))


def match_flags(first: Sequence[ComparedPair], second: Sequence[ComparedPair]) -> tuple[Flag, ...]:
    """The comparisons that two judges both make, in the first's order; not those of too few questions to both."""
    others = {_key(pair): pair for pair in second}
    flags = (Flag(pair, others[_key(pair)]) for pair in first if _key(pair) in others)
    return tuple(flag for flag in flags if {flag.first.verdict, flag.second.verdict} != {"too few"})


def _key(pair: ComparedPair) -> tuple[str, str, str, str]:
    return pair.measure.metric, pair.slice, pair.baseline, pair.system
