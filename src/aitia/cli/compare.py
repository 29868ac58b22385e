"""``aitia compare``: is one system better than another on the same questions, and how sure is that?"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.options import FOLDER, json_option, quiet_option

if TYPE_CHECKING:
    from aitia.evaluation.statistics.comparison_tables import ComparisonTables

FAMILIES = ("metric", "slice", "all", "none")


@click.command(short_help="Compare the systems of benchmarks, with intervals.")
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="OUT...")
@click.option("--baseline", metavar="SYSTEM", help="Compare each other system with it (default: all pairs).")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only this metric; repeatable.")
@click.option(
    "--judge", metavar="NAME", help="Whose scores (default: the first that was asked); others second it."
)
@click.option(
    "--slice",
    "slices",
    multiple=True,
    default=("all",),
    metavar="NAME",
    help="Questions: all (default), hop-heavy, lookup-heavy, each type or evidence count (type, evidence), or "
    "one, as type=NAME; repeatable.",
)
@click.option(
    "--family",
    type=click.Choice(FAMILIES),
    default="metric",
    help="Which comparisons share a rate of false flags: those of a metric (default), of a metric and slice, "
    "all, or none (q is p).",
)
@json_option
@quiet_option
def command(
    folders: tuple[Path, ...], slices: tuple[str, ...], as_json: bool, quiet: bool, **wished: Any
) -> None:
    """Compare what the systems of bench folders scored, question by question.

    The interval is that of 10,000 paired resamples of the questions (seed 42), each question averaged over its
    runs before; q is p adjusted for the number of comparisons. "Not significant" does not say that two
    systems do as well as each other; "too few": fewer than six questions with unlike scores.
    """
    from aitia.cli.compare_rows import document
    from aitia.cli.output import write_json
    from aitia.evaluation.statistics.comparison_tables import Wish, compare_folders

    tables = compare_folders(folders, Wish(slices=slices, **wished))
    if as_json:
        write_json(document(tables, wished["family"]))
    else:
        _write(tables)
    _write_notes(tables, quiet)


def _write(tables: ComparisonTables) -> None:
    from aitia.cli import compare_rows as rows
    from aitia.cli.output import on_terminal, write_table

    narrow = on_terminal()
    if narrow:
        for _, pairs in groupby(tables.pairs, key=lambda pair: (pair.measure, pair.slice)):
            title, members = rows.narrow_table(tuple(pairs))
            write_table(members, title)
    else:
        write_table([rows.pair_row(pair) for pair in tables.pairs])
    if tables.agreements:
        agreement_row = rows.narrow_agreement if narrow else rows.agreement_row
        write_table(
            [agreement_row(record) for record in rows.agreement_records(tables)],
            f"\nSecond judges, beside {tables.judge}",
        )
        changed = rows.changed_verdicts(tables)
        write_table(changed, "\nVerdicts that change" if changed else "")
    if tables.standings:
        placed = [rows.standing_row(record) for record in rows.standing_records(tables)]
        write_table(placed, "\nCorrectness, coverage and size")


def _write_notes(tables: ComparisonTables, quiet: bool) -> None:
    from aitia.cli.output import note
    from aitia.evaluation.statistics.comparisons import FEWEST

    few = sum(pair.verdict == "too few" for pair in tables.pairs)
    if few:
        note(f"comparisons with fewer than {FEWEST} differing questions, without q and verdict: {few}", quiet)
    if tables.left_out:
        note(
            f"measures left out, as every pair of theirs is such a one (--metric NAME shows one): "
            f"{len(tables.left_out)}",
            quiet,
        )
    if tables.bench.unscored:
        note(f"answers without scores, left out: {', '.join(tables.bench.unscored)}", quiet)
    if len(tables.bench.judges()) > 1:
        note(f"judges: {', '.join(tables.bench.judges())}; the flags are of {tables.judge} (--judge)", quiet)
