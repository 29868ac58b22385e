"""Retrievals and answers as plain JSON values: what ``--json`` prints and the server sends."""

from __future__ import annotations

from typing import Any

from aitia.answering.answer import Answer, Citation
from aitia.retrieval.result import Evidence, Retrieval


def retrieval_line(question_id: str | int, retrieval: Retrieval) -> dict[str, Any]:
    """The line of a question, as benchmarks read it."""
    evidence = retrieval.evidence
    return {
        "id": question_id,
        "contexts": [item.text for item in evidence],
        "chunks": [item.chunk_id for item in evidence],
        "documents": [item.document for item in evidence],
        "scores": [item.score for item in evidence],
        "matched": retrieval.matched,
        "graph_matched": retrieval.graph_matched,
        "seconds": {name: round(value, 6) for name, value in retrieval.seconds.items()},
    }


def retrieval_document(retrieval: Retrieval) -> dict[str, Any]:
    """All of a retrieval."""
    line = retrieval_line("", retrieval)
    del line["id"]
    document = {
        "question": retrieval.question,
        **line,
        "citations": [item.citation for item in retrieval.evidence],
        "chunk_ids": [list(item.chunk_ids) for item in retrieval.evidence],
        "spans": [[item.start, item.end] for item in retrieval.evidence],
    }
    return {**document, "trace": retrieval.trace} if retrieval.trace else document


def answer_document(answer: Answer) -> dict[str, Any]:
    """All of an answer, with what was retrieved for it."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "sufficient": answer.sufficient,
        "citations": [_citation(each) for each in answer.citations],
        "dropped": list(answer.dropped),
        "uncited": answer.uncited,
        "retrieval": retrieval_document(answer.retrieval),
    }


def _citation(citation: Citation) -> dict[str, Any]:
    source = citation.evidence
    fields: dict[str, Any] = {"number": citation.number, "place": citation.place, "text": source.text}
    if isinstance(source, Evidence):
        fields |= {"document": source.document, "chunk": source.chunk_id, "span": [source.start, source.end]}
    return fields
