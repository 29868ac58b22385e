"""Judging again what an edit of metrics touches: their templates, and the edges under them. Nothing else is asked.

All of it is over the machine's own vocabulary, with the edited descriptions in it: what the machine would have
made, had it known them. A metric is judged by itself, so that the edit of one leaves what was asked for another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.protocols import Analyst
from aitia.graph.causal import Template
from aitia.graph.domain import DomainGraph
from aitia.graph.redone import Redone, asked_for, still_good
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.build import metric_candidates, reading_rank
from aitia.methods.hcg.candidates import Mentions, collect_mentions
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.judge import Effort, Judged, judge_pairs
from aitia.methods.hcg.link import link_evidence
from aitia.methods.hcg.templates import Tier1, judge_templates
from aitia.spec.model import DomainSpec, Metric, Relation


def redo_metrics(
    machine: DomainGraph,
    edited: Mapping[str, Metric],
    request: BuildRequest,
    settings: BuildSettings,
    tau_e: float,
    kept: Sequence[Redone] = (),
) -> tuple[Redone, ...]:
    """The edited metrics (by the machine's name) judged, or as ``kept`` where that was by just these edits.

    A pair of two edited metrics goes with the first of them by name.
    """
    chunks = [chunk.id for chunk in request.chunks]
    known = still_good(kept, machine, edited, chunks)
    if len(known) == len(edited):
        return tuple(known[name] for name in sorted(edited))
    asked = asked_for(machine, edited, chunks)
    metrics = tuple(edited.get(metric.name, metric) for metric in machine.graph.metrics)
    spec = machine.spec.model_copy(update={"metrics": metrics})
    mentions = mentions_of(machine, request)
    candidates = metric_candidates(spec, mentions, request.embedder, settings)
    row_of = {metric.name: row for row, metric in enumerate(metrics)}
    left = np.ones_like(candidates)
    found = []
    for name in sorted(edited):
        own = np.zeros_like(candidates)
        own[row_of[name]] = own[:, row_of[name]] = True
        if name in known:
            found.append(known[name])
        else:
            request.report(f"metric {name}")
            first = _judge_templates(spec, mentions, (candidates, own & left), request.analyst, settings)
            seeds = spec.model_copy(update={"relations": _between(spec, own & left)})
            second = judge_pairs(seeds, mentions, first.templates, request.analyst, settings)
            edges = link_evidence(spec, mentions, second, request, settings, tau_e)[0].edges
            rejected = (*first.rejected, *second.rejected)
            found.append(Redone(name, asked, first.templates, edges, rejected))
        left &= ~own
    return tuple(found)


def _judge_templates(
    spec: DomainSpec,
    mentions: Mentions,
    pairs: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    analyst: Analyst,
    settings: BuildSettings,
) -> Tier1:
    """The candidates that are among the pairs wanted.

    An analyst that costs nothing is shown a source with all its candidates, as at the build: the rules tell
    mentions apart by the metrics they are shown. A model is asked about the pairs wanted alone.
    """
    candidates, wanted = pairs
    asked = candidates & wanted
    shown = candidates & asked.any(axis=1, keepdims=True) if settings.max_pairs is None else asked
    found = judge_templates(spec, mentions, shown, analyst, settings)
    row_of = {metric.name: row for row, metric in enumerate(spec.metrics)}
    kept = tuple(each for each in found.templates if asked[row_of[each.source], row_of[each.target]])
    return replace(found, templates=kept)


def mentions_of(domain: DomainGraph, request: BuildRequest) -> Mentions:
    """Where the variables of a domain are named."""
    rows = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    path_of = {each.id: request.read_under.get(each.id, each.path) for each in request.corpus.documents}
    order = reading_rank(request.chunks, path_of)
    return collect_mentions(domain.graph.variables, domain.quotes, rows, order)


def _between(spec: DomainSpec, among: NDArray[np.bool_]) -> tuple[Relation, ...]:
    """The seed relations between two metrics of the pairs given."""
    row_of = {metric.name: row for row, metric in enumerate(spec.metrics)}
    owner = {variable.key: row_of[variable.metric] for variable in spec.variables}
    return tuple(
        each
        for each in spec.relations
        if owner[each.source] != owner[each.target] and among[owner[each.source], owner[each.target]]
    )


def found_relations(templates: tuple[Template, ...], relations: Sequence[Relation]) -> Judged:
    """Relations in the form that evidence is linked to."""
    return Judged(templates, tuple(relations), (), Effort(0, 0, 0, 0, 0))
