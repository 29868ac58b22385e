"""``aitia export``: an index in formats that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia.cli.options import FOLDER, index_option, json_option, opened
from aitia.errors import AitiaError, UsageError

if TYPE_CHECKING:
    from aitia.workflows.index import Index

FORMATS = ("json", "graphml", "csv", "html")


@click.command(short_help="Export an index as JSON, GraphML, CSV or a web page.")
@index_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True)
@click.option(
    "--out",
    type=FOLDER,
    metavar="FILE",
    help="Where to (default: standard output). csv: a folder, or a file that ends in .zip.",
)
@json_option
def command(index: Path, form: str, out: Path | None, as_json: bool) -> None:
    """Export an index: json (all of it), graphml (the graph), csv (tables, safe for spreadsheets), html (the graph
    and its evidence as one page that needs no network, to send to somebody).
    """  # noqa: D205 -- one list
    from aitia.cli.output import write_file, write_json, write_verbatim
    from aitia.workflows import export

    if form == "csv" and out is None:
        raise UsageError("csv is several files; expected --out FOLDER, or --out FILE.zip")
    if as_json and form != "json" and out is None:
        raise UsageError(f"--json says what was written, and {form} goes to standard output; expected --out")
    found = opened(index)
    if form == "csv" and out is not None:
        size = _write_tables(export.export_csv(found), out)
    else:
        content = _content(found, form)
        if out is None:
            write_verbatim(content)
            return
        _make(out.parent, out)
        size = write_file(out, content)
    if as_json:
        write_json({"written": str(out), "format": form, "bytes": size})


def _content(index: Index, form: str) -> str:
    """The text of a format that is one file."""
    from aitia.workflows import export
    from aitia.workflows.export_page import export_html

    writers = {"json": export.export_json, "graphml": export.export_graphml, "html": export_html}
    return writers[form](index)


def _write_tables(tables: dict[str, str], out: Path) -> int:
    from aitia.cli.output import write_file
    from aitia.workflows.export_formats import zip_tables

    if out.suffix.lower() == ".zip":
        _make(out.parent, out)
        return write_file(out, zip_tables(tables))
    if out.is_dir():
        others = sorted(path.name for path in out.iterdir() if path.name not in tables)
        if others:
            raise AitiaError(
                f"{out} holds other files ({others[0]!r}); choose an empty or new folder as --out"
            )
    _make(out, out)
    return sum(write_file(out / name, content) for name, content in tables.items())


def _make(folder: Path, out: Path) -> None:
    """The folder, for what is written to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AitiaError(f"{out} cannot be made ({error.strerror}); choose another --out") from None
