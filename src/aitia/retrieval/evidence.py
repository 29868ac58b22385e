"""From selected contexts to evidence a person can cite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aitia.corpus.chunk import Chunk
from aitia.corpus.windows import words_of
from aitia.retrieval.fuse import Scores
from aitia.retrieval.result import Evidence
from aitia.retrieval.select import Context

ChunkReader = Callable[[Sequence[int]], list[Chunk]]


def read_evidence(
    contexts: Sequence[Context], scores: Scores, read_chunks: ChunkReader, names: Mapping[str, str]
) -> tuple[Evidence, ...]:
    """The text of each context, verbatim, with where it stands.

    ``scores`` are by unit, ``names`` by document id.
    """
    chunks = read_chunks([context.chunk for context in contexts])
    evidence = []
    for context, chunk in zip(contexts, chunks, strict=True):
        start, end = words_of(chunk.text).span(context.first, context.last)
        evidence.append(
            Evidence(
                text=chunk.text[start:end],
                chunk_id=chunk.id,
                document=names[chunk.document_id],
                citation=chunk.citation,
                start=chunk.start + start,
                end=chunk.start + end,
                score=float(scores[context.unit]),
            )
        )
    return tuple(evidence)
