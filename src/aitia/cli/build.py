"""``aitia build``: an index folder from documents."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.corpus_options import build_chosen, corpus_options
from aitia.cli.options import base_url_option, index_option, json_option, model_options, quiet_option

if TYPE_CHECKING:
    from aitia.spec.decisions import Decision
    from aitia.workflows.index import Index

PARTIAL = 3
SHOWN = 10
"""Skipped files and notes that are listed before the rest is counted."""


@click.command(short_help="Build an index from documents.")
@click.argument("corpus", nargs=-1, required=True)
@index_option
@corpus_options
@click.option("--analyst", metavar="NAME", default="rules", show_default=True,
              help="Who judges language: rules needs no model, llm asks --model.")  # fmt: skip
@model_options
@base_url_option
@json_option
@quiet_option
def command(corpus: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> int:
    """Build an index from CORPUS: folders, files, or - for standard input.

    Reads .txt .md .html .pdf .docx .json and .jsonl. An existing index stays as it is until the new one
    is complete, and embeddings and replies of a model that it has are not asked for again. The exit status is
    3 if parts of CORPUS got no usable reply, or a limit stopped the build: the same command goes on from there;
    else 1 if a decision of curation.yaml could not be applied, with a line for each: the index is whole.
    """
    from aitia.cli.applied import note_taken
    from aitia.cli.progress import show_progress
    from aitia.workflows.build import build_index

    began = time.perf_counter()
    given = build_chosen(corpus, options)
    taken: list[Decision] = []
    given["took"] = taken.extend
    with show_progress(quiet) as report:
        given["report"] = report
        index = build_index(corpus, options["index"], **given)
    note_taken(taken, quiet)
    return write_built(index, time.perf_counter() - began, as_json, quiet)


def write_built(index: Index, seconds: float, as_json: bool, quiet: bool) -> int:
    """What is in an index that was just made; the exit status."""
    from aitia.cli.applied import write_unapplied
    from aitia.cli.output import write_json
    from aitia.workflows.show import show_stats

    stats = show_stats(index)
    findings = index.store.facts().get("unapplied", [])
    if as_json:
        write_json({**stats, "findings": findings, "seconds": round(seconds, 2)})
    else:
        write_summary(index.folder, stats, seconds, quiet)
        write_unapplied(findings)
    return PARTIAL if stats["status"] == "partial" else int(bool(findings))


def write_summary(folder: Path, stats: dict[str, Any], seconds: float, quiet: bool) -> None:
    """What was built, what was left out, and the next step."""
    from aitia.cli.output import note, write_styled
    from aitia.cli.text import counted, safe_line
    from aitia.workflows.show import UNAPPLIED

    place = shlex.quote(str(folder))
    parts = ["documents", "chunks"]
    if stats["method"] == "hcg":
        parts += ["dimensions", "metrics", "variables", "edges"]
    counts = ", ".join(counted(stats[part], part) for part in parts)
    partial = " (partial)" if stats["status"] == "partial" else ""
    built = f"Built {safe_line(str(folder))}{partial} with {stats['method']} in {seconds:.1f} s: {counts}"
    write_styled(built, "bold")

    if stats["edges"]:
        share = stats["edges_with_verbatim_evidence"] / stats["edges"]
        write_styled(f"{share:.0%} of the edges rest on a verbatim quote.")
    if stats["llm_calls"]:
        write_styled(_calls_line(stats))
    for warning in stats["warnings"]:
        if not warning.startswith(UNAPPLIED):  # each has its line
            note(warning, quiet)
    for what, kind, word in (("skipped", "reason", "Skipped"), ("notes", "note", "Note on")):
        for item in stats[what][:SHOWN]:
            note(f"{word} {item['path']}: {item[kind]}", quiet)
        if len(stats[what]) > SHOWN:
            note(f"... and {len(stats[what]) - SHOWN:,} more; see: aitia show stats --index {place}", quiet)
    note(f"\u2192 aitia ask 'Why ...?' --index {place}", quiet)


def _calls_line(stats: dict[str, Any]) -> str:
    """What a model was asked in this run."""
    from aitia.cli.text import counted, safe_line
    from aitia.workflows.cost import price_of

    stages = stats["llm_calls"].values()
    calls, prompt, reply, retries = (
        sum(stage[name] for stage in stages)
        for name in ("calls", "prompt_tokens", "completion_tokens", "retries")
    )
    price = price_of(prompt, reply, stats["llm"])
    cost = f", cost {price:.4g}" if price is not None else ""
    again = f", {counted(retries, 'transport retries')}" if retries else ""
    asked = f"{counted(calls, 'calls')} of {safe_line(stats['llm']['model'])}"
    return f"{asked}: {prompt:,} prompt and {reply:,} reply tokens{cost}{again}."
