"""Were all the documents that hold the evidence among the first k retrieved?

    python -m aitia.evaluation.document_recall --questions Q.json --retrieved R.jsonl --k 5

For LiHua-World and HolisQA, whose questions name their documents. A document counts where its first
context ranks. Questions that name none (LiHua-World's ``Null``) are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aitia.errors import AitiaError, CorpusError
from aitia.evaluation.datasets import Question, in_half, read_questions
from aitia.evaluation.retrieved import read_retrieved

DEFAULT_K = 5


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """1.0 where a question's documents are all there, else 0.0; ``missing`` had no retrieved line."""

    ids: tuple[str, ...]
    types: tuple[str, ...]
    all_found: NDArray[np.float64]
    missing: int


def score(
    questions: Sequence[Question], retrieved: Mapping[str, Sequence[str]], k: int = DEFAULT_K
) -> DocumentScores:
    """Score document names in rank order, repeats allowed, by question id."""
    asked = [question for question in questions if question.evidence_documents]
    found = [question for question in asked if question.id in retrieved]
    firsts = [set(list(dict.fromkeys(retrieved[question.id]))[:k]) for question in found]
    complete = [
        first.issuperset(question.evidence_documents) for question, first in zip(found, firsts, strict=True)
    ]
    return DocumentScores(
        ids=tuple(question.id for question in found),
        types=tuple(question.type for question in found),
        all_found=np.array(complete, dtype=np.float64),
        missing=len(asked) - len(found),
    )


def report(scores: DocumentScores, k: int) -> str:
    """The scores by question type and of all, as lines."""
    if not scores.ids:
        raise CorpusError("no question that names its documents was found in --retrieved")
    types = np.array(scores.types)
    groups = [(kind, types == kind) for kind in dict.fromkeys(scores.types)]
    lines = [
        f"{kind:24s} n={member.sum():5d} all@{k}={scores.all_found[member].mean():.4f}"
        for kind, member in [*groups, ("ALL", np.ones(len(types), dtype=bool))]
    ]
    return "\n".join([*lines, f"questions without documents: {scores.missing}\n"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m aitia.evaluation.document_recall")
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--retrieved", type=Path, required=True)
    parser.add_argument("--k", type=int, default=DEFAULT_K, help="documents a question")
    parser.add_argument("--half", choices=("even", "odd"), help="score one half of the questions")
    parser.add_argument(
        "--fallback-empty", action="store_true", help="score a line without a match in the graph as empty"
    )
    given = parser.parse_args(arguments)
    try:
        questions = in_half(read_questions(given.questions), given.half)
        lines = read_retrieved(given.retrieved, fallback_empty=given.fallback_empty)
        scores = score(questions, {id: line.documents for id, line in lines.items()}, given.k)
        sys.stdout.write(report(scores, given.k))
    except AitiaError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
