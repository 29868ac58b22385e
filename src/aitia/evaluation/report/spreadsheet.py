"""A report as one long table: a row a system, judge, metric and type of question, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.report.costs import build_figures, question_figures
from aitia.evaluation.report.measures import ALL, Measure
from aitia.evaluation.report.tables import remarks
from aitia.evaluation.report.wording import plain
from aitia.workflows.export_formats import write_table

HEADER = (
    *("system", "judge", "metric", "type", "mean", "sd", "low", "high"),
    *("runs", "n", "scores", "nan", "failed", "remark"),
)
EVERY = "(all)"
"""The type of a row over all questions; a type of that name would be the same rows."""


def write_spreadsheet(bench: Bench, measures: Sequence[Measure]) -> str:
    """The report as CSV, unrounded to six decimals; no cell is a formula to a spreadsheet.

    Sizes and costs are rows too, without n; a system with a remark has a row of its own that says it.
    """
    return write_table(HEADER, _rows(bench, measures))


def _rows(bench: Bench, measures: Sequence[Measure]) -> Iterable[tuple[object, ...]]:
    said = remarks(bench)
    for system in bench.systems:
        name = plain(system)
        if system in said:
            failed = sum(answer.error is not None for answer in bench.answers.get(system, ()))
            yield (name, *[""] * 11, failed, said[system])
        for each in measures:
            if each.system == system:
                yield _row(name, each)
        costs = build_figures(bench.builds.get(system)) | question_figures(bench.answers.get(system, ()))
        for metric, value in costs.items():
            if value is not None:
                yield (name, "", metric, EVERY, _number(value), *[""] * 9)


def _row(name: str, each: Measure) -> tuple[object, ...]:
    kind = EVERY if each.type == ALL else plain(each.type)
    numbers = [_number(value) for value in (each.mean, each.sd, each.low, each.high)]
    counts = (each.runs, each.n, each.scores, each.nan, each.failed)
    return (name, plain(each.judge), plain(each.metric), kind, *numbers, *counts, "")


def _number(value: float | None) -> object:
    return "" if value is None else round(value, 6) + 0.0 if isinstance(value, float) else value
