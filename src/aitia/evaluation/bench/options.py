"""What may be said of a benchmark, and what of it ``bench.toml`` keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from aitia import __version__
from aitia.clients.llm_settings import LLMSettings
from aitia.errors import UsageError
from aitia.evaluation.bench.builds import Report
from aitia.evaluation.bench.inputs import hash_corpus
from aitia.evaluation.bench.judging import check_metrics
from aitia.evaluation.bench.settings import BenchSettings
from aitia.evaluation.bench.writers import NOBODY, chat_settings, told
from aitia.evaluation.datasets import Question, questions_hash
from aitia.evaluation.metrics.rouge_l import rouge_l
from aitia.evaluation.peers.adapters import find_adapter
from aitia.evaluation.systems import System
from aitia.workflows.analysts import ModelOptions, embedder_options, llm_settings
from aitia.workflows.index import DEFAULT_BUDGET_WORDS, check_options


class BenchOptions(TypedDict, total=False):
    """Options of a benchmark, by the names of the command line's where it has them.

    ``builder`` builds and, without a ``writer``, writes; ``retrieve_only``: nobody writes. ``judge``: the model
    that judges, ``judged`` the metrics wanted of it. ``max_calls`` and ``max_cost`` are of all three together.
    """

    data: str | Path | None
    corpus: str | Path | None
    questions: int | None
    half: str | None
    ids: str | Path | None
    seed: int
    runs: int
    budget_words: int
    embedder: str
    builder: ModelOptions
    writer: ModelOptions | None
    retrieve_only: bool
    judge: ModelOptions | None
    judged: Sequence[str]
    max_calls: int | None
    max_cost: float | None
    peers: str | Path | None
    report: Report


def place_of(given: str | Path | None) -> Path | None:
    """A place as a path, if there is one."""
    return None if given is None else Path(given)


def check_bench(systems: Sequence[System], options: BenchOptions) -> None:
    """Refuse before anything is built what would fail after it.

    Raises:
        UsageError: an option that is unknown, cannot be, or does not go with another.

    """
    check_options(options, BenchOptions)
    for name, least in (("runs", 1), ("budget_words", 1), ("seed", 0)):
        value = options.get(name, least)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise UsageError(f"{name.replace('_', '-')} {value}; expected a whole number from {least} on")
    if options.get("retrieve_only"):
        ablated = [each for each in systems if each.context != "evidence"]
        if ablated:
            raise UsageError(
                f"{ablated[0].name} is about what the writer is given, and --retrieve-only has none; "
                "leave one of the two out"
            )
    else:
        rouge_l([], [])  # needs a package of an extra
    _check_peers([each.name for each in systems if each.is_peer], options)
    check_metrics(options.get("judged"))
    if options.get("judged") and not options.get("judge"):
        raise UsageError("--judged is for a model that --judge-model names; give one, or leave it out")
    embedder_options(options.get("builder", {}))
    for each in (options.get("builder"), options.get("writer"), options.get("judge")):
        told(each or {})
        if each and each.get("analyst") == "llm" and options.get("max_cost") is not None:
            _check_prices(llm_settings(each))
    _check_limits(options)


def _check_peers(names: Sequence[str], options: BenchOptions) -> None:
    if not names:
        return
    adapters = place_of(options.get("peers"))
    if adapters is None:
        raise UsageError("peer systems need the folder of their adapters; give it with --peers")
    if chat_settings(*models_of(options)) is None:
        raise UsageError("peer systems need a model; give one with --model")
    for name in names:
        find_adapter(name, adapters)


def _check_limits(options: BenchOptions) -> None:
    """A limit of calls or costs is of something."""
    given = next((name for name in ("max_calls", "max_cost") if options.get(name) is not None), None)
    asked = [options.get("builder"), options.get("judge")]
    if not options.get("retrieve_only"):
        asked.append(options.get("writer"))
    if given and not any(each and each.get("analyst") == "llm" for each in asked):
        raise UsageError(
            f"--{given.replace('_', '-')} limits a builder, writer or judge with a model, and none has one here; "
            "name one, or leave it out"
        )


def _check_prices(model: LLMSettings) -> None:
    if model.price_in is None or model.price_out is None:
        raise UsageError(
            f"--max-cost needs the prices of {model.model} per million tokens: "
            "give --llm price_in=PRICE and --llm price_out=PRICE"
        )


def models_of(options: BenchOptions) -> tuple[ModelOptions, ...]:
    """Of the builder, the writer and the judge, where they have a model."""
    given = (options.get("builder"), options.get("writer"), options.get("judge"))
    return tuple(each for each in given if each and each.get("model"))


def settings_of(
    dataset: str,
    questions: Sequence[Question],
    corpus: Path,
    systems: Sequence[System],
    options: BenchOptions,
) -> BenchSettings:
    """All that decides the figures."""
    judge = options.get("judge")
    builder = options.get("builder", {})
    writer = options.get("writer") or builder
    return BenchSettings(
        version=__version__,
        dataset=dataset.encode("utf-8", "backslashreplace").decode("utf-8"),  # a file's name may be no text
        questions=len(questions),
        questions_sha256=questions_hash(questions),
        corpus_sha256=hash_corpus(corpus),
        systems=tuple(each.name for each in systems),
        runs=options.get("runs", 1),
        budget_words=options.get("budget_words", DEFAULT_BUDGET_WORDS),
        embedder=options.get("embedder", "minilm"),
        seed=options.get("seed", 0),
        judges=(llm_settings(judge).model,) if judge else (),
        builder=told(builder),
        writer=NOBODY if options.get("retrieve_only") else told(writer),
    )
