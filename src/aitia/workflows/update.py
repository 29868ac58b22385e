"""Updating an index: what is new is read by the vocabulary of then, and what is gone takes its evidence along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack, cast

from aitia.clients.cached import CachedEmbedder
from aitia.clients.embedders import open_embedder
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus
from aitia.errors import CorpusError, IndexFolderError, PartialBuild, UsageError
from aitia.graph.causal import CausalGraph
from aitia.methods import METHODS, load
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import ClosedVocabulary, Earlier, Frozen
from aitia.spec.claims import DimensionClaim, MalformedClaim, MetricClaim, Rejection, TemplateClaim
from aitia.spec.model import Dimension, OutcomeConfig
from aitia.spec.yaml_file import read_outcomes
from aitia.spec.yaml_nodes import read_text
from aitia.storage.contents import Store
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.analysts import (
    RECORDED,
    ModelOptions,
    OpenAnalyst,
    embedder_options,
    llm_settings,
    open_analyst,
)
from aitia.workflows.build import BuildOptions, kept_whole, read_chunks, silent
from aitia.workflows.changes import Changes, compare_documents
from aitia.workflows.contents import Recipe, Report, make_contents
from aitia.workflows.earlier import earlier_outcomes, untouched_spec
from aitia.workflows.index import Index, check_options, open_index

PRICES = ("price_in", "price_out")


class UpdateOptions(ModelOptions, total=False):
    """Options of an update; everything else is the index's own."""

    report: Report
    stdin: str
    allow_removal: bool


def update_index(
    sources: str | Path | Sequence[str | Path], index: str | Path, **options: Unpack[UpdateOptions]
) -> tuple[Index, Changes]:
    """Bring an index up to date with ``sources``, the whole corpus as it is now, and say what changed.

    Vocabulary, templates, thresholds and settings stay those of the build. Variables and relations of changed
    reading windows are found anew, and new pairs judged; what stood in documents that are gone goes, with
    the edges that nothing else supports. Where nothing changed the index is left as it is.

    Raises:
        AitiaError: with one line that says what to do; the index is as it was.
        LimitReached: ``max_calls``, ``max_cost`` or the provider's quota; the same call goes on from there.
        PartialBuild: parts of the corpus got no usable reply; the same call asks for them again.

    """
    check_options(options, UpdateOptions)
    target = Path(index)
    files.open_store(target)
    with files.locked(target):
        before = open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key"))
        facts = before.store.facts()
        _check_whole(before, facts)
        chosen = _model_options(before, options)
        reading = cast("BuildOptions", options)
        corpus, chunks = read_chunks(sources, str(before.settings["splitter"]), reading)
        changes = compare_documents(before.store.documents(), corpus.documents)
        _check_some_left(target, changes, options.get("allow_removal", False))
        if not _is_same(before.store, facts, corpus):
            calls = _replace(before, facts, corpus, chunks, chosen)
            changes = replace(changes, calls=calls)
    return open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key")), changes


def _replace(
    before: Index, facts: Mapping[str, Any], corpus: Corpus, chunks: list[Chunk], options: UpdateOptions
) -> Mapping[str, Mapping[str, Any]]:
    """Make the new contents and commit them, unless parts got no usable reply; what a model was asked."""
    target, report = before.folder, options.get("report", silent)
    kept = untouched_spec(target)
    ledger = SqliteLedger(Path(options.get("ledger") or target / files.LEDGER))
    opened = open_analyst(options, ledger, report, before.settings.get("llm"))
    prompts = [(recorded or {}).get("prompts") for recorded in (before.settings.get("llm"), opened.recorded)]
    if prompts[0] != prompts[1]:
        raise UsageError(
            f"{target} was built with prompts {prompts[0] or 'of Aitia'}, found {prompts[1] or 'those of Aitia'}; give "
            "--prompts as at the build, or build a new index"
        )
    recipe = _recipe(before, facts, opened, kept, report)
    with ExitStack() as connections:
        connections.callback(opened.close)
        embedder = _open_embedder(before, options)
        connections.callback(getattr(embedder, "close", lambda: None))
        cached = CachedEmbedder(embedder, ledger, lambda done, total: report("embedding", done, total))
        contents, texts, unread = make_contents(corpus, chunks, opened.analyst, cached, recipe)
    if unread:
        ledger.retire([key for part in unread for key in part.keys])
        raise PartialBuild(kept_whole(target, unread))
    files.commit(target, replace(contents, facts={**contents.facts, "llm": opened.tally}), texts)
    return opened.tally


def _recipe(
    before: Index, facts: Mapping[str, Any], opened: OpenAnalyst, kept: str | None, report: Report
) -> Recipe:
    settings = load(METHODS[before.method].settings)(**before.settings.get("build", {}))
    graph = before.store.graph()
    outcomes = before.folder / files.OUTCOMES
    return Recipe(
        before.method,
        settings,
        str(before.settings["splitter"]),
        opened.recorded or {},
        None if graph is None else earlier_outcomes(before.folder),
        report,
        kept,
        read_text(outcomes) if graph is not None and outcomes.exists() else None,
        None if graph is None else _frozen(before.store, graph, facts, settings),
        float(before.settings["thresholds"]["question_chunk"]),
        before.settings.get("query", {}),
    )


