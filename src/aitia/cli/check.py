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

    Prints a line for each finding; the exit status is 1 if there is any.
    """
    from aitia.cli.output import write, write_json
    from aitia.cli.text import safe_line
    from aitia.workflows.check import check_index

    findings = check_index(opened(index))
    if as_json:
        write_json({"index": str(index), "findings": findings})
    else:
        for finding in findings or ["nothing found"]:
            write(safe_line(finding))
    return 1 if findings else 0
