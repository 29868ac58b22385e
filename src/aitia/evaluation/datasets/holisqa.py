"""HolisQA (Wang et al., 2026, HugRAG): ours and the published layout, by domain.

Published: ``qa.jsonl``, ``sentences.jsonl`` and ``articles.jsonl`` of each domain. Abstracts are made
documents of their sentences, named by ``article_id``. An id is the category and ``qa_id``.

A tenth of the abstracts are there twice under two ids. An index keeps one, so evidence names that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from aitia.errors import UsageError
from aitia.evaluation.datasets.dataset import CorpusDocument, Dataset, kept_names
from aitia.evaluation.datasets.folder import find_layout
from aitia.evaluation.datasets.plain import read_answered
from aitia.evaluation.datasets.question import Question, with_distinct_ids
from aitia.evaluation.datasets.rows import Row, read_rows

DEFAULT_DOMAIN = "computer_science"
_ROOTS = ("holisqa", "data/holisqa")


def load_holisqa(data: Path, domain: str = DEFAULT_DOMAIN) -> Dataset:
    """The abstracts and questions of a domain."""
    name = "holisqa" if domain == DEFAULT_DOMAIN else f"holisqa:{domain}"
    domains = {entry.name for root in _ROOTS for entry in (data / root).glob("*/") if entry.is_dir()}
    if domains and domain not in domains:
        raise UsageError(f"{data}: HolisQA has no domain {domain!r} here; found {', '.join(sorted(domains))}")
    folders = [f"{root}/{domain}" for root in _ROOTS]
    layouts = [(f"{folder}/questions.json", f"{folder}/docs.jsonl") for folder in folders]
    layouts += [(f"{folder}/qa.jsonl", f"{folder}/sentences.jsonl") for folder in folders]
    path, corpus = find_layout(name, data, layouts)
    if path.name == "questions.json":
        ours = [CorpusDocument(row.id(), row.text("text")) for row in read_rows(corpus)]
        return Dataset(name, corpus, _with_kept_names(read_answered(path), ours))
    sentences = {row.id("sentence_id"): row for row in read_rows(corpus)}
    questions = with_distinct_ids(path, [_question(row, sentences) for row in read_rows(path)])
    abstracts = _abstracts(corpus.parent / "articles.jsonl", sentences)
    return Dataset(name, corpus, _with_kept_names(questions, abstracts), abstracts)


def _with_kept_names(
    questions: Sequence[Question], abstracts: Sequence[CorpusDocument]
) -> tuple[Question, ...]:
    kept = kept_names(abstracts)
    return tuple(
        replace(
            question,
            evidence_documents=tuple(
                dict.fromkeys(kept.get(name, name) for name in question.evidence_documents)
            ),
        )
        for question in questions
    )


def _question(row: Row, sentences: dict[str, Row]) -> Question:
    ids = row.texts("context_sentence_ids")
    unknown = next((id for id in ids if id not in sentences), None)
    if unknown is not None:
        row.fail(f"expected sentences of sentences.jsonl, found {unknown!r}")
    found = [sentences[id] for id in ids]
    category = row.text("category")
    return Question(
        id=f"{category}-{row.id('qa_id')}",
        text=row.text("question"),
        answer=row.text("answer"),
        type=category,
        evidence=tuple(sentence.text("text") for sentence in found),
        evidence_documents=tuple(dict.fromkeys(sentence.text("article_id") for sentence in found)),
    )


def _abstracts(articles: Path, sentences: dict[str, Row]) -> tuple[CorpusDocument, ...]:
    """A document an article, in the order of their sentences, which is the order of the file."""
    titles = {row.id("article_id"): row.optional("title") for row in read_rows(articles)}
    texts: dict[str, list[str]] = {}
    for sentence in sentences.values():
        texts.setdefault(sentence.text("article_id"), []).append(sentence.text("text"))
    return tuple(
        CorpusDocument(article, " ".join(parts), titles.get(article, "")) for article, parts in texts.items()
    )
