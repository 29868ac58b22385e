"""Building an index: read, split, embed, let the method build, commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from aitia.analyst.protocols import Unread
from aitia.clients.cached import CachedEmbedder
from aitia.clients.embedders import open_embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.corpus.read import read_corpus
from aitia.corpus.split import open_splitter
from aitia.errors import CorpusError, IndexFolderError, PartialBuild, UsageError
from aitia.methods import METHODS, check_method, load
from aitia.methods.build import BuildSettings
from aitia.methods.settings import check_names, read_settings
from aitia.spec.curation_file import read_decisions
from aitia.spec.decisions import Decision
from aitia.spec.tiers import tier
from aitia.spec.yaml_file import read_outcomes
from aitia.spec.yaml_nodes import read_text
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.analysts import (
    ModelOptions,
    check_analyst,
    embedder_options,
    llm_settings,
    open_analyst,
)
from aitia.workflows.contents import Recipe, Report, make_contents
from aitia.workflows.earlier import check_untouched, earlier_outcomes, is_complete, take_edits
from aitia.workflows.index import Index, check_options, open_index
from aitia.workflows.presets import find_preset

DEFAULT_METHOD = "hcg"
DEFAULT_SPLITTER = "passage"


class BuildOptions(ModelOptions, total=False):
    """Options of a build, by the names of the command line's.

    ``took`` is told of the edits of ``graph_spec.yaml`` that became decisions.
    """

    method: str
    preset: str
    tier: str
    embedder: str
    splitter: str
    outcomes: str | Path
    seed: int
    settings: dict[str, Any]
    report: Report
    took: Callable[[tuple[Decision, ...]], None]
    stdin: str


def build_index(
    sources: str | Path | Sequence[str | Path], index: str | Path, **options: Unpack[BuildOptions]
) -> Index:
    """Build an index folder from files and folders, and open it.

    An existing index stays as it is until the new one is complete. Embeddings and replies of a model that
    are already in the ledger are not computed or asked for again. Where parts of the corpus got no usable
    reply the index is partial, and says so; the next build asks for those parts once more.

    Raises:
        AitiaError: with one line that says what to do; nothing half-written is left.
        LimitReached: ``max_calls``, ``max_cost`` or the provider's quota; the same call goes on from there.
        PartialBuild: the new index is partial and would have replaced a complete one.

    """
    check_options(options, BuildOptions)
    report = options.get("report", silent)
    preset = find_preset(options.get("preset"), options.get("method"))
    method = check_method(options.get("method", preset.method if preset else DEFAULT_METHOD))
    if check_analyst(options.get("analyst", "rules")) == "llm":
        llm_settings(options)
    settings = build_settings(method, options)
    target = Path(index)
    if not options.get("method"):
        _check_decided(target, method)
    outcomes = read_outcomes(Path(options["outcomes"])) if options.get("outcomes") else None
    splitter = options.get("splitter", preset.splitter if preset else DEFAULT_SPLITTER)
    corpus, chunks = read_chunks(sources, splitter, options)
    query = preset.query if preset else {}
    recipe = Recipe(method, settings, splitter, outcomes=outcomes, report=report, query=query)
    return make_index(target, corpus, chunks, recipe, options)


def make_index(
    target: Path, corpus: Corpus, chunks: Sequence[Chunk], recipe: Recipe, options: BuildOptions
) -> Index:
    """Build what the recipe says in a folder and open it; what an earlier index there knows is filled in.

    Raises:
        AitiaError: as `build_index`.

    """
    report, outcomes = recipe.report, recipe.outcomes
    embedder = open_embedder(options.get("embedder", "minilm"), **embedder_options(options))
    files.prepare(target)
    with files.locked(target), ExitStack() as connections:
        connections.callback(getattr(embedder, "close", lambda: None))
        taken = take_edits(target)
        if "took" in options:
            options["took"](taken.edits)
        outcomes = outcomes or earlier_outcomes(target)
        edited = None if options.get("outcomes") or outcomes is None else read_text(target / files.OUTCOMES)
        ledger = SqliteLedger(Path(options.get("ledger") or target / files.LEDGER))
        opened = open_analyst(options, ledger, report)
        connections.callback(opened.close)
        recipe = replace(
            recipe,
            llm=opened.recorded or {},
            outcomes=outcomes,
            existing_spec=taken.existing,
            decisions=taken.decisions,
            existing_outcomes=edited,
        )
        cached = CachedEmbedder(embedder, ledger, lambda done, total: report("embedding", done, total))
        contents, texts, unread = make_contents(corpus, chunks, opened.analyst, cached, recipe)
        keep = bool(unread) and is_complete(target)
        if not keep:
            took = {"llm": opened.tally, "embedded": cached.computed + cached.cached}
            contents = replace(contents, facts={**contents.facts, **took})
            check_untouched(target, taken)
            files.commit(target, contents, texts)
        if unread:
            # Now that this build is over: the next one asks for these parts again, this one resumed did not.
            ledger.retire([key for part in unread for key in part.keys])
        if keep:
            raise PartialBuild(kept_whole(target, unread))
    return open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key"))


def _check_decided(target: Path, method: str) -> None:
    """Refuse to lose decisions because nobody said the method of the index that is there.

    Raises:
        UsageError: the index has decisions and another method.

    """
    decisions = read_decisions(target / files.CURATION)
    try:
        there = files.open_store(target).facts().get("settings", {}).get("method") if decisions else None
    except IndexFolderError:  # none, or a damaged one, which a build mends
        return
    if there not in (None, method):
        many = f"{len(decisions):,} decision{'s' if len(decisions) > 1 else ''}"
        raise UsageError(
            f"{target} is an index of {there} with {many}, which {method} would lose; "
            f"expected --method {there} to keep them, or --method {method}"
        )


def silent(step: str, done: int, total: int) -> None:
    """Report nothing."""


def read_chunks(
    sources: str | Path | Sequence[str | Path], splitter: str, options: BuildOptions
) -> tuple[Corpus, list[Chunk]]:
    """The documents of the sources and their chunks.

    Raises:
        CorpusError: nothing to read, or no words in it.
        UsageError: an unknown splitter.

    """
    split = open_splitter(splitter)
    report = options.get("report", silent)
    report("reading", 0, 0)
    corpus = read_corpus([sources] if isinstance(sources, str | Path) else sources, options.get("stdin"))
    report("reading", len(corpus.documents), len(corpus.documents))
    chunks = [chunk for document in corpus.documents for chunk in split(document)]
    if not chunks:
        raise CorpusError("the corpus has no words; expected text in at least one document")
    return corpus, chunks


def kept_whole(target: Path, unread: Sequence[Unread]) -> str:
    """Why a partial index was not written, and what to do."""
    first = unread[0]
    more = f" and {len(unread) - 1:,} more" if len(unread) > 1 else ""
    return (
        f"partial: no usable reply for {first.step} of {first.place} ({first.reason}){more}; the complete index "
        f"in {target} was kept. Run the same command again: it asks for those parts only"
    )


def build_settings(method: str, options: BuildOptions) -> BuildSettings:
    """The settings of a build, checked.

    Raises:
        UsageError: an unknown setting, or a value that cannot be.

    """
    model = load(METHODS[method].settings)
    for name in ("tier", "outcomes"):
        if method != "hcg" and options.get(name) is not None:
            raise UsageError(f"--{name} is of the method hcg, found {method}; leave --{name} out")
    preset = find_preset(options.get("preset"), options.get("method"))
    values: dict[str, Any] = {"tier": options.get("tier", "S"), "seed": options.get("seed", 0)}
    values = {name: value for name, value in values.items() if name in model.model_fields}
    values |= {**(preset.build if preset else {}), **options.get("settings", {})}
    if "tier" in model.model_fields:
        level = tier(str(values["tier"]))
        values["tier"] = level.name
        if options.get("analyst") == "llm":
            values.setdefault("max_pairs", level.llm_pairs)
    check_names(values, "build setting {}", model)
    settings: BuildSettings = read_settings(values, model)
    return settings
