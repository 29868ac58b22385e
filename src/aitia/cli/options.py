"""Options that several commands share, and what their values mean."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Callable, Sequence
from datetime import date, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from aitia.errors import UsageError

if TYPE_CHECKING:
    from aitia.workflows.analysts import ModelOptions
    from aitia.workflows.index import Index, QueryOptions

Command = TypeVar("Command", bound=Callable[..., Any])

FOLDER = click.Path(path_type=Path)
_NAME = re.compile(r"[A-Za-z_]\w*")
_BARE = re.compile(r"[A-Za-z][\w:./+@-]*|\d{4}-\d\d-\d\d[\w-]*")
"""A word or several joined by signs, or a version of an interface that is a date."""

index_option = click.option(
    "--index",
    type=FOLDER,
    envvar="AITIA_INDEX",
    show_envvar=True,
    required=True,
    metavar="DIR",
    help="The index folder.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="No progress and no notes.")
base_url_option = click.option(
    "--base-url",
    envvar=["AITIA_BASE_URL", "OPENAI_BASE_URL"],
    show_envvar=True,
    metavar="URL",
    help="Endpoint of the model and of an openai: embedder; its key: AITIA_API_KEY or OPENAI_API_KEY.",
)

_CHAT_OPTIONS = (
    click.option(
        "--model",
        envvar=["AITIA_MODEL", "OPENAI_MODEL"],
        show_envvar=True,
        metavar="NAME",
        help="The model of --analyst llm.",
    ),
    click.option(
        "--llm",
        multiple=True,
        metavar="KEY=VALUE",
        help="A setting of the model, as context_tokens=32000 or price_in=0.15; repeatable.",
    ),
    click.option("--prompts", type=FOLDER, metavar="DIR", help="Prompt files that replace the bundled ones."),
)
_WRITER_OPTIONS = (
    *_CHAT_OPTIONS,
    click.option(
        "--ledger",
        type=FOLDER,
        metavar="FILE",
        help="Where replies are kept (default: ledger.db of the index).",
    ),
)
_LIMIT_OPTIONS = (
    click.option(
        "--max-calls",
        type=click.IntRange(min=0),
        metavar="N",
        help="Stop before the model has answered so often.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0),
        metavar="X",
        help="Stop before it has cost more; needs --llm price_in and price_out.",
    ),
)
_MODEL_NAMES = ("analyst", "model", "base_url", "jobs", "prompts", "ledger", "max_calls", "max_cost")

_QUERY_OPTIONS = (
    index_option,
    click.option(
        "--retrieval",
        metavar="NAME",
        help="fused (default of hcg, qcg, hug), graph, or "
        "plain:naive|bm25|rrf|hybrid; of plain:d2q and plain:d2q_minus their own.",
    ),
    click.option("--budget-words", type=int, metavar="N", help="Most words of evidence (default 9000)."),
    click.option("--documents", metavar="GLOB", help="Only evidence of these documents, as 'guides/*.md'."),
    click.option("--explain", is_flag=True, help="Say how the evidence was found, and why each passage."),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="A setting of the retrieval; repeatable.",
    ),
    base_url_option,
    json_option,
    quiet_option,
)


def query_options(command: Command) -> Command:
    """The options of a question."""
    return with_options(command, _QUERY_OPTIONS)


def writer_options(command: Command) -> Command:
    """The options of a model that writes answers."""
    return with_options(command, _WRITER_OPTIONS)


def model_options(command: Command) -> Command:
    """The options of a model that builds, with its limits."""
    return with_options(command, (*_WRITER_OPTIONS, *_LIMIT_OPTIONS))


def bench_model_options(command: Command) -> Command:
    """The options of the models of a benchmark, which has a ledger of its own."""
    return with_options(command, (*_CHAT_OPTIONS, *_LIMIT_OPTIONS))


def with_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """The command with options in the order given."""
    for option in reversed(options):
        command = option(command)
    return command


def model_chosen(values: dict[str, Any]) -> ModelOptions:
    """Who judges language, by the names that the workflows know; the key is read from the environment."""
    options: dict[str, Any] = {name: values[name] for name in _MODEL_NAMES if values.get(name) is not None}
    settings = parse_settings(values.get("llm", ()), "context_tokens=32000", "--llm")
    if settings:
        options["llm"] = settings
    key = api_key()
    if key is not None:
        options["api_key"] = key
    return cast("ModelOptions", options)


def asked(values: dict[str, Any]) -> QueryOptions:
    """The options of a question by the names that `Index.retrieve` knows."""
    options: QueryOptions = {"explain": values["explain"], "settings": parse_settings(values["settings"])}
    for name in ("retrieval", "budget_words", "documents"):
        if values[name] is not None:
            options[name] = values[name]
    return options


def opened(index: Path, base_url: str | None = None) -> Index:
    """The index of a folder."""
    from aitia.workflows.index import open_index

    return open_index(index, base_url=base_url, api_key=api_key())


def opened_to_ask(values: dict[str, Any]) -> Index:
    """The index that a question is put to; a note says if its settings were edited."""
    from aitia.cli.output import note

    index = opened(values["index"], values["base_url"])
    if index.is_edited:
        folder = shlex.quote(str(index.folder))
        note(f"aitia.toml was edited since the build; see: aitia check --index {folder}", values["quiet"])
    return index


def api_key() -> str | None:
    """The key of the user's endpoint."""
    return os.environ.get("AITIA_API_KEY") or os.environ.get("OPENAI_API_KEY")


def parse_settings(
    pairs: Sequence[str], example: str = "graph_weight=0.5", option: str = "--set"
) -> dict[str, Any]:
    """``KEY=VALUE`` pairs with values as in TOML; a bare word or date is text, so that it needs no quoting.

    Raises:
        UsageError: a pair of another form, or a key given twice.

    """
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip()
        if not equals or not _NAME.fullmatch(key):
            raise UsageError(f"{option} {pair!r}; expected KEY=VALUE, for example: {option} {example}")
        if key in settings:
            raise UsageError(f"{option} {key} is given twice; give it once")
        settings[key] = _parse_value(f"{option} {key}", text.strip())
    return settings


def _parse_value(what: str, text: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        parsed = {}
    if list(parsed) == ["value"] and not isinstance(parsed["value"], date | time):
        return parsed["value"]
    if _BARE.fullmatch(text):
        return text
    raise UsageError(f"{what}: found {text!r}; expected a number, true, false, a word, or a value as in TOML")
