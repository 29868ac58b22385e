"""Which questions of a dataset a benchmark asks, and the hash of the documents that it asks them of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
        UsageError: more than one way to choose, a number below 1, an unknown half, no question left.
        CorpusError: an id of the file is that of no question.

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
    ids = {line.strip() for line in read_text(path).split("\n") if line.strip()}
    unknown = sorted(ids - {each.id for each in questions})
    if unknown:
        raise CorpusError(f"{path}: {unknown[0]!r} is the id of no question; expected an id a line")
    return tuple(each for each in questions if each.id in ids)


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
