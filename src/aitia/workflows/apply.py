"""Applying decisions: hand edits are taken in, all is replayed, what a decision touches is redone, one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.clients.cached import CachedEmbedder
from aitia.errors import PartialBuild, UsageError
from aitia.graph.curation import replay
from aitia.graph.domain import DomainGraph
from aitia.graph.redone import read_redone, still_good
from aitia.methods import METHODS, load
from aitia.methods.build import BuildRequest
from aitia.spec.decisions import Decided, Decision
from aitia.storage.contents import IndexContents
from aitia.storage.ledger import SqliteLedger
from aitia.workflows import folder as files
from aitia.workflows.analysts import OpenAnalyst
from aitia.workflows.build import kept_whole, silent
from aitia.workflows.contents import Recipe, put_in_force
from aitia.workflows.decided import decided_of
from aitia.workflows.earlier import Taken, check_untouched, find_repeated, take_edits
from aitia.workflows.index import Index, check_options, open_index
from aitia.workflows.remake import (
    RemakeOptions,
    check_recorded,
    machine_rejected,
    open_own_analyst,
    own_embedder,
    own_options,
    remake,
    stored_corpus,
)


class ApplyOptions(RemakeOptions, total=False):
    """Options of applying; everything else is the index's own."""


@dataclass(frozen=True)
class ApplyReport:
    """What applying did.

    ``taken``: decisions found as edits of ``graph_spec.yaml``. ``decided``: every decision with what became of
    it. ``redone``: metrics (by the machine's names) whose templates and edges were judged again. ``calls``: what
    a model was asked, by stage. ``changed``: whether the index was written. ``noted``: what is to be said of
    decisions that were applied just now, a line each.
    """

    taken: tuple[Decision, ...] = ()
    decided: tuple[Decided, ...] = ()
    redone: tuple[str, ...] = ()
    calls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changed: bool = False
    noted: tuple[str, ...] = ()

    @property
    def findings(self) -> list[str]:
        """The decisions that could not be applied, a line each."""
        return [each.line for each in self.decided if each.status in ("lost", "conflict")]


def apply(folder: str | Path, **options: Unpack[ApplyOptions]) -> ApplyReport:
    """Bring an index up to date with ``graph_spec.yaml`` and ``curation.yaml``.

    Its documents, settings and thresholds stay. A model is asked about the metrics whose description was
    edited, and about nothing else.

    Raises:
        AitiaError: with one line that says what to do; the index is as it was, and decisions that were found
            are kept for the next time.
        LimitReached: ``max_calls``, ``max_cost`` or the provider's quota; the same call goes on from there.
        PartialBuild: parts of the corpus got no usable reply; the same call asks for them again.

    """
    check_options(options, ApplyOptions)
    target = Path(folder)
    files.open_store(target)
    with files.locked(target):
        before = open_index(target, base_url=options.get("base_url"), api_key=options.get("api_key"))
        check_recorded(before, before.store.facts())
        return apply_decisions(before, own_options(before, options))


def apply_decisions(before: Index, options: RemakeOptions) -> ApplyReport:
    """Apply to an index whose folder is locked already."""
    taken = take_edits(before.folder)
    facts = before.store.facts()
    same = [each.id for each in taken.decisions] == facts.get("decisions", [])
    if same and taken.existing in (None, facts.get("spec_text")):
        return ApplyReport(decided=tuple(decided_of(before.store, taken.decisions)))
    if before.settings.get("imported"):
        raise UsageError(
            f"{before.folder} was made from a graph; run aitia import again, which replays decisions"
        )
    machine = before.store.machine()
    redone: Sequence[str] = ()
    calls: Mapping[str, Mapping[str, Any]] = {}
    if machine is not None:
        redone, calls = _replay(before, machine, taken, options)
    else:
        calls = remake(before, taken, stored_corpus(before.store, facts), before.store.chunks(), options)
    store = files.open_store(before.folder)
    decided = tuple(decided_of(store, taken.decisions))
    known = frozenset(facts.get("decisions", ()))
    noted = tuple(
        each.line
        for each in decided
        if each.status == "applied" and each.detail and each.decision.id not in known
    )
    noted = (*find_repeated(taken.decisions), *noted)
    return ApplyReport(taken.edits, decided, tuple(redone), calls, changed=True, noted=noted)


def _replay(
    before: Index, machine: DomainGraph, taken: Taken, options: RemakeOptions
) -> tuple[list[str], Mapping[str, Mapping[str, Any]]]:
    """Replay over the machine's graph and commit; what was judged again, and what a model was asked."""
    target, report = before.folder, options.get("report", silent)
    ledger = SqliteLedger(Path(options.get("ledger") or target / files.LEDGER))
    settings = load(METHODS[before.method].settings)(**before.settings.get("build", {}))
    recipe = Recipe(
        before.method,
        settings,
        str(before.settings["splitter"]),
        report=report,
        existing_spec=taken.existing,
        decisions=taken.decisions,
        redone=tuple(read_redone(row) for row in before.store.records("redone")),
    )
    edited = replay(machine, taken.decisions).edited
    known = still_good(recipe.redone, machine, edited, [chunk.id for chunk in before.store.chunks()])
    redone = sorted(set(edited) - set(known))
    # Where nothing is judged again the analyst is not asked, and a model need not be reachable.
    opened = open_own_analyst(before, options, ledger) if redone else OpenAnalyst(RulesAnalyst())
    with ExitStack() as connections:
        connections.callback(opened.close)
        embedder = own_embedder(before, options)
        connections.callback(getattr(embedder, "close", lambda: None))
        cached = CachedEmbedder(embedder, ledger, lambda done, total: report("embedding", done, total))
        contents, text = put_in_force(*_machine_made(before, machine, opened, cached, recipe))
    unread = opened.analyst.unread
    if unread:
        ledger.retire([key for part in unread for key in part.keys])
        raise PartialBuild(kept_whole(target, unread))
    check_untouched(target, taken)
    files.commit(target, contents, {files.SPEC: text})
    return redone, opened.tally


def _machine_made(
    before: Index, machine: DomainGraph, opened: OpenAnalyst, embedder: CachedEmbedder, recipe: Recipe
) -> tuple[IndexContents, BuildRequest, Recipe]:
    """The contents of the index as the machine made them, and what a replay is given."""
    store = before.store
    facts = store.facts()
    corpus = stored_corpus(store, facts)
    chunks = store.chunks()
    contents = IndexContents(
        facts,
        corpus,
        chunks,
        dict(store.arrays()),
        machine.dimensions,
        machine.graph,
        machine_rejected(store, facts),
        store.verdicts(),
        {},
        machine,
    )
    none = np.zeros((0, embedder.dimensions), np.float32)
    request = BuildRequest(
        corpus, chunks, before.text, opened.analyst, embedder, none, decisions=recipe.decisions
    )
    return contents, replace(request, report=lambda step: recipe.report(step, 0, 0)), recipe
