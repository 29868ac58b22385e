"""Why a passage is evidence for a question, or is not: its place in the order, and what put it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from aitia.graph.order import Indices, descending
from aitia.methods import METHODS
from aitia.methods.plain.retrieve import rank_plain
from aitia.methods.query import Query, Ranked
from aitia.retrieval.rankings import Ranking, explain_chunks
from aitia.retrieval.select import select_contexts
from aitia.workflows.index import DEFAULT_BUDGET_WORDS, Index, check_question

GRAPH_PARTS = ("chunks", "query_chunks", "entity_chunks")
"""What the methods call their reasons for chunks in a trace."""


@dataclass(frozen=True)
class Standing:
    """A passage (row of its chunk) in the order of a question.

    ``rank``: of its best part among the passages, from 1; None where the order does not have it. ``cosine``,
    ``bm25`` and the ranks by each are among all passages. ``graph``: what the method's own walk says of it.
    """

    chunk: int
    chosen: bool
    rank: int | None
    cosine: float
    cosine_rank: int
    bm25: float
    bm25_rank: int
    graph: Mapping[str, Any] | None


@dataclass(frozen=True)
class PassageOrder:
    """All passages in the order of a question, and those that its budget of words took."""

    index: Index
    question: str
    retrieval: str
    budget_words: int
    ranked: Ranked

    @cached_property
    def passages(self) -> Indices:
        """Rows of chunks, best first, each where its best unit stands."""
        order = np.asarray(self.ranked.order, np.int64)
        chunks = self.ranked.units.chunk[order]
        _, first = np.unique(chunks, return_index=True)
        return np.asarray(chunks[np.sort(first)], np.int64)

    @cached_property
    def chosen(self) -> frozenset[int]:
        """Rows of the chunks that are evidence."""
        order = np.asarray(self.ranked.order, np.int64)
        contexts = select_contexts(order.tolist(), self.ranked.units, self.budget_words)
        return frozenset(context.chunk for context in contexts)

    @cached_property
    def last_rank(self) -> int:
        """The rank of the last chosen passage, 0 where there is none."""
        return max((self._rank_of[chunk] for chunk in self.chosen), default=0)

    @cached_property
    def _rank_of(self) -> Mapping[int, int]:
        return {chunk: rank for rank, chunk in enumerate(self.passages.tolist(), 1)}

    @cached_property
    def _graph(self) -> Mapping[str, Any]:
        trace = self.ranked.trace()
        return next((trace[name] for name in GRAPH_PARTS if name in trace), {})

    def standings(self, chunks: Sequence[int]) -> list[Standing]:
        """Where some passages stand."""
        texts = explain_chunks(self.ranked.text, np.array(chunks, np.int64))
        ids = [chunk.id for chunk in self.index.store.chunks(chunks)]
        return [
            Standing(
                chunk, chunk in self.chosen, self._rank_of.get(chunk), text["cosine"], int(text["cosine_rank"]),
                text["bm25"], int(text["bm25_rank"]), self._graph.get(chunk_id),
            )
            for chunk, chunk_id, text in zip(chunks, ids, texts, strict=True)
        ]  # fmt: skip


def order_passages(
    index: Index, question: str, retrieval: str | None = None, budget_words: int = DEFAULT_BUDGET_WORDS
) -> PassageOrder:
    """The order that `Index.retrieve` takes its evidence from, with the index's own settings.

    Raises:
        UsageError: no question, or a retrieval that the index does not have.

    """
    asked = check_question(question)
    name = index.check_retrieval(retrieval)
    method = METHODS[index.method]
    is_own = bool(method.retriever) and name in method.retrievals
    settings = dict(index.settings.get("query", {})) if is_own else {}
    query = Query(asked, index.embedder.embed([asked])[0], settings, explain=True)
    if is_own:
        ranked = index.retriever.rank(query, name)
    else:
        ranked = rank_plain(index.text, query, cast(Ranking, name.removeprefix("plain:")))
    return PassageOrder(index, asked, name, budget_words, ranked)


def find_passages(index: Index, words: str, most: int) -> list[int]:
    """Rows of the passages that these words are found in, the best first."""
    scores = index.text.chunk_terms.scores(words)
    order = descending(scores)
    return [int(row) for row in order[scores[order] > 0][:most]]
