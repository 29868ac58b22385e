"""Which questions of a dataset a benchmark asks, and the hash of the documents that it asks them of."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets import Half, Question, in_half, read_text


@dataclass(frozen=True, slots=True)
class Selection:
    """Which questions: a number drawn by ``seed``, one half, or those whose ids a file lists, a line each.

    At most one of the three. Of two numbers the smaller draws a part of what the larger does.
    """

    count: int | None = None
    half: str | None = None
    ids: Path | None = None
    seed: int = 0


def choose(questions: Sequence[Question], selection: Selection) -> tuple[Question, ...]:
    """The chosen questions, in the order of the dataset.

    Raises:
        UsageError: more than one way to choose, a number below 1, an unknown half, a file that cannot be read or
            has an id of no question, no question left.

    """
    given = [each for each in (selection.count, selection.half, selection.ids) if each is not None]
    if len(given) > 1:
        raise UsageError("--questions, --half and --ids exclude one another; give one")
    chosen = tuple(questions)
    if selection.count is not None:
        chosen = _drawn(chosen, selection.count, selection.seed)
    if selection.half is not None:
        chosen = in_half(chosen, _half(selection.half))
    if selection.ids is not None:
        chosen = _listed(chosen, selection.ids)
    if not chosen:
        raise UsageError("no question is left to ask; choose others with --questions, --half or --ids")
    return chosen


def _drawn(questions: Sequence[Question], count: int, seed: int) -> tuple[Question, ...]:
    if count < 1:
        raise UsageError(f"--questions {count}; expected at least 1")
    order = sorted(questions, key=lambda each: _sha256(f"{seed} {each.id}"))
    chosen = {each.id for each in order[:count]}
    return tuple(each for each in questions if each.id in chosen)


def _half(name: str) -> Half:
    if name in ("even", "odd"):
        return cast("Half", name)
    raise UsageError(f"--half {name!r}; expected even or odd")


def _listed(questions: Sequence[Question], path: Path) -> tuple[Question, ...]:
    try:
        ids = {line.strip() for line in read_text(path).split("\n") if line.strip()}
    except CorpusError as error:
        raise UsageError(f"--ids {error}") from None
    unknown = sorted(ids - {each.id for each in questions})
    if unknown:
        raise UsageError(f"--ids {path}: {unknown[0]!r} is the id of no question; expected an id a line")
    return tuple(each for each in questions if each.id in ids)


def unknown_documents(questions: Sequence[Question], known: Collection[str]) -> list[str]:
    """A line on the documents that questions name as evidence and an index has not; none where it has all."""
    has = frozenset(known)
    named: dict[str, str] = {}
    for each in questions:
        named.update((name, each.id) for name in each.evidence_documents if name not in named)
    unknown = [name for name in named if name not in has]
    if not unknown:
        return []
    return [
        f"{len(unknown)} of {len(named)} documents that questions name as evidence are in no index and count as not "
        f"found, as {unknown[0]!r} of question {named[unknown[0]]!r}; an index has names as {min(has, default='')!r}"
    ]


def hash_corpus(path: Path) -> str:
    """Identifies the files of a corpus, by their names in it and their bytes.

    Raises:
        CorpusError: there is no such file or folder.

    """
    if not path.exists():
        raise CorpusError(f"corpus {path} does not exist; expected a file or a folder of documents")
    whole = hashlib.sha256()
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else ""
        whole.update(
            f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode("utf-8", "surrogateescape")
        )
    return whole.hexdigest()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
