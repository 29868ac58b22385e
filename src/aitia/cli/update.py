"""``aitia update``: bring an index up to date with its documents."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Any, cast

import click

from aitia.cli.corpus_options import read_stdin
from aitia.cli.options import (
    base_url_option,
    index_option,
    json_option,
    model_chosen,
    model_options,
    quiet_option,
)

if TYPE_CHECKING:
    from aitia.workflows.changes import Changes
    from aitia.workflows.index import Index
    from aitia.workflows.update import UpdateOptions

SHOWN = 10
"""Paths that are listed before the rest is counted."""

KINDS = ("added", "changed", "renamed", "removed", "unchanged")


@click.command(short_help="Bring an index up to date with its documents.")
@click.argument("corpus", nargs=-1, required=True)
@index_option
@click.option("--analyst", metavar="NAME", help="The index's own; another is refused.")
@model_options
@click.option(
    "--jobs", type=int, metavar="N", help="Threads, and requests at once (default: 4); changes no result."
)
@click.option("--allow-removal", is_flag=True, help="Go on although most documents of the index are gone.")
@base_url_option
@json_option
@quiet_option
def command(corpus: tuple[str, ...], allow_removal: bool, as_json: bool, quiet: bool, **options: Any) -> int:
    """Bring an index up to date with CORPUS, all of its documents as they are now.

    New and changed documents are read by the vocabulary of the build: its dimensions, metrics, templates,
    thresholds and settings stay, and entities and variables may be added. What is missing in CORPUS was
    deleted, and takes its evidence along, with the edges that no other document supports; where most are
    missing, nothing is done unless you allow it. A renamed document
    costs nothing. A model is asked about changed passages and new pairs only. Build anew for a new vocabulary.
    The exit status is 1 if a decision of curation.yaml could not be applied, with a line for each.
    """
    from aitia.cli.applied import note_taken, write_unapplied
    from aitia.cli.output import write_json
    from aitia.cli.progress import show_progress
    from aitia.workflows.show import show_stats
    from aitia.workflows.update import update_index

    began = time.perf_counter()
    given = cast("UpdateOptions", model_chosen(options))
    if "-" in corpus:
        given["stdin"] = read_stdin()
    given["allow_removal"] = allow_removal
    with show_progress(quiet) as report:
        given["report"] = report
        index, changes = update_index(corpus, options["index"], **given)
    seconds = round(time.perf_counter() - began, 2)
    findings = index.store.facts().get("unapplied", [])
    if as_json:
        stats = {**show_stats(index), "llm_calls": dict(changes.calls)}
        write_json({**stats, "changes": _document(changes), "findings": findings, "seconds": seconds})
    else:
        note_taken(changes.taken, quiet)
        _write_summary(index, changes, seconds, quiet)
        write_unapplied(findings)
    return int(bool(findings))


def _document(changes: Changes) -> dict[str, Any]:
    renamed = [{"from": old, "to": new} for old, new in changes.renamed]
    taken = [each.id for each in changes.taken]
    return {**{kind: list(getattr(changes, kind)) for kind in KINDS}, "renamed": renamed, "taken": taken}


def _write_summary(index: Index, changes: Changes, seconds: float, quiet: bool) -> None:
    """What changed, what the index holds now, and the next step."""
    from aitia.cli.output import note, write_styled
    from aitia.cli.text import counted, safe_line
    from aitia.workflows.show import UNAPPLIED, find_warnings

    place = safe_line(str(index.folder))
    if not changes:
        write_styled(
            f"{place} is up to date: {counted(len(changes.unchanged), 'documents')} unchanged", "bold"
        )
        return
    counts = ", ".join(f"{len(getattr(changes, kind)):,} {kind}" for kind in KINDS if getattr(changes, kind))
    write_styled(f"Updated {place} in {seconds:.1f} s: {counts}", "bold")
    if index.method == "hcg":
        sizes = (("variables", len(index.graph.variables)), ("edges", len(index.graph.edges)))
        write_styled("Now " + ", ".join(counted(number, what) for what, number in sizes) + ".")
    if changes.calls:
        calls = sum(stage["calls"] for stage in changes.calls.values())
        write_styled(f"{counted(calls, 'calls')} of {index.settings['llm']['model']}.")
    for warning in find_warnings(index):
        if not warning.startswith(UNAPPLIED):  # each has its line
            note(warning, quiet)
    for path in changes.removed[:SHOWN]:
        note(f"Deleted {path}", quiet)
    if len(changes.removed) > SHOWN:
        note(f"... and {len(changes.removed) - SHOWN:,} more", quiet)
    note(f"\u2192 aitia check --index {shlex.quote(str(index.folder))}", quiet)
