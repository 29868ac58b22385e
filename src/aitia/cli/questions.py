"""Question files: what ``aitia retrieve --questions`` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from aitia.errors import CorpusError, UsageError


class Question(NamedTuple):
    """A question and its id, both as they stand in the file; without an id, its number from 1."""

    id: str | int
    text: str


def read_questions(path: Path) -> list[Question]:
    """The questions of a ``.json`` list or a ``.jsonl`` file: records with ``question``, or plain strings.

    Raises:
        CorpusError: unreadable, of another form, empty, two of one id, or one that cannot be asked.

    """
    questions: dict[str | int, Question] = {}
    for place, record in _records(path):
        question = _question(f"{path}: {place}", record, len(questions) + 1)
        if question.id in questions:
            raise CorpusError(
                f"{path}: {place} has the id {question.id!r} of an earlier one; expected its own"
            )
        questions[question.id] = question
    if not questions:
        raise CorpusError(f"{path} holds no question; expected a list of them")
    return list(questions.values())


def _records(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read ({error.strerror}); expected a .json or .jsonl file"
        ) from None
    except UnicodeDecodeError:
        raise CorpusError(f"{path} is not UTF-8; save it as UTF-8") from None
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"line {number}", _parse(path, line, number)
        return
    records = _parse(path, text, 1)
    if not isinstance(records, list):
        raise CorpusError(f"{path} holds one {type(records).__name__}; expected a list of questions")
    for number, record in enumerate(records, 1):
        yield f"question {number}", record


def _parse(path: Path, text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}:{line + error.lineno - 1}"
        raise CorpusError(
            f"{where}: not JSON ({error.msg.lower()}); expected a list, or a .jsonl file with a record a line"
        ) from None
    except (ValueError, RecursionError):
        raise CorpusError(f"{path} is JSON beyond what is read here; expected a list of questions") from None


def _question(place: str, record: Any, number: int) -> Question:
    from aitia.workflows.index import check_question

    fields = {"question": record} if isinstance(record, str) else record
    text = fields.get("question") if isinstance(fields, dict) else None
    if not isinstance(text, str):
        raise CorpusError(f'{place}: expected a text, or a record with "id" and "question"')
    question_id = fields.get("id", str(number))
    if not isinstance(question_id, str | int):
        raise CorpusError(f"{place}: the id is a {type(question_id).__name__}; expected a text or a number")
    try:
        return Question(question_id, check_question(text))
    except UsageError as error:
        raise CorpusError(f"{place} (id {question_id!r}): {error}") from None
