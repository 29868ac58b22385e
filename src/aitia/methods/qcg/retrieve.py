"""Retrieval from a graph of questions: ``graph`` as published, and ``fused`` with words and the text's own ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from aitia.graph.order import Indices, descending
from aitia.methods.qcg.config import QuerySettings, query_settings
from aitia.methods.qcg.trace import trace_walk
from aitia.methods.qcg.walk import Walk, score_chunks, walk_graph
from aitia.methods.qcg.wording import words_to_match
from aitia.methods.query import Query, Ranked
from aitia.retrieval.dense import Vectors, cosines
from aitia.retrieval.fuse import Scores
from aitia.retrieval.lexical import LexicalIndex
from aitia.retrieval.rankings import TextScores, hybrid, score_text
from aitia.retrieval.text_index import TextIndex, terms_from
from aitia.storage.contents import Store

NODES_A_CHUNK = 2
"""Nodes whose words count for a chunk: the best of them (measured, docs/benchmarks.md)."""


@dataclass(frozen=True)
class QcgRetriever:
    """A graph of questions opened for questions: arrays only; the nodes' texts are read for a trace."""

    text: TextIndex
    store: Store

    @cached_property
    def chunk_of(self) -> Indices:
        """The chunk of each node."""
        return np.asarray(self.store.array("qcg_node_chunk"), np.int64)

    @cached_property
    def vectors(self) -> Vectors:
        """Unit vectors of the nodes."""
        return np.asarray(self.store.array("qcg_node_vectors"), np.float32)

    @cached_property
    def neighbours(self) -> Indices:
        """The nearest nodes of each node, -1 for none."""
        return np.asarray(self.store.array("qcg_node_neighbours"), np.int64)

    @cached_property
    def node_terms(self) -> LexicalIndex:
        """BM25 of the nodes' texts in their context."""
        return terms_from(self.store.arrays(), "qcg_node")

    @cached_property
    def chunk_terms(self) -> LexicalIndex:
        """BM25 of the chunks in their context."""
        return terms_from(self.store.arrays(), "qcg_context")

    def rank(self, query: Query, retrieval: str) -> Ranked:
        """Windows or chunks in order for a question.

        ``graph`` gives the chunks of the walk; where they are fewer than wanted, or none, the nearest by
        cosine follow, marked in the trace. ``fused`` adds the words of chunks and nodes in their context,
        and with ``graph_weight`` the walk, to the hybrid ranking.
        """
        settings = query_settings(query.settings)
        scores = score_text(self.text, query.question, query.vector)
        graph = retrieval == "graph"
        walk = None
        if graph or query.explain or settings.graph_weight:
            walk = walk_graph(cosines(query.vector, self.vectors), self.neighbours, self.chunk_of, settings)
        if graph and walk is not None:
            order, by_unit = self._as_published(walk, scores, settings)
            units, matched = self.text.chunk_units, len(walk.chunks) > 0
        else:
            by_unit = self._fused(query.question, walk, scores, settings)
            order, units, matched = descending(by_unit), self.text.units, True
        trace: Callable[[], Mapping[str, Any]] = dict
        if query.explain and walk is not None:
            trace = partial(trace_walk, walk, self.neighbours, self.store)
        return Ranked(order, units, by_unit, scores, matched, trace)

    def _as_published(
        self, walk: Walk, scores: TextScores, settings: QuerySettings
    ) -> tuple[Indices, Scores]:
        """The walk's chunks, then those nearest by cosine as far as they are wanted; scores of all chunks."""
        by_unit = scores.chunk_cosine.copy()
        by_unit[walk.chunks] = walk.scores
        rest = descending(scores.chunk_cosine)
        order = np.concatenate([walk.chunks, rest[np.isin(rest, walk.chunks, invert=True)]])
        return order[: settings.chunks], by_unit

    def _fused(self, question: str, walk: Walk | None, scores: TextScores, settings: QuerySettings) -> Scores:
        words = words_to_match(question)
        lists = [self.chunk_terms.scores(words), self._node_words(words)]
        weights = [settings.node_weight] * 2
        if walk is not None and settings.graph_weight:
            listed = np.zeros(len(self.text.chunk_words), np.float32)
            listed[walk.chunks] = np.arange(len(walk.chunks), 0, -1)
            lists.append(listed)
            weights.append(settings.graph_weight)
        return hybrid(self.text, scores, lists, weights)

    def _node_words(self, words: str) -> Scores:
        """BM25 of each chunk's best nodes, shape (chunks,)."""
        by_node = self.node_terms.scores(words)
        matched = np.flatnonzero(by_node)
        chunks, best = score_chunks(by_node[matched], self.chunk_of[matched], "topm", NODES_A_CHUNK)
        by_chunk = np.zeros(len(self.text.chunk_words), np.float32)
        by_chunk[chunks] = best
        return by_chunk
