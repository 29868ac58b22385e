"""What a benchmark leaves on disk: a line a question, a record a build. Every later step reads these alone."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from aitia.errors import CorpusError

_MOST = 1 + 1e-9
"""A sum of shares that make up 1 may be rounded to a little more."""
_UNBOUND = ("facts_map@10",)
"""As MultiHop-RAG has it, it may exceed 1."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One system's answer to one question in one run.

    ``reply`` is None where nothing answered (a run without a writer, or an error); ``error`` says why in one
    line. ``abstained``: the system said that the evidence holds no answer. ``usage`` holds what the question
    took, by name: ``llm_calls``, ``prompt_tokens``, ``reply_tokens``, ``embedding_calls``; ``seconds``
    holds ``embed``, ``retrieve`` and ``answer``. ``graph_matched`` is false for a graph's recorded fallback.
    ``passages``: how many passages, or else documents, the question's evidence is; 0 where that is not known.
    """

    id: str
    system: str
    run: int
    type: str
    question: str
    gold: str
    reply: str | None = None
    abstained: bool = False
    contexts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    graph_matched: bool = True
    usage: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    passages: int = 0


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """What a build left and took. What a system cannot tell is None; ``error``: why there is no index.

    ``llm_seconds``: those of ``seconds`` in which at least one chat was in flight.
    """

    system: str
    nodes: int | None = None
    edges: int | None = None
    seconds: float | None = None
    llm_calls: int | None = None
    embedding_calls: int | None = None
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    error: str | None = None
    llm_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """The metrics of one `AnswerRecord`, by name, in [0, 1]; None where one failed or was not to be had.

    ``judge`` is the judge model's name, empty for metrics that ask no model.
    """

    id: str
    system: str
    run: int
    judge: str
    scores: Mapping[str, float | None]


Record = AnswerRecord | BuildRecord | ScoreRecord


def median_query_seconds(answers: Iterable[AnswerRecord]) -> float | None:
    """The median time of embedding and retrieval, of the answers that tell one and did not fail; None of none."""
    took = [
        sum(answer.seconds.get(part, 0.0) for part in ("embed", "retrieve"))
        for answer in answers
        if answer.error is None and not {"embed", "retrieve"}.isdisjoint(answer.seconds)
    ]
    return median(took) if took else None


def append_record(path: Path, record: Record) -> None:
    """Add a line to a file, on the disk when this returns: what a killed run has is never half a line lost."""
    with path.open("ab") as file:
        file.write(_line(record))
        file.flush()
        os.fsync(file.fileno())


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Put these lines in the place of a file, which has the old ones or the new ones whenever it is looked at."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as file:
        file.writelines(map(_line, records))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def read_answers(path: Path) -> list[AnswerRecord]:
    """The answers of a file, in its order; a cut-off last line, of a run that was killed, is left out.

    Raises:
        CorpusError: a line that is no answer.

    """
    lists = ("contexts", "documents")
    return [
        AnswerRecord(**{**fields, **{name: tuple(fields[name]) for name in lists if name in fields}})
        for fields in _read(path, AnswerRecord)
    ]


def read_scores(path: Path) -> list[ScoreRecord]:
    """The scores of a file, as `read_answers`.

    Raises:
        CorpusError: a line that is none, or a score that is neither in [0, 1] nor null.

    """
    return [ScoreRecord(**fields) for fields in _read(path, ScoreRecord)]


def read_builds(path: Path) -> list[BuildRecord]:
    """The builds of a file, as `read_answers`."""
    return [BuildRecord(**fields) for fields in _read(path, BuildRecord)]


def _line(record: Record) -> bytes:
    fields = asdict(record)
    try:
        return f"{json.dumps(fields, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape and UTF-8 cannot hold
        return f"{json.dumps(fields)}\n".encode()


def _check_scores(path: Path, number: int, record: Any) -> None:
    for metric, value in record.scores.items() if isinstance(record, ScoreRecord) else ():
        most = math.inf if metric in _UNBOUND else _MOST
        if value is None or (isinstance(value, int | float) and (0 <= value <= most or math.isnan(value))):
            continue
        raise CorpusError(
            f"{path}:{number}: {metric} of question {record.id!r}, run {record.run} is {value!r}; "
            "expected a number from 0 to 1, or null"
        )


def _read(path: Path, kind: type) -> Sequence[dict[str, Any]]:
    if not path.exists():
        return []
    lines = path.read_text("utf-8").split("\n")
    found = []
    for number, line in enumerate(lines[:-1], start=1):  # what follows the last newline was cut off
        try:
            fields = json.loads(line)
            _check_scores(path, number, kind(**fields))
        except (ValueError, TypeError) as error:
            raise CorpusError(
                f"{path}:{number}: not a line of {kind.__name__}; move the file away and run the bench again"
            ) from error
        found.append(fields)
    return found