def _frozen(store: Store, graph: CausalGraph, facts: Mapping[str, Any], settings: BuildSettings) -> Frozen:
    """What the build closed, from the index."""
    vocabulary = ClosedVocabulary(
        tuple(Dimension.model_validate(each) for each in facts["closed_dimensions"]),
        graph.metrics,
        OutcomeConfig.model_validate(facts["outcomes"]),
        tuple(rejection for rejection in store.rejected() if _stays(rejection)),
    )
    earlier = None
    if settings.max_pairs is not None:
        earlier = Earlier(
            tuple(store.verdicts()),
            frozenset(variable.key for variable in graph.variables),
            frozenset(chunk.id for chunk in store.chunks()),
        )
    first = {each.id: each.path for each in store.documents()} | facts["read_under"]
    return Frozen(vocabulary, graph.templates, facts["tau_e"], facts["tau_min"], first, earlier)


def _stays(rejection: Rejection) -> bool:
    """Whether it was refused in a step that an update does not repeat."""
    claim = rejection.claim
    if isinstance(claim, MalformedClaim):
        return claim.kind != "claims"
    return isinstance(claim, DimensionClaim | MetricClaim | TemplateClaim)


def _check_whole(index: Index, facts: Mapping[str, Any]) -> None:
    """Refuse an index that cannot be updated: partial, edited beside the build, or of an older version."""
    folder = index.folder
    if index.settings.get("imported"):
        raise UsageError(f"{folder} was made from a graph, not from documents; run aitia import again")
    if facts.get("status") != "complete":
        raise IndexFolderError(
            f"{folder} is partial, so there is no whole index to update; run aitia build again, which asks for "
            "the missing parts only"
        )
    if index.settings != facts.get("settings"):
        raise IndexFolderError(
            f"{folder / files.SETTINGS} was edited since the build; put it back, or build the index again"
        )
    if index.method != "hcg":
        return
    if "closed_dimensions" not in facts:
        raise IndexFolderError(
            f"{folder} was built by a version that did not keep what an update needs; build it again"
        )
    path = folder / files.OUTCOMES
    if path.exists() and read_outcomes(path) != OutcomeConfig.model_validate(facts["outcomes"]):
        raise IndexFolderError(
            f"{path} was edited since the build, and other roles are other edges; build the index again"
        )


def _check_some_left(folder: Path, changes: Changes, allow_removal: bool) -> None:
    """Refuse a corpus that lacks most documents: the new ones alone, or a wrong path, would empty the index."""
    gone, left = len(changes.removed), len(changes.unchanged) + len(changes.renamed) + len(changes.changed)
    if gone and not left:
        raise CorpusError(
            f"none of the {gone:,} documents of {folder} is in the corpus any more; expected the "
            "whole corpus as it is now, check the path or build a new index"
        )
    if gone > left and not allow_removal:
        raise CorpusError(
            f"{gone:,} of the {gone + left:,} documents of {folder} are not in the corpus any more; expected the whole "
            "corpus as it is now, with --allow-removal if they are gone for good"
        )


def _is_same(store: Store, facts: Mapping[str, Any], corpus: Corpus) -> bool:
    """Whether the corpus is the one that the index holds, to the names and the skipped files."""
    return (
        store.documents() == list(corpus.documents)
        and store.skipped() == list(corpus.skipped)
        and facts.get("notes") == [[note.path, note.text] for note in corpus.notes]
    )


def _model_options(index: Index, options: UpdateOptions) -> UpdateOptions:
    """The options with the index's own analyst.

    Raises:
        UsageError: one that contradicts the index, so that old and new claims would not be of one kind.

    """
    built_with = str(index.settings.get("analyst", "rules"))
    asked = options.get("analyst", built_with)
    if asked != built_with:
        raise _contradiction(index, "analyst", built_with, asked)
    chosen: UpdateOptions = {**options, "analyst": built_with}
    if built_with == "llm":
        recorded = index.settings.get("llm", {})
        given = llm_settings(chosen, recorded).model_dump()
        for name in RECORDED:
            if name not in PRICES and name in recorded and given[name] != recorded[name]:
                raise _contradiction(index, name, recorded[name], given[name])
    return chosen


def _contradiction(index: Index, what: str, expected: object, found: object) -> UsageError:
    return UsageError(
        f"{index.folder} was built with {what} {expected!r}, found {found!r}; leave the option out, or build a new "
        "index with it"
    )


def _open_embedder(index: Index, options: UpdateOptions) -> Embedder:
    recorded = index.settings["embedder"]
    opened = open_embedder(recorded["id"], **embedder_options(options))
    return opened if opened.hash == recorded["hash"] else index.embedder  # which says how it differs
