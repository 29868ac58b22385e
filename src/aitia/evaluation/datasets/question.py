"""A question with what a good retrieval must find, and the halves of a question set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from aitia.corpus.document import content_hash
from aitia.errors import CorpusError

Half = Literal["even", "odd"]

NULL_TYPES = ("Null", "null_query")
"""The types of LiHua-World and MultiHop-RAG whose right answer is that the corpus holds none."""

_NO_ANSWER = "insufficient information"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what a good retrieval must find.

    ``evidence`` holds passages, paraphrased or verbatim, each of one or more sentences;
    ``evidence_documents`` the names of documents. Either may be empty. ``source`` names the text of a
    corpus that the question was made from, if the dataset says. ``answerable`` is false where the right
    answer is that the corpus holds none.
    """

    id: str
    text: str
    answer: str
    type: str = "all"
    evidence: tuple[str, ...] = ()
    evidence_documents: tuple[str, ...] = ()
    source: str = ""
    answerable: bool = True


def has_answer(type: str, answer: str, evidence: Sequence[str]) -> bool:
    """False for the null types, and for the published null answer to a question without any evidence."""
    if type in NULL_TYPES:
        return False
    return bool(evidence) or answer.strip().rstrip(".").lower() != _NO_ANSWER


def half_of(question_id: str) -> Half:
    """The parity of the first hex digit of the id's SHA-1."""
    return "odd" if int(hashlib.sha1(question_id.encode()).hexdigest()[0], 16) % 2 else "even"


def in_half(questions: Sequence[Question], half: Half | None) -> tuple[Question, ...]:
    """The questions of one half; all of them where none is named."""
    return tuple(question for question in questions if half is None or half_of(question.id) == half)


def questions_hash(questions: Iterable[Question]) -> str:
    """16 hex digits that change with any field of any question, and not with their order."""
    ordered = sorted(questions, key=lambda question: question.id)
    return content_hash(*(json.dumps(asdict(question), sort_keys=True) for question in ordered))


def with_distinct_ids(path: Path, questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions of a file. Raises CorpusError if two have one id, for records are joined by it."""
    places: dict[str, int] = {}
    kept = tuple(questions)
    for number, question in enumerate(kept, start=1):
        first = places.setdefault(question.id, number)
        if first != number:
            raise CorpusError(
                f"{path}: two questions have one id, {question.id!r} (questions {first} and {number}); "
                "expected an id for each"
            )
    return kept
