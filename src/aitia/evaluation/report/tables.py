"""Tables as values: what stands in them, not how a format writes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from aitia.evaluation.aggregate import metric_applies, rules_of
from aitia.evaluation.report.bench_folder import Bench
from aitia.evaluation.report.measures import ALL, Measure
from aitia.evaluation.report.wording import (
    METRICS,
    NONE,
    is_retrieval,
    metric_label,
    metric_rank,
    plain,
    share,
)

_WIDEST = 6
"""Columns of metrics beside each other: as many as a page of a paper holds."""
MEANS = (
    "Means of the runs' means over n questions; ± is their sample standard deviation, brackets are the 95 % "
    "interval of a bootstrap over the questions, where there is one run or all are alike. A cell of fewer "
    "questions than its column has its own n; NaN are answers without a score, failed are no answers, both over "
    "all runs."
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Plain text without any markup, the number it sorts by, and small print."""

    text: str
    value: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: numbers stand to the right."""

    text: str
    note: str = ""
    number: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as there are heads. ``slug`` names it in files: letters, digits and ``-``."""

    slug: str
    title: str
    head: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


Key = tuple[str, str]
"""A judge and a metric."""
SYSTEM = Head("System", number=False)


def keys_of(measures: Iterable[Measure]) -> tuple[Key, ...]:
    """The judges and metrics that were measured, in the order in which they are shown."""
    found = dict.fromkeys((each.judge, each.metric) for each in measures)
    judges = list(dict.fromkeys(["", *(judge for judge, _ in found)]))
    return tuple(sorted(found, key=lambda key: (judges.index(key[0]), metric_rank(key[1]))))


def remarks(bench: Bench) -> dict[str, str]:
    """Why a system has no figures, or how many of its answers failed and the commonest reason."""
    found = {}
    for system in bench.systems:
        build, answers = bench.builds.get(system), bench.answers.get(system, ())
        errors = [answer.error for answer in answers if answer.error is not None]
        if build is not None and build.error is not None:
            found[system] = f"not built: {plain(build.error)}"
        elif errors:
            often = max(sorted(set(errors)), key=errors.count)
            found[system] = f"{len(errors):,} of {len(answers):,} answers failed, mostly: {plain(often)}"
        elif not answers:
            found[system] = "not run"
    return found


class QualityTables(NamedTuple):
    """All metrics side by side, and each metric by type of question."""

    overview: tuple[Table, ...]
    by_type: tuple[Table, ...]


def quality_tables(bench: Bench, measures: Sequence[Measure]) -> QualityTables:
    """What the systems scored; there is nothing by type where all questions are of one."""
    keys = keys_of(measures)
    by_place = {(m.system, m.judge, m.metric, m.type): m for m in measures}
    overview = [
        _overview(bench, by_place, title, keys[start : start + _WIDEST], part)
        for title, keys in _groups(keys)
        for part, start in enumerate(range(0, len(keys), _WIDEST), start=1)
    ]
    by_type = [_by_type(bench, by_place, key) for key in keys] if len(bench.types) > 1 else []
    return QualityTables(tuple(overview), tuple(by_type))


def _groups(keys: Sequence[Key]) -> list[tuple[str, list[Key]]]:
    groups: dict[str, list[Key]] = {}
    for judge, metric in keys:
        if judge:
            title = f"Answers, judged by {plain(judge)}"
        else:
            title = "Retrieval" if is_retrieval(metric) else "Answers, without a judge"
        groups.setdefault(title, []).append((judge, metric))
    return list(groups.items())


Places = Mapping[tuple[str, str, str, str], Measure]


