"""Making an index again by its own settings, for an update or for decisions: what it was built with stays."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from aitia.clients.cached import CachedEmbedder
from aitia.clients.embedders import open_embedder
from aitia.clients.protocols import Embedder
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Corpus, Note
from aitia.errors import IndexFolderError, PartialBuild, UsageError
from aitia.graph.causal import CausalGraph
from aitia.graph.redone import read_redone
from aitia.methods import METHODS, load
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import ClosedVocabulary, Earlier, Frozen
from aitia.spec.claims import DimensionClaim, MalformedClaim, MetricClaim, Rejection, TemplateClaim
from aitia.spec.model import Dimension, OutcomeConfig
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
from aitia.workflows.build import kept_whole, silent
from aitia.workflows.contents import Recipe, Report, make_contents
from aitia.workflows.earlier import Taken, check_untouched, earlier_outcomes
from aitia.workflows.index import Index

PRICES = ("price_in", "price_out")


class RemakeOptions(ModelOptions, total=False):
    """How the analyst of the index is reached, and who is told how it goes."""

    report: Report


def remake(
    before: Index, taken: Taken, corpus: Corpus, chunks: list[Chunk], options: RemakeOptions
) -> Mapping[str, Mapping[str, Any]]:
    """Make the contents of a corpus and commit them, unless parts got no usable reply; what a model was asked.

    Raises:
        AitiaError: with one line that says what to do; the index is as it was.

    """
    target, report = before.folder, options.get("report", silent)
    ledger = SqliteLedger(Path(options.get("ledger") or target / files.LEDGER))
    opened = open_own_analyst(before, options, ledger)
    recipe = own_recipe(before, opened, taken, report)
    with ExitStack() as connections:
        connections.callback(opened.close)
        embedder = own_embedder(before, options)
        connections.callback(getattr(embedder, "close", lambda: None))
        cached = CachedEmbedder(embedder, ledger, lambda done, total: report("embedding", done, total))
        contents, texts, unread = make_contents(corpus, chunks, opened.analyst, cached, recipe)
    if unread:
        ledger.retire([key for part in unread for key in part.keys])
        raise PartialBuild(kept_whole(target, unread))
    check_untouched(target, taken)
    files.commit(target, replace(contents, facts={**contents.facts, "llm": opened.tally}), texts)
    return opened.tally


def open_own_analyst(before: Index, options: RemakeOptions, ledger: SqliteLedger) -> OpenAnalyst:
    """The analyst that an index was built with, with the prompts of then.

    Raises:
        UsageError: other prompts, or no way to reach it.

    """
    target = before.folder
    opened = open_analyst(options, ledger, options.get("report", silent), before.settings.get("llm"))
    prompts = [(recorded or {}).get("prompts") for recorded in (before.settings.get("llm"), opened.recorded)]
    if prompts[0] != prompts[1]:
        raise UsageError(
            f"{target} was built with prompts {prompts[0] or 'of Aitia'}, found {prompts[1] or 'those of Aitia'}; give "
            "--prompts as at the build, or build a new index"
        )
    return opened


def own_recipe(before: Index, opened: OpenAnalyst, taken: Taken, report: Report) -> Recipe:
    """How the index was made, with what people decided since."""
    store, facts = before.store, before.store.facts()
    settings = load(METHODS[before.method].settings)(**before.settings.get("build", {}))
    machine = store.machine()
    outcomes = before.folder / files.OUTCOMES
    return Recipe(
        before.method,
        settings,
        str(before.settings["splitter"]),
        opened.recorded or {},
        None if machine is None else earlier_outcomes(before.folder),
        report,
        taken.existing,
        read_text(outcomes) if machine is not None and outcomes.exists() else None,
        None if machine is None else _frozen(store, machine.graph, facts, settings),
        float(before.settings["thresholds"]["question_chunk"]),
        before.settings.get("query", {}),
        None,
        taken.decisions,
        tuple(read_redone(row) for row in store.records("redone")),
    )


def _frozen(store: Store, graph: CausalGraph, facts: Mapping[str, Any], settings: BuildSettings) -> Frozen:
    """What the build closed, from the index."""
    vocabulary = ClosedVocabulary(
        tuple(Dimension.model_validate(each) for each in facts["closed_dimensions"]),
        graph.metrics,
        OutcomeConfig.model_validate(facts["outcomes"]),
        tuple(rejection for rejection in machine_rejected(store, facts) if _stays(rejection)),
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


def stored_corpus(store: Store, facts: Mapping[str, Any]) -> Corpus:
    """The corpus that an index holds."""
    notes = tuple(Note(*note) for note in facts.get("notes", ()))
    return Corpus(tuple(store.documents()), tuple(store.skipped()), notes)


def machine_rejected(store: Store, facts: Mapping[str, Any]) -> list[Rejection]:
    """What the build refused, without what was judged again for a decision."""
    return store.rejected()[: facts.get("machine_rejected")]


def _stays(rejection: Rejection) -> bool:
    """Whether it was refused in a step that an update does not repeat."""
    claim = rejection.claim
    if isinstance(claim, MalformedClaim):
        return claim.kind != "claims"
    return isinstance(claim, DimensionClaim | MetricClaim | TemplateClaim)


def own_options(index: Index, options: RemakeOptions) -> RemakeOptions:
    """The options with the index's own analyst.

    Raises:
        UsageError: one that contradicts the index, so that old and new claims would not be of one kind.

    """
    built_with = str(index.settings.get("analyst", "rules"))
    asked = options.get("analyst", built_with)
    if asked != built_with:
        raise _contradiction(index, "analyst", built_with, asked)
    chosen: RemakeOptions = {**options, "analyst": built_with}
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


def check_recorded(index: Index, facts: Mapping[str, Any]) -> None:
    """Refuse settings that are not those of the build.

    Raises:
        IndexFolderError: they were edited.

    """
    if index.settings != facts.get("settings"):
        raise IndexFolderError(
            f"{index.folder / files.SETTINGS} was edited since the build; put it back, or build the index again"
        )


def own_embedder(index: Index, options: RemakeOptions) -> Embedder:
    """The embedder that the index was built with, reached by the options."""
    recorded = index.settings["embedder"]
    opened = open_embedder(recorded["id"], **embedder_options(options))
    return opened if opened.hash == recorded["hash"] else index.embedder  # which says how it differs
