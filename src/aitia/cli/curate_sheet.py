"""``aitia curate export|import``: the queue through a spreadsheet and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aitia.cli.curate_options import author_of, importing_options, say_kept
from aitia.cli.options import FOLDER, index_option, json_option, opened, quiet_option
from aitia.errors import AitiaError

SEPARATORS = ("comma", "semicolon", "tab")


@click.command("export", short_help="The queue as a spreadsheet.")
@index_option
@click.option("--out", type=FOLDER, required=True, metavar="FILE", help="Where to, as queue.csv.")
@click.option(
    "--separator",
    type=click.Choice(SEPARATORS),
    default="comma",
    show_default=True,
    help="semicolon, where Excel writes numbers with a comma.",
)
@json_option
@quiet_option
def export_sheet(index: Path, out: Path, separator: str, as_json: bool, quiet: bool) -> None:
    """Write the queue as CSV, for a person to fill in decision, to, reason and author.

    A cell that a spreadsheet would take for a formula begins with '; the import takes that away again.
    """
    from aitia.cli.output import note, write_file, write_json
    from aitia.cli.text import counted
    from aitia.workflows import curate
    from aitia.workflows.queue_sheet import export_queue

    items = curate.queue(opened(index))
    size = write_file(out, export_queue(items, separator))
    if as_json:
        write_json({"written": str(out), "rows": len(items), "bytes": size})
    else:
        note(f"{counted(len(items), 'rows')} written to {out}", quiet)


@click.command("import", short_help="What a spreadsheet decides, all of it or nothing.")
@click.argument("file", type=FOLDER)
@importing_options
def import_sheet(file: Path, **options: Any) -> int:
    """Keep the decisions of a spreadsheet, as aitia curate export made it or with rows of your own.

    Rows without a decision say nothing. Decisions that are there already are not made twice. If one row cannot
    be, nothing is kept.
    """
    from aitia.cli.output import note
    from aitia.workflows.queue_sheet import import_queue

    try:
        data = file.read_bytes()
    except OSError as error:
        raise AitiaError(f"{file} cannot be read ({error.strerror}); expected a CSV file") from None
    done = import_queue(options["index"], data, file.name, author_of(options))
    if not done.made and not done.known:
        note(f"{file.name}: no row has a decision; nothing is kept.", options["quiet"] or options["as_json"])
    return say_kept(options, done.made, done.known)