def _overview(bench: Bench, places: Places, title: str, keys: Sequence[Key], part: int) -> Table:
    said = remarks(bench)
    columns = [[places.get((system, *key, ALL)) for system in bench.systems] for key in keys]
    head = [
        Head(metric_label(metric), _asked(column)) for (_, metric), column in zip(keys, columns, strict=True)
    ]
    rows = []
    for number, system in enumerate(bench.systems):
        cells = [mean_cell(column[number], _most(column)) for column in columns]
        rows.append((Cell(plain(system)), *cells, *([Cell(said.get(system, ""))] if said else [])))
    more = f" ({part})" if part > 1 else ""
    return Table(
        slug=slug_of(f"{title}{more}"),
        title=title + more,
        head=(SYSTEM, *head, *([Head("Remark", number=False)] if said else [])),
        rows=tuple(rows),
        note=MEANS + _published(bench, keys),
    )


def _published(bench: Bench, keys: Sequence[Key]) -> str:
    """Of which types the means are, where the dataset's papers say so."""
    rules = rules_of(bench.dataset)
    told = []
    for metric in dict.fromkeys(metric for _, metric in keys if metric in rules):
        kinds = [plain(kind) for kind in bench.types if metric_applies(metric, kind, rules)]
        told.append(f"{metric_label(metric)} is of {', '.join(kinds) or 'no type here'}")
    return f" As published, {'; '.join(told)}." if told else ""


def said_once(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables, without a note that the one before has."""
    notes = ["", *(table.note for table in tables)]
    return tuple(
        replace(table, note="") if table.note == before else table
        for before, table in zip(notes, tables, strict=False)
    )


def _by_type(bench: Bench, places: Places, key: Key) -> Table:
    judge, metric = key
    kinds = [
        kind
        for kind in (*bench.types, ALL)
        if any((system, judge, metric, kind) in places for system in bench.systems)
    ]
    columns = [[places.get((system, judge, metric, kind)) for system in bench.systems] for kind in kinds]
    head = [
        Head("All" if kind == ALL else plain(kind), _asked(column))
        for kind, column in zip(kinds, columns, strict=True)
    ]
    rows = [
        (Cell(plain(system)), *(mean_cell(column[number], _most(column)) for column in columns))
        for number, system in enumerate(bench.systems)
    ]
    by = f", judged by {plain(judge)}" if judge else ""
    return Table(
        slug=slug_of(f"types-{metric}-{judge}"),
        title=f"{metric_label(metric)} by type of question{by}",
        head=(SYSTEM, *head),
        rows=tuple(rows),
        note=MEANS,
    )


def mean_cell(found: Measure | None, most: int) -> Cell:
    """A mean with its spread, and what it leaves out of ``most`` questions."""
    if found is None:
        return Cell(NONE)
    left_out = [f"n {found.n:,}"] if found.n != most else []
    left_out += [f"{found.nan:,} NaN"] if found.nan else []
    left_out += [f"{found.failed:,} failed"] if found.failed else []
    note = ", ".join(left_out)
    if found.mean is None:
        return Cell(NONE, None, note)
    if found.over_runs and found.sd is not None:
        return Cell(f"{share(found.mean)} ± {share(found.sd)}", found.mean, note)
    if found.low is None or found.high is None:
        return Cell(share(found.mean), found.mean, note)
    spread = f"[{share(found.low)}, {share(found.high)}]"
    return Cell(share(found.mean), found.mean, f"{spread} {note}".strip())


def _most(column: Sequence[Measure | None]) -> int:
    return max((each.n for each in column if each), default=0)


def _asked(column: Sequence[Measure | None]) -> str:
    return f"n = {_most(column):,}"


def slug_of(text: str) -> str:
    """A text as a part of a file's name or of a LaTeX label."""
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in text.lower())
    return "-".join(part for part in letters.split("-") if part)


def headlines(keys: Sequence[Key]) -> tuple[Key, ...]:
    """What figures and differences show: correctness or accuracy, coverage, and one measure of retrieval."""
    judge = next((judge for judge, _ in keys if judge), "")
    wanted = (
        [(judge, "answer_correctness"), (judge, "accuracy")],
        [(judge, "coverage")],
        [("", "evidence_recall"), ("", "documents_recall")],
    )
    found = [next((key for key in choices if key in keys), None) for choices in wanted]
    kept = tuple(key for key in found if key)
    return kept or tuple(key for key in keys if key[1] in METRICS)[:1] or tuple(keys[:1])
