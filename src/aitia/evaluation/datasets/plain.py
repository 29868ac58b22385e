"""Questions in the plain layout: of our data folder, of GraphRAG-Bench, and of users.

Fields: ``id``, ``question``, ``answer``, and perhaps ``question_type``, ``evidence``,
``evidence_documents``, ``source``.
"""

from __future__ import annotations

from pathlib import Path

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets.dataset import Dataset
from aitia.evaluation.datasets.question import Question, has_answer, with_distinct_ids
from aitia.evaluation.datasets.rows import SEPARATOR, Row, read_rows

FORMATS = (".json", ".jsonl", ".csv")
_GRAPHRAG_BENCH = ("evidence_relations", "evidence_triple")
_PUBLISHED_SEPARATOR = "; "


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file, in its order; an answer may be missing.

    Raises CorpusError for a file that is missing or empty, is not a list of questions, or repeats an id.
    """
    return with_distinct_ids(path, (_question(row, row.optional("answer")) for row in read_rows(path)))


def read_answered(path: Path) -> tuple[Question, ...]:
    """The questions of a file, as `read_questions`, each of which must have an answer."""
    return with_distinct_ids(path, (_question(row, row.text("answer")) for row in read_rows(path)))


def load_own(path: Path, corpus: Path | None = None) -> Dataset:
    """A user's dataset: a file of questions, or a folder with ``questions.json``, ``.jsonl`` or ``.csv``.

    The corpus is what beside it is named ``corpus...`` or ``docs...``, unless it is given.
    Raises UsageError if there is no such path, or no one corpus; CorpusError if questions are missing or not one.
    """
    path = path.resolve()
    if not path.exists():
        raise UsageError(
            f"{path}: does not exist; expected a folder or file of questions, or a dataset's name"
        )
    name = path.stem if path.is_file() else path.name
    questions = path if path.is_file() else _only_file(path)
    if questions.suffix.lower() not in FORMATS:
        raise CorpusError(f"{questions}: expected questions as {', '.join(FORMATS)}")
    if corpus is not None and not corpus.exists():
        raise UsageError(
            f"{corpus}: does not exist; expected the corpus of {questions}, give it with --corpus"
        )
    return Dataset(name, corpus or _corpus_beside(questions), read_answered(questions))


def _question(row: Row, answer: str) -> Question:
    published = any(name in row.fields for name in _GRAPHRAG_BENCH)
    evidence = row.texts("evidence", _PUBLISHED_SEPARATOR if published else SEPARATOR)
    documents = row.texts("evidence_documents")
    kind = row.optional("question_type", "all")
    return Question(
        id=row.id(),
        text=row.text("question"),
        answer=answer,
        type=kind,
        evidence=evidence,
        evidence_documents=documents,
        source=row.optional("source"),
        answerable=has_answer(kind, answer, (*evidence, *documents)),
    )


def _only_file(folder: Path) -> Path:
    names = [f"questions{suffix}" for suffix in FORMATS]
    found = [folder / name for name in names if (folder / name).is_file()]
    if len(found) != 1:
        have = " and ".join(file.name for file in found) or "none"
        raise CorpusError(f"{folder}: expected one of {', '.join(names)}, found {have}")
    return found[0]


def _corpus_beside(questions: Path) -> Path:
    found = sorted(
        entry
        for entry in questions.parent.iterdir()
        if entry.name.lower().startswith(("corpus", "docs")) and entry != questions
    )
    if len(found) != 1:
        have = ", ".join(entry.name for entry in found) or "none"
        raise UsageError(
            f"{questions.parent}: expected one corpus beside {questions.name}, a folder or file named "
            f"corpus... or docs..., found {have}; name it with --corpus"
        )
    return found[0]
