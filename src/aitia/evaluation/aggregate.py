"""Means of metrics by question type and overall, as the papers publish them, with what has no score beside each.

GraphRAG-Bench and HCG-RAG report correctness over all questions (so by type weighted with its count), ROUGE-L
over fact retrieval and complex reasoning, coverage over summaries and creative answers, faithfulness over
creative ones; EpilepsyQA has ROUGE-L over all types but synthesis, and coverage over synthesis. Questions
without an answer are a class of their own, in which only abstaining counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from aitia.evaluation.datasets.question import NULL_TYPES
from aitia.evaluation.records import AnswerRecord, ScoreRecord

OVERALL = "ALL"
ABSTAINED_RIGHT = "abstained_right"

FACT, REASONING, SUMMARY, CREATIVE = (
    "Fact Retrieval", "Complex Reasoning", "Contextual Summarize", "Creative Generation",
)  # fmt: skip
SYNTHESIS = "Synthesis"
_NULL = frozenset(NULL_TYPES)


@dataclass(frozen=True, slots=True)
class TypeRule:
    """The question types that a metric is of: those named, or all but those in ``without``."""

    only: frozenset[str] | None = None
    without: frozenset[str] = _NULL

    def takes(self, kind: str) -> bool:
        """Whether a question of this type has the metric."""
        return kind not in self.without and (self.only is None or kind in self.only)


Rules = Mapping[str, TypeRule]
"""By metric; another metric is of every type but those without an answer."""

GRAPHRAG_BENCH: Rules = {
    "rouge_l": TypeRule(frozenset({FACT, REASONING})),
    "coverage": TypeRule(frozenset({SUMMARY, CREATIVE})),
    "faithfulness": TypeRule(frozenset({CREATIVE})),
}
EPILEPSY_QA: Rules = {
    "rouge_l": TypeRule(without=_NULL | {SYNTHESIS}),
    "coverage": TypeRule(frozenset({SYNTHESIS})),
}
PUBLISHED: Mapping[str, Rules] = {
    "medical": GRAPHRAG_BENCH,
    "novel": GRAPHRAG_BENCH,
    "epilepsyqa": EPILEPSY_QA,
}
"""By dataset; another dataset has no rules but that for questions without an answer."""


def rules_of(dataset: str) -> Rules:
    """Those published of a dataset, whatever part of it was asked (``novel:SOURCE``)."""
    return PUBLISHED.get(dataset.partition(":")[0], {})


_NULL_ONLY = TypeRule(only=_NULL, without=frozenset())
_ANY = TypeRule()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A metric of one system over one question type, or `OVERALL`.

    ``mean`` is of the runs' means, ``deviation`` their sample standard deviation (NaN under two runs). Over all
    ``runs``: ``n`` scores, ``nan`` answers that were judged and have none, ``failed`` that are no answers.
    """

    system: str
    judge: str
    metric: str
    type: str
    mean: float
    deviation: float
    runs: int
    n: int
    nan: int
    failed: int


@dataclass(slots=True)
class _Tally:
    """What one run has of a metric and type."""

    total: float = 0.0
    n: int = 0
    nan: int = 0
    failed: int = 0


_Key = tuple[str, str, str, str]
"""System, judge, metric, type."""


def metric_applies(metric: str, kind: str, rules: Rules) -> bool:
    """Whether a metric is of questions of a type: whether it need be computed at all.

    Where a question without an answer is of another type than the null ones, it has ``abstained_right`` alone.
    """
    return _rule(metric, rules).takes(kind)


def aggregate(
    answers: Sequence[AnswerRecord], scores: Sequence[ScoreRecord], rules: Rules
) -> list[Aggregate]:
    """Every metric that any score has, by system, judge and metric in their order, types in the answers' order.

    An answer with an error counts as failed in every metric that its system has, whatever its scores. A metric
    that a score does not name was not asked for and is not counted; a score without an answer is left out. A
    type is not listed where the metric is not of it, or nothing was asked for.
    """
    tallies: dict[_Key, dict[int, _Tally]] = defaultdict(lambda: defaultdict(_Tally))
    given = _by_answer(scores)
    asked = _asked(scores)
    for answer in answers:
        for judge, metric in asked.get(answer.system, ()):
            named = given.get((answer.system, answer.run, answer.id, judge), {})
            if not _counts(metric, answer, named, rules):
                continue
            for kind in (answer.type, OVERALL):
                tally = tallies[answer.system, judge, metric, kind][answer.run]
                _count(tally, answer, named.get(metric))
    types = [*dict.fromkeys(answer.type for answer in answers), OVERALL]
    order = [
        (system, judge, metric, kind)
        for system, pairs in sorted(asked.items())
        for judge, metric in pairs
        for kind in types
    ]
    return [_aggregate(key, tallies[key]) for key in order if key in tallies]


def _counts(metric: str, answer: AnswerRecord, named: Mapping[str, float | None], rules: Rules) -> bool:
    """Whether an answer is among those that a metric is of."""
    if not metric_applies(metric, answer.type, rules):
        return metric == ABSTAINED_RIGHT and metric in named
    return answer.error is not None or metric in named


def _rule(metric: str, rules: Rules) -> TypeRule:
    return _NULL_ONLY if metric == ABSTAINED_RIGHT else rules.get(metric, _ANY)


def _by_answer(
    scores: Sequence[ScoreRecord],
) -> dict[tuple[str, int, str, str], Mapping[str, float | None]]:
    """The metrics of an answer by system, run, question and judge; those of a later record over an earlier's."""
    found: dict[tuple[str, int, str, str], Mapping[str, float | None]] = {}
    for score in scores:
        key = score.system, score.run, score.id, score.judge
        found[key] = {**found.get(key, {}), **score.scores}
    return found


def _asked(scores: Sequence[ScoreRecord]) -> dict[str, list[tuple[str, str]]]:
    """The judges and metrics of each system, sorted."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for score in scores:
        found[score.system].update((score.judge, metric) for metric in score.scores)
    return {system: sorted(pairs) for system, pairs in found.items()}


def _count(tally: _Tally, answer: AnswerRecord, value: float | None) -> None:
    if answer.error is not None:
        tally.failed += 1
    elif value is None or math.isnan(value):
        tally.nan += 1
    else:
        tally.total += value
        tally.n += 1


def _aggregate(key: _Key, runs: Mapping[int, _Tally]) -> Aggregate:
    means = np.array([tally.total / tally.n for _, tally in sorted(runs.items()) if tally.n])
    return Aggregate(
        *key,
        mean=float(means.mean()) if means.size else math.nan,
        deviation=float(means.std(ddof=1)) if means.size > 1 else math.nan,
        runs=len(runs),
        n=sum(tally.n for tally in runs.values()),
        nan=sum(tally.nan for tally in runs.values()),
        failed=sum(tally.failed for tally in runs.values()),
    )
