"""MultiHop-RAG (Tang and Yang, 2024) as published: ``MultiHopRAG.json`` and ``corpus.json``.

The articles have their text in ``body``, which ``aitia build`` does not read: they are made documents, named
by their titles (and addresses, where two have one title), with title, source and date ahead of the body,
for the questions speak of them. An id is ``MultiHopRAG-`` and the position in the file, from 1.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from aitia.evaluation.datasets.dataset import CorpusDocument, Dataset, few, kept_names
from aitia.evaluation.datasets.folder import find_layout
from aitia.evaluation.datasets.question import Question, has_answer, with_distinct_ids
from aitia.evaluation.datasets.rows import Row, read_rows

_ROOTS = ("multihop-rag", "MultiHopRAG", "MultiHop-RAG/dataset", "MultiHop-RAG", "dataset")


def load_multihop_rag(data: Path) -> Dataset:
    """The questions with their facts and articles; evidence that names no article is a note."""
    layouts = [(f"{root}/MultiHopRAG.json", f"{root}/corpus.json") for root in _ROOTS]
    path, corpus = find_layout("multihop-rag", data, layouts)
    names, documents = _articles(corpus)
    notes: list[str] = []
    questions = with_distinct_ids(path, [_question(row, names, notes) for row in read_rows(path)])
    return Dataset("multihop-rag", corpus, questions, documents, few(notes, len(questions)))


def _articles(corpus: Path) -> tuple[dict[str, str], tuple[CorpusDocument, ...]]:
    """The name of an article by its address and by its title, and the documents."""
    rows = read_rows(corpus)
    titles = [_one_line(row.text("title")) for row in rows]
    times = Counter(titles)
    names: dict[str, str] = {}
    documents = []
    for row, title in zip(rows, titles, strict=True):
        url = _one_line(row.optional("url"))
        if times[title] > 1 and not url:
            row.fail(f'expected "url" to tell two articles apart, found the title {title!r} twice')
        name = title if times[title] == 1 else f"{title} <{url}>"
        if url:
            names[url] = name
        names.setdefault(title, name)
        heading = f"{title}\n{row.optional('source')}, {row.optional('published_at')}"
        documents.append(CorpusDocument(name, f"{heading}\n\n{row.text('body')}", title))
    kept = kept_names(documents)
    return {key: kept[name] for key, name in names.items()}, tuple(documents)


def _question(row: Row, names: dict[str, str], notes: list[str]) -> Question:
    facts = _facts(row)
    evidence = tuple(fact.text("fact") for fact in facts)
    found = [_article(fact, names) for fact in facts]
    if "" in found:
        place = facts[found.index("")].place
        notes.append(f"{place}: names no article of the corpus; the question is left out of document recall")
        found = []
    kind, answer = row.text("question_type"), row.text("answer")
    return Question(
        id=f"MultiHopRAG-{int(row.key) + 1}",
        text=row.text("query"),
        answer=answer,
        type=kind,
        evidence=evidence,
        evidence_documents=tuple(sorted(set(found))),
        answerable=has_answer(kind, answer, evidence),
    )


def _facts(row: Row) -> list[Row]:
    items: Any = row.fields.get("evidence_list")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        row.fail('expected "evidence_list" as a list of records with "fact" and "title"')
    return [Row(f"{row.place}: evidence {number}", "", item) for number, item in enumerate(items, start=1)]


def _article(fact: Row, names: dict[str, str]) -> str:
    url, title = _one_line(fact.optional("url")), _one_line(fact.optional("title"))
    return names.get(url) or names.get(title) or ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
