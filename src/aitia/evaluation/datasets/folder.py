"""Where the datasets lie in a data folder: ours by fixed paths, published ones as they come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aitia.errors import CorpusError, UsageError
from aitia.evaluation.datasets.plain import read_questions
from aitia.evaluation.datasets.question import Question

CORPORA = {
    "medical": "medical/corpus.txt",
    "novel": "novel/docs",
    "lihua-world": "lihua-world/docs",
    "holisqa": "holisqa/computer_science/docs.jsonl",
}
"""Where the corpus of each dataset is in our layout; its ``questions.json`` lies beside it."""


def corpus_path(data: Path, dataset: str) -> Path:
    """The corpus of a dataset in a data folder of our layout: a file or a folder of text files."""
    if dataset not in CORPORA:
        raise UsageError(f"dataset {dataset!r} is unknown; expected one of {', '.join(CORPORA)}")
    return data / CORPORA[dataset]


def load_questions(data: Path, dataset: str) -> tuple[Question, ...]:
    """The questions of a dataset in a data folder of our layout."""
    return read_questions(corpus_path(data, dataset).parent / "questions.json")


def find_layout(name: str, data: Path, layouts: Sequence[tuple[str, str]]) -> tuple[Path, Path]:
    """The questions and the corpus of the one layout, of pairs of relative paths, that is in the folder.

    Raises CorpusError if none is, if two are (which one is meant is not ours to guess), or if its corpus
    is missing.
    """
    found: list[tuple[Path, Path]] = []
    for relative, corpus in layouts:
        questions = data / relative
        # One file under two spellings, where a file system ignores case.
        if questions.is_file() and not any(questions.samefile(other) for other, _ in found):
            found.append((questions, data / corpus))
    if len(found) > 1:
        both = " and ".join(str(questions) for questions, _ in found)
        raise CorpusError(f"{name}: found {both}, expected one of them; move the other away")
    if not found:
        wanted = ", ".join(dict.fromkeys(questions for questions, _ in layouts))
        raise CorpusError(
            f"{data}: {name} is not here; expected one of {wanted}; "
            "nothing is downloaded, docs/evaluation/datasets.md says where to get it"
        )
    questions, path = found[0]
    if not path.exists():
        raise CorpusError(f"{path}: does not exist; expected the corpus of {questions}")
    return questions, path
