"""``aitia demo``: the bundled example, from documents to cited answers, offline."""

from __future__ import annotations

import shlex
import time
from importlib.resources import as_file, files
from pathlib import Path

import click

from aitia.cli.options import FOLDER, json_option, quiet_option
from aitia.errors import UsageError

QUESTIONS = (
    "What shortens the lifespan of winter bees?",
    "Why does oxalic acid fail when there is brood?",
)
NEXT = (
    ("What is in the graph?", "aitia show edges mite --index {index}"),
    (
        "How was an answer found?",
        'aitia ask "How does varroa lead to winter loss?" --explain --index {index}',
    ),
    ("Is the index whole?", "aitia check --index {index}"),
    ("Your own documents:", "aitia build FOLDER --index my-index"),
)


@click.command(short_help="Build the bundled example and ask it two questions.")
@click.option("--index", type=FOLDER, metavar="DIR", default=Path("aitia-demo"), show_default=True,
              help="Where the example's index goes.")  # fmt: skip
@json_option
@quiet_option
def command(index: Path, as_json: bool, quiet: bool) -> None:
    """Build the bundled example (a small corpus on honey-bee health), and ask it two questions."""
    from aitia.cli.build import write_summary
    from aitia.cli.output import write, write_json, write_styled
    from aitia.cli.passages import write_answer
    from aitia.cli.progress import show_progress
    from aitia.workflows.build import build_index
    from aitia.workflows.result_json import answer_document
    from aitia.workflows.show import show_stats

    began = time.perf_counter()
    with as_file(files("aitia.testing") / "corpora" / "honeybees") as corpus:
        _check_own(index, corpus)
        with show_progress(quiet) as report:
            built = build_index(corpus, index, report=report)
    if as_json:
        answers = [answer_document(built.ask(question)) for question in QUESTIONS]
        write_json({"index": str(index), "answers": answers})
        return
    write_summary(index, show_stats(built), time.perf_counter() - began, quiet=True)
    for question in QUESTIONS:
        write()
        write_styled(f"? {question}", "bold green")
        write()
        write_answer(built.ask(question))
    write()
    write_styled("Where to go next", "bold")
    width = max(len(what) for what, _ in NEXT)
    for what, line in NEXT:
        write(f"  {what.ljust(width)}  {line.format(index=shlex.quote(str(index)))}")


def _check_own(index: Path, corpus: Path) -> None:
    """Refuse to replace an index of other documents.

    Raises:
        UsageError: the folder holds one.

    """
    from aitia.errors import IndexFolderError
    from aitia.workflows.folder import open_store

    try:
        paths = {document.path.partition("#")[0] for document in open_store(index).documents()}
    except IndexFolderError:
        return  # no index yet, or a damaged one: the build says what it can do
    if paths - {path.name for path in corpus.iterdir()}:
        raise UsageError(f"{index} is an index of other documents; choose another folder with --index")
