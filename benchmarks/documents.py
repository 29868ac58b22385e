"""Were all documents of a question's evidence among the first 5 or 10, for several retrievals of one index?

    python benchmarks/documents.py INDEX --data $AITIA_DATA --dataset lihua-world \
        --retrieval plain:naive plain:hybrid fused graph graph,score=sum

A retrieval may have settings behind commas. Counts with Wilson's 95 % interval, by question type.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aitia.cli.options import parse_settings
from aitia.evaluation import document_recall
from aitia.evaluation.datasets import in_half, load_questions
from aitia.workflows.index import Index, open_index

BUDGET_WORDS = 6_000
Z = 1.96


def wilson(found: int, asked: int) -> tuple[float, float]:
    """The interval of a share (Wilson 1927)."""
    share, scale = found / asked, 1 + Z * Z / asked
    middle = (share + Z * Z / (2 * asked)) / scale
    half = Z * math.sqrt(share * (1 - share) / asked + Z * Z / (4 * asked * asked)) / scale
    return middle - half, middle + half


def rows(index: Index, given: argparse.Namespace) -> Iterator[str]:
    """A line of a Markdown table for each retrieval and number of documents."""
    questions = [
        each
        for each in in_half(load_questions(given.data, given.dataset), given.half)
        if each.evidence_documents
    ]
    kinds = list(dict.fromkeys(question.type for question in questions))
    yield f"| retrieval | documents | {' | '.join([*kinds, 'all'])} |"
    yield "|---" * (len(kinds) + 3) + "|"
    for spec in given.retrieval:
        name, *pairs = spec.split(",")
        settings: dict[str, Any] = parse_settings(pairs)
        asked = [question.text for question in questions]
        got = index.retrieve_all(asked, retrieval=name, budget_words=BUDGET_WORDS, settings=settings)
        documents = {
            question.id: [item.document for item in each.evidence]
            for question, each in zip(questions, got, strict=True)
        }
        for k in (5, 10):
            scores = document_recall.score(questions, documents, k)
            cells = [_cell([bool(ok) for ok, kind in zip(scores.all_found, scores.types, strict=True) if kind in of])
                     for of in (*([kind] for kind in kinds), kinds)]  # fmt: skip
            yield f"| {spec} | {k} | {' | '.join(cells)} |"


def _cell(found: list[bool]) -> str:
    low, high = wilson(sum(found), len(found))
    return f"{sum(found)}/{len(found)} = {sum(found) / len(found):.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dataset", default="lihua-world")
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument(
        "--retrieval", nargs="+", default=["plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid"]
    )
    given = parser.parse_args()
    for line in rows(open_index(given.index), given):
        print(line, flush=True)


if __name__ == "__main__":
    main()
