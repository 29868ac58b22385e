"""``aitia report``: a bench folder as tables and figures for a reader, a spreadsheet, a paper and a browser."""

from __future__ import annotations

from pathlib import Path

import click

from aitia.cli.options import FOLDER, json_option, quiet_option

INSTALL = 'no figures: matplotlib is not installed; pip install "aitia[eval]" and call this again'


@click.command(short_help="Write the report of a benchmark.")
@click.argument("folder", type=FOLDER, metavar="OUT")
@click.option("--out", type=FOLDER, metavar="DIR", help="Where the report goes (default: OUT).")
@click.option("--baseline", metavar="SYSTEM", help="Add a table of differences from this system.")
@click.option("--title", metavar="TEXT", help="The report's title (default: the dataset).")
@json_option
@quiet_option
def command(
    folder: Path, out: Path | None, baseline: str | None, title: str | None, as_json: bool, quiet: bool
) -> None:
    """Write report.md, .csv, .tex and .html, and figures, from OUT, a folder that aitia bench left."""
    from aitia.cli.output import note, write, write_file, write_json
    from aitia.errors import AitiaError
    from aitia.evaluation.report.render import can_draw, render_report

    files = render_report(folder, title, baseline)
    target = folder if out is None else out
    try:
        for path in (target, target / "figures"):
            if path == target or any(name.startswith("figures/") for name in files):
                path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AitiaError(f"{target} cannot be made ({error.strerror}); choose another --out") from None
    for name, content in files.items():
        write_file(target / name, content)
    if not can_draw():
        note(INSTALL, quiet)
    if as_json:
        write_json({"written": [str(target / name) for name in files], "figures": can_draw()})
        return
    for name in files:
        if not name.startswith("figures/") or name.endswith(".svg"):
            write(str(target / name))
