"""Query nodes: the pairs of question and answer of each chunk, without repeats, the poor ones filtered out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import QuestionClaim, QuestionWriter
from aitia.clients.protocols import Vectors
from aitia.corpus.chunk import Chunk
from aitia.corpus.sentences import sentence_spans
from aitia.graph.order import Indices
from aitia.methods.build import BuildRequest
from aitia.methods.qcg.config import BuildSettings, NodeForm
from aitia.methods.qcg.wording import node_text, says_something
from aitia.retrieval.doc2query import best_share, first_of_each, normal_question


@dataclass(frozen=True)
class QueryNodes:
    """The nodes in the order of the chunks: claims, chunk rows, relevance to the chunk, unit vectors.

    ``written`` and ``distinct`` count the pairs before repeats and before poor ones were left out;
    ``fragments`` those that would have stayed, but are no sentences.
    """

    claims: tuple[QuestionClaim, ...]
    chunk: Indices
    relevance: NDArray[np.float32]
    vectors: Vectors
    written: int
    distinct: int
    fragments: int

    @property
    def with_question(self) -> int:
        """How many nodes have a question; the others are sentences."""
        return sum(bool(claim.question) for claim in self.claims)


def write_nodes(request: BuildRequest, settings: BuildSettings) -> QueryNodes:
    """Ask for pairs, drop repeats inside a chunk, and keep the share that is nearest to its chunk.

    Repeats are known by the question, those without one by the answer. A pair is compared with its chunk by
    question and answer together (Doc2Query--), whatever of it is embedded as the node. Sentences that say
    nothing, as a heading or a greeting, are left out last: the share is of all that was written.
    """
    claims = _claims(request, settings)
    rows = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    known = [claim for claim in claims if claim.chunk_id in rows]
    distinct = [
        known[place]
        for place in first_of_each(
            [(claim.chunk_id, normal_question(claim.question or claim.answer)) for claim in known]
        )
    ]
    distinct.sort(key=lambda claim: rows[claim.chunk_id])
    chunk = np.array([rows[claim.chunk_id] for claim in distinct], np.int64)
    request.report("questions")
    compared = request.embedder.embed([_text(claim, "query+answer") for claim in distinct])
    relevance = np.einsum("ij,ij->i", compared, request.text.chunk_vectors[chunk]).astype(np.float32)
    groups = chunk if settings.scope == "chunk" else np.zeros_like(chunk)
    best = np.flatnonzero(best_share(relevance, groups, settings.keep))
    kept = np.array(
        [row for row in best if distinct[row].question or says_something(distinct[row].answer)], np.int64
    )
    nodes = tuple(distinct[row] for row in kept)
    vectors = compared[kept]
    if settings.node in ("query", "answer"):
        vectors = request.embedder.embed([_text(claim, settings.node) for claim in nodes])
    return QueryNodes(
        nodes, chunk[kept], relevance[kept], vectors, len(claims), len(distinct), len(best) - len(kept)
    )


def _claims(request: BuildRequest, settings: BuildSettings) -> list[QuestionClaim]:
    if settings.node == "sentence":
        return sentence_claims(request.chunks)
    claims = cast(QuestionWriter, request.analyst).write_questions(request.chunks, settings.questions)
    if settings.node == "query":
        claims = [claim for claim in claims if claim.question.strip()]
    return [
        claim for _, group in groupby(claims, lambda claim: claim.chunk_id)
        for claim in list(group)[: settings.questions]
    ]  # fmt: skip


def sentence_claims(chunks: Sequence[Chunk]) -> list[QuestionClaim]:
    """Every sentence as an answer without a question: the paper's sentence nodes."""
    return [
        QuestionClaim(chunk.id, "", chunk.text[start:end])
        for chunk in chunks
        for start, end in sentence_spans(chunk.text)
    ]


def _text(claim: QuestionClaim, form: NodeForm) -> str:
    return node_text(claim.question, claim.answer, form)
