"""Every system against one of them, on the headline metrics: what ``aitia compare`` finds, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from aitia.errors import UsageError
from aitia.evaluation.aggregate import Rules, metric_applies
from aitia.evaluation.report.tables import SYSTEM, Cell, Head, Key, Table
from aitia.evaluation.report.wording import NONE, metric_label, plain, signed
from aitia.evaluation.statistics.comparisons import ComparedPair, compare_systems, pair_systems
from aitia.evaluation.statistics.question_scores import BenchScores, Measure
from aitia.evaluation.statistics.slices import ALL

NOTE = (
    "Mean of system − baseline over the questions that both have a score of (n), each averaged over its runs "
    "first, with the 95 % interval of a paired bootstrap (10,000 resamples). q is p adjusted after Benjamini and "
    "Hochberg within the metric. Better or worse: q is at most .05. Too few: the scores of fewer than six "
    "questions differ, and nothing is tested. Anything else is not significant, which does not say that the two "
    "do equally well."
)


def difference_table(
    scores: BenchScores, baseline: str, keys: Sequence[Key], order: Sequence[str], rules: Rules
) -> Table:
    """Differences from a baseline, each metric over the questions that it is of.

    Raises:
        UsageError: the baseline has no scores, or nothing in common with the others.

    """
    systems = [name for name in order if name in scores.systems]
    if baseline not in systems:
        raise UsageError(
            f"baseline {plain(baseline)!r} has no scores here; expected one of {', '.join(systems) or 'none'}"
        )
    pairs = pair_systems(systems, baseline)
    measures = [Measure(metric, judge) for judge, metric in keys]
    found: dict[tuple[str, Measure], ComparedPair] = {}
    for measure in measures:
        asked = {id for id, of in scores.questions.items() if metric_applies(measure.metric, of.type, rules)}
        with suppress(UsageError):  # a metric that no two systems have in common: its cells say so
            for pair in compare_systems(scores, pairs, [measure], {ALL: asked}):
                found[pair.system, measure] = pair
    if not found:
        raise UsageError(
            f"nothing to compare: {plain(baseline)!r} has no scored question in common with another"
        )
    rows = [
        (Cell(plain(name)), *(_cell(found.get((name, measure))) for measure in measures))
        for name in systems
        if name != baseline
    ]
    head = [Head(metric_label(measure.metric), plain(measure.judge)) for measure in measures]
    return Table("differences", f"Differences from {plain(baseline)}", (SYSTEM, *head), tuple(rows), NOTE)


def _cell(pair: ComparedPair | None) -> Cell:
    if pair is None or pair.result is None:
        return Cell(NONE, None, "no question in common")
    q = "" if pair.q is None else f"q {_small(pair.q)}, "
    spread = f"[{signed(pair.result.low)}, {signed(pair.result.high)}]"
    sizes = f"n {pair.n:,}, {pair.differing:,} differing"
    return Cell(signed(pair.result.delta), pair.result.delta, f"{spread} {q}{sizes}, {pair.verdict}")


def _small(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
