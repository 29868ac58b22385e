"""``aitia ask``: an answer whose sentences cite evidence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from aitia.cli.options import asked, model_chosen, opened_to_ask, query_options, writer_options
from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.answering.answer import Answer
    from aitia.workflows.index import Index


@click.command(short_help="Answer a question, with a source for every sentence.")
@click.argument("question")
@query_options
@click.option(
    "--context",
    metavar="WHAT",
    default="evidence",
    show_default=True,
    help="evidence, or to compare: nodes_only (names and edges), in_context (the whole corpus).",
)
@click.option("--analyst", metavar="NAME", help="Who answers, rules or llm (default: who built the index).")
@writer_options
@click.option("--language", metavar="NAME", help="Language of the answer (default: the question's).")
@click.option("--stream", is_flag=True, help="Show a model's answer while it writes.")
def command(question: str, context: str, language: str | None, stream: bool, **options: Any) -> None:
    """Answer QUESTION from the index, with a source for every sentence."""
    from aitia.cli.output import note, write, write_block, write_json
    from aitia.cli.passages import write_answer, write_sources, write_trace
    from aitia.workflows.result_json import answer_document

    if stream and options["as_json"]:
        raise UsageError("--stream and --json exclude each other: a document is printed when it is whole")
    index = opened_to_ask(options)
    said: list[str] = []

    def show(text: str) -> None:
        said.append(text)
        write_block(text)
        sys.stdout.flush()  # a terminal would wait for the end of the line

    chosen = model_chosen(options)
    try:
        answer = index.ask(
            question,
            context=context,
            language=language,
            on_text=show if stream else None,
            **asked(options),
            **chosen,
        )
    finally:
        if said and not said[-1].endswith("\n"):
            write()  # ends the line of the model, before a note or an error
            sys.stdout.flush()
    if language and (options["analyst"] or index.settings.get("analyst")) == "rules":
        note("the rules answer in the corpus's own sentences: --language changes nothing", options["quiet"])
    _write_notes(answer, index, options["quiet"])
    if options["as_json"]:
        write_json(answer_document(answer))
        return
    if said:
        write_sources(answer, options["explain"])
    else:
        write_answer(answer, options["explain"])
    if options["explain"]:
        cited = [each.number for each in answer.citations] if context == "evidence" else []
        write_trace(answer.retrieval, index.graph_is_empty, cited)
    elif answer.citations:
        note("\u2192 add --explain to see how this was found", options["quiet"])


def _write_notes(answer: Answer, index: Index, quiet: bool) -> None:
    from aitia.cli.output import note
    from aitia.cli.passages import text_only

    if index.store.facts().get("status") == "partial":
        note("the index is partial: parts of the corpus were not read; see: aitia show stats", quiet)
    if not answer.retrieval.graph_matched and answer.retrieval.matched:
        note(text_only(index.method, index.graph_is_empty), quiet)
    if answer.dropped:
        note(f"citations that stood for nothing were dropped: {', '.join(map(str, answer.dropped))}", quiet)
    if answer.uncited and answer.sufficient:
        note(f"{answer.uncited} sentence{'s' * (answer.uncited != 1)} of the answer cite no evidence", quiet)
