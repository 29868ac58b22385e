"""Retrieval from a hierarchy with gates: ``graph`` ranks the passages it reached, ``fused`` all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.graph.order import descending
from aitia.methods.hug.chains import chain_document, find_chains
from aitia.methods.hug.config import Ablation, QuerySettings, query_settings
from aitia.methods.hug.nodes import NodeGraph, read_nodes
from aitia.methods.hug.search import Walk, causal_ways, search
from aitia.methods.hug.trace import trace_walk
from aitia.methods.hug.ways import best_ways
from aitia.methods.query import Query, Ranked
from aitia.retrieval.fuse import reciprocal_rank_fusion
from aitia.retrieval.rankings import RRF_K, best_first, score_text
from aitia.retrieval.text_index import TextIndex
from aitia.storage.contents import Store


@dataclass(frozen=True)
class HugRetriever:
    """A hug index opened for questions: arrays only; records are read when a trace is asked for."""

    text: TextIndex
    store: Store

    @cached_property
    def nodes(self) -> NodeGraph:
        """The graph as arrays."""
        return read_nodes(self.store.arrays(), len(self.text.chunk_words))

    def walk(self, query: Query) -> tuple[Walk, QuerySettings, Ablation]:
        """The search for a question, and the settings it was made with."""
        settings, ablation = query_settings(query.settings)
        return search(self.nodes, query.question, query.vector, settings, ablation), settings, ablation

    def rank(self, query: Query, retrieval: str) -> Ranked:
        """Chunks in order for a question.

        ``graph`` has those that the walk reached, by the walk's score; where it reached none, all follow by
        cosine, marked as not matched. ``fused`` ranks all by reciprocal rank of cosine, BM25 and, with a small
        weight, the walk's score.
        """
        scores = score_text(self.text, query.question, query.vector)
        walk, settings, ablation = self.walk(query)
        found = bool(walk.chunks.any())
        if retrieval == "graph":
            by_chunk = walk.chunks if found else scores.chunk_cosine
            order = best_first(walk.chunks) if found else descending(by_chunk)
        else:
            lists = [scores.chunk_cosine, scores.chunk_bm25, walk.chunks]
            by_chunk = reciprocal_rank_fusion(lists, RRF_K, [1.0, 1.0, settings.graph_weight])
            order = descending(by_chunk)

        return Ranked(
            order,
            self.text.chunk_units,
            by_chunk,
            scores,
            found,
            partial(trace_walk, walk, self.nodes, self.store, settings) if query.explain else dict,
            partial(self._chains, walk, query, settings, ablation)
            if query.chains and ablation.filter
            else dict,
        )

    def _chains(
        self, walk: Walk, query: Query, settings: QuerySettings, ablation: Ablation
    ) -> dict[str, Any]:
        """The chains of a walk, judged by the rules unless a question brings its own refiner."""
        ways = best_ways(causal_ways(self.nodes, walk, ablation, query.allowed), self.nodes, settings.paths)
        refine = partial((query.refiner or RulesAnalyst()).refine_paths, query.question)
        chains = find_chains(ways, walk, self.nodes, self.store, refine, query.allowed)
        return chain_document(chains, self.store)
