"""``aitia show``: what an index holds, as tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia.cli.options import FOLDER, index_option, json_option, opened
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.workflows.index import Index

TABLES = ("documents", "metrics", "variables", "edges", "evidence", "questions", "rejected")
RECORDS = ("entities", "links", "modules", "gates", "merges")
"""Tables of hug."""
WHAT = ("stats", "spec", *TABLES, *RECORDS, "cost")
SCREEN = 40
"""Rows that a terminal shows unless it is told otherwise."""


@click.command(short_help="Show what an index holds.")
@click.argument("what", type=click.Choice(WHAT), metavar="(" + "|".join(WHAT) + ")")
@click.argument("text", required=False)
@index_option
@click.option(
    "--limit",
    type=int,
    metavar="N",
    help=f"Most rows of a table; 0 for all (default: {SCREEN} on a terminal).",
)
@click.option("--ledger", type=FOLDER, metavar="FILE", help="Of cost: a ledger other than the index's own.")
@json_option
def command(
    what: str, text: str | None, index: Path, limit: int | None, ledger: Path | None, as_json: bool
) -> None:
    """Show a part of an index; of a table only the rows that hold TEXT, if given."""
    if what not in (*TABLES, *RECORDS) and (text is not None or limit is not None):
        tables = ", ".join((*TABLES, *RECORDS))
        raise UsageError(f"show {what} takes no text and no --limit; they belong to {tables}")
    if limit is not None and limit < 0:
        raise UsageError(f"limit of {limit} rows; expected 0 for all, or more")
    if ledger is not None and not (what == "cost" and ledger.is_file()):
        raise UsageError(
            f"--ledger {ledger}; expected a ledger file that exists, and it belongs to show cost"
        )
    found = opened(index)
    if what == "spec":
        _show_spec(found, as_json)
    elif what == "stats":
        _show_stats(found, as_json)
    elif what == "cost":
        _show_cost(found, ledger, as_json)
    else:
        _show_table(found, what, text, limit, as_json)


def _show_spec(index: Index, as_json: bool) -> None:
    from aitia.cli.output import write_block, write_json
    from aitia.spec.yaml_file import parse_spec
    from aitia.workflows.show import read_spec_text

    text = read_spec_text(index)
    if as_json:
        write_json(parse_spec(text).model_dump())
    else:
        write_block(text)


def _show_table(index: Index, what: str, text: str | None, limit: int | None, as_json: bool) -> None:
    from aitia.cli.output import note, on_terminal, write_json, write_table
    from aitia.workflows import show

    rows = show.show_records(index, what) if what in RECORDS else getattr(show, f"show_{what}")(index)
    if text is not None:
        wanted = text.casefold()
        rows = [
            row for row in rows if wanted in json.dumps(list(row.values()), ensure_ascii=False).casefold()
        ]
    default = SCREEN if on_terminal() and not as_json else 0
    most = default if limit is None else limit
    kept = rows[:most] if most else rows
    if as_json:
        write_json(kept)
        return
    write_table(kept)
    if not rows:
        note(f"no {what}" + (f" with {text!r}" if text is not None else ""))
    elif len(kept) < len(rows):
        note(f"{len(kept):,} of {len(rows):,} {what}; --limit 0 shows all")


def _show_stats(index: Index, as_json: bool) -> None:
    from aitia.cli.output import write_json, write_pairs
    from aitia.workflows.show import CAUSAL, show_stats

    values = show_stats(index)
    if as_json:
        write_json(values)
    else:
        absent = () if index.method == "hcg" else CAUSAL
        write_pairs({name: value for name, value in values.items() if name not in absent})


def _show_cost(index: Index, ledger: Path | None, as_json: bool) -> None:
    from aitia.cli.output import write, write_json, write_pairs, write_table
    from aitia.workflows.cost import show_cost

    values = show_cost(index, ledger)
    if as_json:
        write_json(values)
        return
    if values["stages"]:
        write_table(values.pop("stages"), "All that the ledger keeps")
        write()
    last = values.pop("last_build")
    if last:
        write_table([{"stage": stage, **row} for stage, row in last.items()], "The last build or update")
        write()
    write_pairs({name: value for name, value in values.items() if value not in ({}, [])})
