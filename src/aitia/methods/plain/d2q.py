"""Doc2Query and Doc2Query--: chunks with the questions that they answer appended, ranked as text (design 2.7).

Questions only: their answers stand in the chunk already. An analyst that writes few questions, as the rules
do, leaves the chunks almost as they are.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from aitia.analyst.graph_protocols import QuestionClaim, QuestionWriter
from aitia.clients.protocols import Vectors
from aitia.corpus.windows import words_of
from aitia.errors import UsageError
from aitia.graph.order import Indices
from aitia.methods.build import BuildRequest, Built
from aitia.methods.plain.config import D2qSettings
from aitia.methods.query import Query, Ranked
from aitia.retrieval.dense import cosines, unit_rows
from aitia.retrieval.doc2query import best_share, first_of_each, normal_question
from aitia.retrieval.fuse import reciprocal_rank_fusion
from aitia.retrieval.lexical import LexicalIndex, index_terms
from aitia.retrieval.rankings import RRF_K, best_first, score_text
from aitia.retrieval.text_index import TextIndex, terms_arrays, terms_from
from aitia.storage.contents import Store


def build(request: BuildRequest, settings: D2qSettings) -> Built:
    """Questions of each chunk, the best of them, and both indexes of the chunks that they are appended to."""
    rows = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    written = cast(QuestionWriter, request.analyst).write_questions(request.chunks, settings.questions)
    written = [claim for claim in written if claim.question.strip()]
    asked = [claim for claim in written if claim.chunk_id in rows]
    asked = [
        asked[row]
        for row in first_of_each([(each.chunk_id, normal_question(each.question)) for each in asked])
    ]
    chunk = np.array([rows[claim.chunk_id] for claim in asked], np.int64)
    request.report("questions")
    vectors = request.embedder.embed([claim.question for claim in asked])
    relevance = np.einsum("ij,ij->i", vectors, request.text.chunk_vectors[chunk]).astype(np.float32)
    kept = np.flatnonzero(best_share(relevance, np.zeros_like(chunk), settings.keep))
    questions = [asked[row] for row in kept]
    texts = [chunk.text for chunk in request.chunks]
    for claim in questions:
        texts[rows[claim.chunk_id]] += f"\n{claim.question}"
    facts: dict[str, Any] = {
        "queries": {"written": len(written), "distinct": len(asked), "kept": len(questions)}
    }
    if not questions and not request.analyst.unread:
        facts["warnings"] = [_nothing_written(request)]
    return Built(
        arrays={
            "d2q_vectors": _expanded(request.text, chunk[kept], questions, vectors[kept]),
            **terms_arrays("d2q", index_terms(texts)),
        },
        facts=facts,
        rejected=tuple(request.analyst.rejected),
        records={"query_nodes": [{"chunk": each.chunk_id, "question": each.question} for each in questions]},
        unread=tuple(sorted(request.analyst.unread, key=astuple)),
    )


def _nothing_written(request: BuildRequest) -> str:
    count = len(request.chunks)
    chunks = f"{count:,} chunk{'s' * (count != 1)}"
    rules = " (the rules write them for definitions alone)" if request.analyst.name == "rules" else ""
    return (
        f"no question was written for {chunks}{rules}, so nothing is appended to them: "
        "the ranking is that of plain:rrf; use --analyst llm"
    )


def _expanded(text: TextIndex, chunk: Indices, questions: list[QuestionClaim], vectors: Vectors) -> Vectors:
    """Vectors of the chunks with their questions: the mean of both by words, as that of any long text."""
    words = [len(words_of(claim.question)) for claim in questions]
    weights = csr_array(
        (np.array(words, np.float32), (chunk, np.arange(len(chunk)))),
        shape=(len(text.chunk_words), len(chunk)),
    )
    own = text.chunk_words[:, None] * text.chunk_vectors
    return unit_rows(np.asarray(own + weights @ vectors, np.float32))


@dataclass(frozen=True)
class D2qRetriever:
    """Expanded chunks opened for questions: their cosine and BM25 by reciprocal rank, as ``plain:rrf``."""

    text: TextIndex
    store: Store

    @cached_property
    def vectors(self) -> Vectors:
        """Unit vectors of the expanded chunks."""
        return np.asarray(self.store.array("d2q_vectors"), np.float32)

    @cached_property
    def terms(self) -> LexicalIndex:
        """BM25 of the expanded chunks."""
        return terms_from(self.store.arrays(), "d2q")

    def rank(self, query: Query, retrieval: str) -> Ranked:
        """Chunks in order for a question."""
        if query.settings:
            raise UsageError(f"{retrieval} has no settings; leave --set out")
        lists = [cosines(query.vector, self.vectors), self.terms.scores(query.question)]
        fused = reciprocal_rank_fusion(lists, RRF_K)
        scores = score_text(self.text, query.question, query.vector)
        return Ranked(best_first(fused), self.text.chunk_units, fused, scores, True, dict)
