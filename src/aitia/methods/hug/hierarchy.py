"""Modules of the entity graph, summarised: HugRAG's levels above the entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import ModuleRequest, ModuleSummarizer, ModuleSummary
from aitia.corpus.document import content_hash
from aitia.graph.communities import Modules, find_modules
from aitia.graph.order import Indices
from aitia.methods.build import GivenModule
from aitia.methods.hug.entities import EntityGraph
from aitia.spec.model import Quote

QUOTES = 40
"""Sentences of a module that its summary is made from, most central first."""
NAMED = 20
"""Entities and links of a module that its summary is made from."""


@dataclass(frozen=True)
class Hierarchy:
    """Modules of at least two entities by level, and the summary of each; ``keys`` are of their content.

    ``parents`` are rows, -1 at a root; ``members`` the rows of the entities, most important first.
    """

    keys: tuple[str, ...]
    levels: Indices
    parents: Indices
    members: tuple[Indices, ...]
    summaries: tuple[ModuleSummary, ...]

    def home(self, entities: int) -> Indices:
        """The module of level 1 of each entity, -1 for one that stands alone."""
        home = np.full(entities, -1)
        for row in np.flatnonzero(self.levels == 1).tolist():
            home[self.members[row]] = row
        return home

    def unnamed(self, graph: EntityGraph) -> int:
        """Summaries that name none of their module's entities."""
        return sum(
            not any(
                graph.entities[row].name.lower() in f"{said.title} {said.summary}".lower() for row in rows
            )
            for rows, said in zip(self.members, self.summaries, strict=True)
        )


def build_hierarchy(
    graph: EntityGraph, summarizer: ModuleSummarizer, module_levels: int, seed: int
) -> Hierarchy:
    """Find modules by Leiden over links weighted by how much more than chance they join, and summarise them."""
    sources, targets = graph.ends()
    weights = link_weights(graph)
    found = find_modules(sources, targets, weights, len(graph.entities), max_levels=module_levels, seed=seed)
    degree = _degrees(graph)
    rows = [row for row in range(len(found.levels)) if len(found.members_of(row)) > 1]
    members = tuple(_by_importance(found.members_of(row), degree) for row in rows)
    keys = tuple(_key(graph, found.levels[row], ones) for row, ones in zip(rows, members, strict=True))
    requests = _requests(graph, keys, members)
    said = {summary.key: summary for summary in summarizer.summarize_modules(requests)}
    summaries = tuple(said.get(request.key) or _unsummarised(request) for request in requests)
    return Hierarchy(keys, found.levels[rows], _parents(found, rows), members, summaries)


def given_hierarchy(
    graph: EntityGraph, summarizer: ModuleSummarizer, modules: Sequence[GivenModule]
) -> Hierarchy:
    """One level of the modules that someone already has; those without a summary are summarised."""
    degree = _degrees(graph)
    row_of = {entity.name: row for row, entity in enumerate(graph.entities)}
    members = tuple(
        _by_importance(np.array(sorted(row_of[name] for name in module.members), np.int64), degree)
        for module in modules
    )
    keys = tuple(_key(graph, 1, ones) for ones in members)
    requests = _requests(graph, keys, members)
    lacking = [
        request for request, module in zip(requests, modules, strict=True) if not module.summary.strip()
    ]
    said = {summary.key: summary for summary in summarizer.summarize_modules(lacking)}
    summaries = []
    for request, module in zip(requests, modules, strict=True):
        made = said.get(request.key) or _unsummarised(request)
        summaries.append(
            ModuleSummary(request.key, module.title or made.title, module.summary or made.summary)
        )
    return Hierarchy(keys, np.ones(len(keys), np.int64), np.full(len(keys), -1), members, tuple(summaries))


def _key(graph: EntityGraph, level: int, members: Indices) -> str:
    return content_hash("module", str(level), *sorted(graph.entities[one].name for one in members))


def _degrees(graph: EntityGraph) -> NDArray[np.float64]:
    """The sum of the weights of each entity's links."""
    degrees = np.bincount(np.concatenate(graph.ends()), np.tile(link_weights(graph), 2), len(graph.entities))
    return degrees.astype(np.float64)


def link_weights(graph: EntityGraph) -> NDArray[np.float64]:
    """Confidence times number of quotes, over the root of how often the ends are named, shape (walked links,)."""
    links = [graph.links[row] for row in graph.walked()]
    named = np.array([len(entity.chunks) for entity in graph.entities], np.float64)
    said = np.array([link.confidence * len(link.quotes) for link in links], np.float64)
    sources, targets = graph.ends()
    return np.asarray(said / np.sqrt(named[sources] * named[targets]), np.float64)


def _by_importance(members: Indices, degree: NDArray[np.float64]) -> Indices:
    return members[np.argsort(-degree[members], kind="stable")]


def _parents(found: Modules, rows: Sequence[int]) -> Indices:
    place = np.full(len(found.levels) + 1, -1)  # the last stands for "none", which is -1
    place[rows] = np.arange(len(rows))
    return place[found.parents[rows]]


def _requests(graph: EntityGraph, keys: Sequence[str], members: Sequence[Indices]) -> list[ModuleRequest]:
    """What a summary is made from: names, and the links inside in order of their less important end."""
    links_of: list[list[int]] = [[] for _ in graph.entities]
    for row in graph.walked():
        links_of[graph.links[row].source].append(row)
    requests = []
    for key, rows in zip(keys, members, strict=True):
        rank = {row: place for place, row in enumerate(rows.tolist())}
        inside = [
            graph.links[link] for row in rank for link in links_of[row] if graph.links[link].target in rank
        ]
        inside.sort(key=lambda link: (not link.causal, max(rank[link.source], rank[link.target])))
        quotes: dict[Quote, None] = dict.fromkeys(quote for link in inside for quote in link.quotes)
        words = [
            f"{graph.entities[link.source].name} {link.relation} {graph.entities[link.target].name}"
            for link in inside[:NAMED]
        ]
        names = tuple(graph.entities[row].name for row in rows[:NAMED].tolist())
        requests.append(ModuleRequest(key, names, tuple(words), tuple(quotes)[:QUOTES]))
    return requests


def _unsummarised(request: ModuleRequest) -> ModuleSummary:
    return ModuleSummary(request.key, " / ".join(request.entities[:3]), ", ".join(request.entities))
