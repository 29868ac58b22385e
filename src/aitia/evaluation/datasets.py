"""The question sets of the benchmarks, in one shape.

A data folder holds ``medical/``, ``novel/``, ``lihua-world/`` and ``holisqa/computer_science/``, each
with ``questions.json`` and its corpus. Halves are fixed by the id alone: tune on one, report on the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from aitia.errors import CorpusError, UsageError

Half = Literal["even", "odd"]

CORPORA = {
    "medical": "medical/corpus.txt",
    "novel": "novel/docs",
    "lihua-world": "lihua-world/docs",
    "holisqa": "holisqa/computer_science/docs.jsonl",
}
"""Where the corpus of each dataset is; its ``questions.json`` lies beside it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what a good retrieval must find.

    ``evidence`` holds passages, paraphrased or verbatim, each of one or more sentences;
    ``evidence_documents`` the names of documents. Either may be empty.
    """

    id: str
    text: str
    answer: str
    type: str = "all"
    evidence: tuple[str, ...] = ()
    evidence_documents: tuple[str, ...] = ()


def corpus_path(data: Path, dataset: str) -> Path:
    """The corpus of a dataset in a data folder: a file or a folder of text files."""
    if dataset not in CORPORA:
        raise UsageError(f"dataset {dataset!r} is unknown; expected one of {', '.join(CORPORA)}")
    return data / CORPORA[dataset]


def load_questions(data: Path, dataset: str) -> tuple[Question, ...]:
    """The questions of a dataset in a data folder."""
    return read_questions(corpus_path(data, dataset).parent / "questions.json")


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file, in its order.

    Raises CorpusError for a file that is missing, is not a list of questions, or repeats an id.
    """
    records = _parse(path, read_text(path))
    if not isinstance(records, list):
        raise CorpusError(f"{path}: expected a list of questions, found one {type(records).__name__}")
    questions = tuple(_question(path, number, record) for number, record in enumerate(records, start=1))
    if len({question.id for question in questions}) < len(questions):
        raise CorpusError(f"{path}: two questions have one id; expected an id for each")
    return questions


def half_of(question_id: str) -> Half:
    """The parity of the first hex digit of the id's SHA-1."""
    return "odd" if int(hashlib.sha1(question_id.encode()).hexdigest()[0], 16) % 2 else "even"


def in_half(questions: Sequence[Question], half: Half | None) -> tuple[Question, ...]:
    """The questions of one half; all of them where none is named."""
    return tuple(question for question in questions if half is None or half_of(question.id) == half)


def read_corpus_text(path: Path) -> str:
    """The whole text of a corpus, its documents one a line group.

    A folder of text files in the order of their names, a ``.jsonl`` file with ``text`` fields, a
    ``.json`` file with ``context`` fields, or a text file.
    """
    if path.is_dir():
        return "\n".join(read_text(file) for file in sorted(path.iterdir()))
    content = read_text(path)
    if path.suffix == ".jsonl":
        records, field = [_parse(path, line) for line in content.split("\n") if line.strip()], "text"
    elif path.suffix == ".json":
        records, field = _parse(path, content), "context"
        records = records if isinstance(records, list) else [records]
    else:
        return content
    try:
        return "\n".join(record[field] for record in records)
    except (KeyError, TypeError) as error:
        raise CorpusError(f"{path}: expected records with their text in {field!r}") from error


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; CorpusError, in one line, where it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise CorpusError(f"{path}: cannot be read ({reason}); expected a text file in UTF-8") from error


def _parse(path: Path, content: str) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise CorpusError(f"{path}: not JSON ({error})") from error


def _question(path: Path, number: int, record: Any) -> Question:
    if not (
        isinstance(record, dict)
        and isinstance(record.get("id"), str)
        and isinstance(record.get("question"), str)
    ):
        raise CorpusError(f'{path}: question {number}: expected a record with "id" and "question" as text')
    evidence = record.get("evidence") or ()
    return Question(
        id=record["id"],
        text=record["question"],
        answer=record.get("answer", ""),
        type=record.get("question_type", "all"),
        evidence=(evidence,) if isinstance(evidence, str) else tuple(evidence),
        evidence_documents=tuple(record.get("evidence_documents") or ()),
    )
