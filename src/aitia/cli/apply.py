"""``aitia apply``: take hand edits in and replay what was decided."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

import click

from aitia.cli.options import (
    base_url_option,
    index_option,
    json_option,
    model_chosen,
    model_options,
    quiet_option,
)

if TYPE_CHECKING:
    from aitia.spec.decisions import Decided
    from aitia.workflows.apply import ApplyOptions, ApplyReport


@click.command(short_help="Take edits of graph_spec.yaml in, and replay all decisions.")
@index_option
@click.option("--analyst", metavar="NAME", help="The index's own; another is refused.")
@model_options
@click.option("--jobs", type=int, metavar="N", help="Threads, and requests at once (default: 4).")
@base_url_option
@json_option
@quiet_option
def command(as_json: bool, quiet: bool, **options: Any) -> int:
    """Apply what people decided: edits of graph_spec.yaml become decisions, then all of curation.yaml is replayed.

    Only what a decision touches is done again. A model is asked about the metrics whose description was
    edited, and about nothing else. Prints a line for each decision whose target is gone, or that cannot be
    together with what is there; the exit status is 1 if there is any.
    """
    from aitia.cli.applied import note_taken, write_unapplied
    from aitia.cli.output import note, write_json
    from aitia.cli.progress import show_progress
    from aitia.workflows.apply import apply

    began = time.perf_counter()
    given = cast("ApplyOptions", model_chosen(options))
    with show_progress(quiet) as report:
        given["report"] = report
        done = apply(options["index"], **given)
    seconds = round(time.perf_counter() - began, 2)
    if as_json:
        write_json(_document(done, seconds))
    else:
        note_taken(done.taken, quiet)
        for line in done.noted:
            note(line, quiet)
        write_unapplied(done.findings)
        note(_summary(done, seconds), quiet)
    return 1 if done.findings else 0


def _document(done: ApplyReport, seconds: float) -> dict[str, Any]:
    return {
        "changed": done.changed,
        "taken": [each.id for each in done.taken],
        "decisions": [_row(each) for each in done.decided],
        "redone": list(done.redone),
        "llm_calls": dict(done.calls),
        "findings": done.findings,
        "seconds": seconds,
    }


def _row(each: Decided) -> dict[str, Any]:
    return {
        "id": each.decision.id,
        **each.decision.model_dump(),
        "status": each.status,
        "detail": each.detail,
        "nearest": list(each.nearest),
    }


def _summary(done: ApplyReport, seconds: float) -> str:
    from aitia.cli.text import counted

    if not done.changed:
        return f"Nothing to apply: {counted(len(done.decided), 'decisions')} in force."
    parts = [f"Applied {counted(len(done.decided), 'decisions')} in {seconds:.1f} s"]
    if done.taken:
        parts.append(f"{counted(len(done.taken), 'edits')} of graph_spec.yaml taken in")
    if done.redone:
        parts.append(f"{counted(len(done.redone), 'metrics')} judged again")
    if done.calls:
        parts.append(f"{counted(sum(stage['calls'] for stage in done.calls.values()), 'calls')} of the model")
    return ", ".join(parts) + "."
