"""``aitia ask``: an answer whose sentences cite evidence."""

from __future__ import annotations

from typing import Any

import click

from aitia.cli.options import asked, opened, query_options


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
@click.option("--language", metavar="NAME", help="Language of the answer (default: the question's).")
def command(question: str, context: str, language: str | None, **options: Any) -> None:
    """Answer QUESTION from the index, with a source for every sentence."""
    from aitia.cli.output import note, write_json
    from aitia.cli.passages import answer_document, text_only, write_answer, write_trace

    quiet = options["quiet"]
    index = opened(options["index"], options["base_url"])
    answer = index.ask(question, context=context, language=language, **asked(options))
    if language:
        note("the rules answer in the corpus's own sentences: --language changes nothing", quiet)
    if not answer.retrieval.graph_matched and answer.retrieval.matched:
        note(text_only(index.graph_is_empty), quiet)
    if answer.dropped:
        note(f"citations that stood for nothing were dropped: {', '.join(map(str, answer.dropped))}", quiet)
    if options["as_json"]:
        write_json(answer_document(answer))
        return
    write_answer(answer)
    if options["explain"]:
        write_trace(answer.retrieval, index.graph_is_empty)
    elif answer.citations:
        note("\u2192 add --explain to see how this was found", quiet)
