"""``aitia check``: is the index whole?"""

from __future__ import annotations

from pathlib import Path

import click

from aitia.cli.options import index_option, json_option, opened


@click.command(short_help="Check that an index is whole.")
@index_option
@json_option
def command(index: Path, as_json: bool) -> int:
    """Check an index: every edge's ends, evidence and vectors exist, and hashes match.

    Prints a line for each finding; the exit status is 1 if there is any. Decisions of curation.yaml that could
    not be applied are no damage: each has a line that begins with note, and the status stays 0.
    """
    from aitia.cli.output import write, write_json
    from aitia.cli.text import safe_line
    from aitia.workflows.check import check_index, check_notes

    whole = opened(index)
    findings, notes = check_index(whole), check_notes(whole)
    if as_json:
        write_json({"index": str(index), "findings": findings, "notes": notes})
    else:
        for line in (*(findings or ["nothing found"]), *(f"note: {each}" for each in notes)):
            write(safe_line(line))
    return 1 if findings else 0
