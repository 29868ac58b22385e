"""Answers: evidence for a question, written up by the rules or by one call of a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aitia.analyst.graph_protocols import PathRefiner
from aitia.analyst.protocols import AnswerDraft, AnswerWriter, NumberedEvidence, StreamingWriter
from aitia.answering.answer import Answer, check_answer, number_evidence, without_evidence
from aitia.errors import UsageError
from aitia.methods.query import Query
from aitia.retrieval.result import Evidence
from aitia.workflows import folder as files
from aitia.workflows.analysts import ModelOptions, OpenAnalyst, llm_settings, open_analyst

if TYPE_CHECKING:
    from aitia.clients.protocols import Ledger
    from aitia.workflows.index import Index, QueryOptions

CONTEXT_TOKENS = 128_000
"""What the whole corpus may have where no model says what it takes."""

OnText = Callable[[str], None]


@dataclass(frozen=True)
class Asking:
    """What of the corpus a writer is given, the language of the answer, and who hears it as it comes.

    ``context`` is ``evidence``, ``nodes_only`` or ``in_context``; ``tokens`` is what the last may have.
    """

    context: str = "evidence"
    language: str | None = None
    tokens: int = CONTEXT_TOKENS
    on_text: OnText | None = None


def ask(index: Index, question: str, writer: AnswerWriter, options: QueryOptions, how: Asking) -> Answer:
    """An answer whose citations are checked against the evidence that the writer was given.

    A writer that can judge chains judges those of the question too.
    """
    if how.context == "evidence" and isinstance(writer, PathRefiner):
        retrieval = index.retrieve_refined(question, writer, **options)
    else:
        retrieval = index.retrieve(question, **options)
    sources: Sequence[Evidence | NumberedEvidence]
    if how.context == "evidence":
        if not retrieval.matched or not retrieval.evidence:
            return without_evidence(retrieval.question, retrieval)
        sources = retrieval.evidence
        numbered = number_evidence(retrieval.evidence)
    elif how.context == "nodes_only":
        sources = numbered = _triples(index, retrieval.question, options)
    elif how.context == "in_context":
        sources = numbered = _whole_corpus(index, how.tokens)
    else:
        raise UsageError(f"unknown context {how.context!r}; expected evidence, nodes_only or in_context")
    draft = _write(writer, retrieval.question, numbered, how)
    return check_answer(retrieval.question, draft, sources, retrieval)


def _write(
    writer: AnswerWriter, question: str, evidence: Sequence[NumberedEvidence], how: Asking
) -> AnswerDraft:
    if how.on_text is not None and isinstance(writer, StreamingWriter):
        return writer.stream_answer(question, evidence, how.language, how.on_text)
    return writer.write_answer(question, evidence, how.language)


def open_writer(index: Index, options: ModelOptions) -> tuple[OpenAnalyst, int]:
    """Who answers, by default whoever built the index, and how many tokens a prompt of theirs may have.

    A model's answers are kept in the index's ledger, or the one given; where that cannot be written, as in
    an index that is only read, they are not kept.
    """
    recorded = index.settings.get("llm")
    name = options.get("analyst") or str(index.settings.get("analyst", "rules"))
    chosen: ModelOptions = {**options, "analyst": name}
    opened = open_analyst(chosen, _ledger(index, chosen), recorded=recorded)
    tokens = llm_settings(chosen, recorded).context_tokens if name == "llm" else CONTEXT_TOKENS
    return opened, tokens


def _ledger(index: Index, options: ModelOptions) -> Ledger | None:
    if options["analyst"] == "rules":
        return None
    from aitia.storage.ledger import SqliteLedger

    given = options.get("ledger")
    place = Path(given or index.folder / files.LEDGER)
    writable = os.access(place if place.exists() else place.parent, os.W_OK)
    return SqliteLedger(place) if given or writable else None


def _triples(index: Index, question: str, options: QueryOptions) -> list[NumberedEvidence]:
    from aitia.workflows.index import DEFAULT_BUDGET_WORDS

    if index.method != "hcg":
        raise UsageError(f"nodes_only needs a graph, and {index.folder} was built with {index.method}")
    query = Query(question, index.embedder.embed([question])[0], options.get("settings", {}))
    budget = options.get("budget_words", DEFAULT_BUDGET_WORDS)
    texts = index.hcg.triples(query, index.graph, budget)
    return [NumberedEvidence(number, text, "graph") for number, text in enumerate(texts, 1)]


def _whole_corpus(index: Index, context_tokens: int) -> list[NumberedEvidence]:
    from aitia.corpus.tokens import count_tokens

    documents = index.store.documents()
    tokens = sum(count_tokens(each.text) for each in documents)
    if tokens > context_tokens:
        raise UsageError(
            f"the corpus has {tokens:,} tokens and the context holds {context_tokens:,}; "
            "use --context evidence, or a smaller corpus"
        )
    return [NumberedEvidence(number, each.text, each.path) for number, each in enumerate(documents, 1)]
