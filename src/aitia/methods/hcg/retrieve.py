"""Retrieval from a causal graph: ``graph`` as published, and ``fused`` with the text's own ranking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from aitia.graph.causal import CausalGraph, GraphArrays
from aitia.graph.order import descending
from aitia.methods.hcg.config import Ablation, QuerySettings
from aitia.methods.hcg.trace import trace_walk
from aitia.methods.hcg.walk import Walk, walk_graph
from aitia.methods.query import Query, Ranked
from aitia.methods.settings import check_names, read_settings
from aitia.retrieval.dense import Vectors, cosines
from aitia.retrieval.fuse import Scores
from aitia.retrieval.rankings import hybrid, score_text
from aitia.retrieval.text_index import TextIndex
from aitia.storage.contents import Store

RETRIEVALS = ("fused", "graph")


@dataclass(frozen=True)
class HcgRetriever:
    """A graph index opened for questions: arrays only; names are read when a trace is asked for."""

    text: TextIndex
    store: Store

    @cached_property
    def graph(self) -> GraphArrays:
        """The graph as arrays."""
        names = GraphArrays.__dataclass_fields__
        return GraphArrays(
            **{name: np.asarray(self.store.array(f"graph_{name}"), np.int64) for name in names}
        )

    @cached_property
    def variable_vectors(self) -> Vectors:
        """Unit vectors of the variables."""
        return np.asarray(self.store.array("variable_vectors"), np.float32)

    @cached_property
    def tau_min(self) -> float:
        """The gate's threshold, calibrated for the index's embedder."""
        return float(self.store.facts()["tau_min"])

    def walk(self, query: Query, chunk_cosines: Scores) -> Walk:
        """Definitions 2 to 4 for a question."""
        settings, ablation = query_settings(query.settings)
        tau_min = self.tau_min if settings.tau_min is None else settings.tau_min
        variable_cosines = cosines(query.vector, self.variable_vectors)
        return walk_graph(self.graph, variable_cosines, chunk_cosines, tau_min, settings, ablation)

    def triples(self, query: Query, graph: CausalGraph, budget_words: int) -> list[str]:
        """Names and triples of G_q in place of evidence (ablation *nodes only*), nearest to a match first."""
        walk = self.walk(query, cosines(query.vector, self.text.chunk_vectors))
        edges = np.flatnonzero(walk.reach.edges) if walk.matched else np.zeros(0, np.int64)
        order = edges[np.argsort(walk.reach.hops[self.graph.sources[edges]], kind="stable")]
        keys = [variable.key for variable in graph.variables]
        walked = [edge for edge in graph.edges if edge.polarity != "none"]
        lines: list[str] = []
        used = 0
        for edge in (walked[row] for row in order):
            line = f"{keys[edge.source]} -> {keys[edge.target]}: {edge.mechanism}"
            used += len(line.split())
            if used > budget_words:
                break
            lines.append(line)
        return lines

    def rank(self, query: Query, retrieval: str) -> Ranked:
        """Windows or chunks in order for a question.

        ``graph`` gives the chunks of the walk. Where it found none, because nothing matched or no edge of
        a match has evidence, the chunks nearest by cosine follow, marked as not matched. ``fused`` adds
        the walk's order to the hybrid ranking.
        """
        scores = score_text(self.text, query.question, query.vector)
        walk = self.walk(query, scores.chunk_cosine)
        found = len(walk.chunks) > 0
        if retrieval == "graph":
            order = walk.chunks if found else descending(scores.chunk_cosine)
            units, by_unit = self.text.chunk_units, scores.chunk_cosine
        else:
            weight = query_settings(query.settings)[0].graph_weight
            by_unit = hybrid(self.text, scores, [self._graph_list(walk)], [weight])
            order = descending(by_unit)
            units = self.text.units
        trace = (lambda: trace_walk(walk, self.graph, self.store)) if query.explain else dict
        return Ranked(order, units, by_unit, scores, found, trace)

    def _graph_list(self, walk: Walk) -> Scores:
        """The walk's order as a score for every chunk, for rank fusion: 0 where it found nothing."""
        listed = np.zeros(len(self.text.chunk_words), np.float32)
        listed[walk.chunks] = np.arange(len(walk.chunks), 0, -1)
        return listed


def query_settings(values: dict[str, Any]) -> tuple[QuerySettings, Ablation]:
    """Settings and ablation switches from plain values.

    Raises:
        UsageError: a name that is no setting of hcg queries, or a value out of range.

    """
    check_names(values, "setting {} of hcg", QuerySettings, Ablation)
    return read_settings(values, QuerySettings), read_settings(values, Ablation)
