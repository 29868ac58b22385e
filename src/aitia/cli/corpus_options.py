"""Options that say what an index is built from and how, and what their values mean."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import click

from aitia.cli.options import FOLDER, Command, model_chosen, parse_settings, with_options
from aitia.errors import CorpusError

if TYPE_CHECKING:
    from aitia.workflows.build import BuildOptions

_NAMES = ("method", "preset", "tier", "embedder", "splitter", "outcomes", "seed")
_OPTIONS = (
    click.option("--method", metavar="NAME", show_default="hcg",
                 help="hcg, qcg, hug, or plain:naive|bm25|rrf|hybrid|d2q|d2q_minus."),
    click.option("--preset", metavar="NAME",
                 help="Published settings: lihua-world, multihop-rag, multihop-rag-512 or naive-rag."),
    click.option("--tier", metavar="SIZE", show_default="S",
                 help="Of hcg, most metrics and dimensions: XS 24/5, S 64/7, M 100/8, L 173/9."),
    click.option("--embedder", metavar="SPEC", default="minilm", show_default=True,
                 help="minilm (bundled), dir:PATH, openai:MODEL or st:NAME."),
    click.option("--outcomes", type=FOLDER, metavar="FILE",
                 help="Of hcg, metrics that questions end in, as YAML (default: proposed, or those of the index)."),
    click.option("--splitter", metavar="SPEC", show_default="passage",
                 help="passage[:N], words:N/OVERLAP or tokens:N/OVERLAP."),
    click.option("--jobs", type=int, metavar="N",
                 help="Threads, and requests at once (default: 4); changes no result."),
    click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="Seed of every sample."),
    click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A build setting; repeatable."),
)  # fmt: skip


def corpus_options(command: Command) -> Command:
    """The options of a build, but for its analyst."""
    return with_options(command, _OPTIONS)


def build_chosen(corpus: tuple[str, ...], values: dict[str, Any]) -> BuildOptions:
    """The options of a build by the names that the workflows know; ``-`` in the corpus reads standard input."""
    options: dict[str, Any] = {name: values[name] for name in _NAMES if values[name] is not None}
    options["settings"] = parse_settings(values["settings"], "seed=1")
    options.update(model_chosen(values))
    if "-" in corpus:
        options["stdin"] = read_stdin()
    return cast("BuildOptions", options)


def read_stdin() -> str:
    """The text of standard input.

    Raises:
        CorpusError: it is no text.

    """
    from aitia.corpus.readers.content import Unreadable
    from aitia.corpus.readers.decode import decode

    try:
        return decode(sys.stdin.buffer.read())[0]
    except Unreadable as error:
        raise CorpusError(f"standard input is unreadable ({error}); expected text") from None
