"""``aitia retrieve``: evidence without an answer, for one question or for a file of them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from aitia.cli.options import FOLDER, asked, opened_to_ask, query_options
from aitia.errors import UsageError


@click.command(short_help="Print the evidence for a question, or for a file of them.")
@click.argument("question", required=False)
@click.option(
    "--questions", type=FOLDER, metavar="FILE", help='A .json list or .jsonl of {"id", "question"} records.'
)
@click.option("--out", type=FOLDER, metavar="FILE", help="Where the answers to --questions go, a line each.")
@query_options
def command(question: str | None, questions: Path | None, out: Path | None, **options: Any) -> None:
    """Print the evidence for QUESTION, or write that for each of a file of questions."""
    if (question is None) == (questions is None):
        raise UsageError("retrieve takes a question, or --questions FILE; give one of the two")
    if (questions is None) != (out is None):
        raise UsageError("--questions and --out go together; give both")
    if questions is None or out is None:
        _retrieve_one(str(question), options)
    else:
        _retrieve_many(questions, out, options)


def _retrieve_one(question: str, options: dict[str, Any]) -> None:
    from aitia.cli.output import note, write_json
    from aitia.cli.passages import text_only, write_passages, write_trace
    from aitia.workflows.result_json import retrieval_document

    index = opened_to_ask(options)
    retrieval = index.retrieve(question, **asked(options))
    if options["as_json"]:
        write_json(retrieval_document(retrieval))
        return
    if not retrieval.matched:
        note("nothing in the corpus shares a word with the question or is close to it", options["quiet"])
    elif not retrieval.graph_matched:
        note(text_only(index.method, index.graph_is_empty), options["quiet"])
    write_passages(retrieval)
    if options["explain"]:
        write_trace(retrieval, index.graph_is_empty)


def _retrieve_many(path: Path, out: Path, options: dict[str, Any]) -> None:
    from aitia.cli.output import note, write_file, write_json
    from aitia.cli.questions import read_questions
    from aitia.cli.text import safe_json
    from aitia.workflows.result_json import retrieval_line

    began = time.perf_counter()
    questions = read_questions(path)
    index = opened_to_ask(options)
    note(f"retrieving for {len(questions):,} questions", options["quiet"])
    retrievals = index.retrieve_all([question.text for question in questions], **asked(options))
    lines = []
    for question, retrieval in zip(questions, retrievals, strict=True):
        line = retrieval_line(question.id, retrieval)
        if retrieval.trace:
            line["trace"] = retrieval.trace
        lines.append(safe_json(json.dumps(line, ensure_ascii=False)) + "\n")
    write_file(out, "".join(lines))
    summary = {
        "questions": len(questions),
        "out": str(out),
        "matched": sum(each.matched for each in retrievals),
        "graph_matched": sum(each.graph_matched for each in retrievals),
        "seconds": round(time.perf_counter() - began, 2),
    }
    if options["as_json"]:
        write_json(summary)
    else:
        note(
            "{questions:,} questions in {seconds} s, {graph_matched:,} matched: {out}".format(**summary),
            options["quiet"],
        )
