"""A dataset: questions, the corpus that answers them, and what the builder must be given to read it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aitia.errors import CorpusError
from aitia.evaluation.datasets.question import Question

PREPARED = "corpus.jsonl"
_MOST_UNRESOLVED = 20
"""Evidence of one question in so many may be damaged in a published file; more is another layout."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a corpus; ``name`` is what questions call it."""

    name: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions and their corpus.

    ``documents`` is empty where ``aitia build`` reads ``corpus`` as it is; else they are what
    `prepare_corpus` writes down for it. ``notes`` says which published records are damaged, and what that
    costs, a line each.
    """

    name: str
    corpus: Path
    questions: tuple[Question, ...]
    documents: tuple[CorpusDocument, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()


def prepare_corpus(dataset: Dataset, folder: Path) -> Path:
    """What ``aitia build`` reads: the corpus itself, or a file of its documents, written into ``folder``.

    The same dataset always gives the same bytes, and a file that has them is left alone.
    """
    if not dataset.documents:
        return dataset.corpus
    lines = []
    for document in dataset.documents:
        record = {"id": document.name, "title": document.title, "text": document.text}
        lines.append(json.dumps({key: value for key, value in record.items() if value}, ensure_ascii=False))
    content = ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")
    target = folder / PREPARED
    if not target.is_file() or target.read_bytes() != content:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return target


def kept_names(documents: Iterable[CorpusDocument]) -> dict[str, str]:
    """By a document's name the name that `read_corpus` keeps: of equal texts the first in name order."""
    ordered = sorted(documents, key=lambda document: document.name)
    first: dict[str, str] = {}
    return {document.name: first.setdefault(document.text, document.name) for document in ordered}


def few(notes: Sequence[str], questions: int) -> tuple[str, ...]:
    """The notes on damaged evidence. Raises CorpusError if more than one question in 20 has one."""
    if len(notes) * _MOST_UNRESOLVED > questions:
        raise CorpusError(f"{notes[0]}; so are {len(notes)} of {questions} questions, expected hardly any")
    return tuple(notes)
