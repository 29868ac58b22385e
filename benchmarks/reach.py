"""How far the graph of an hcg index reaches: evidence recall of the graph alone for 1 to 4 hops and without cones.

    python benchmarks/reach.py INDEX --data $AITIA_DATA --dataset medical [--half odd] [--budgets 1000 3000 6000]

Prints Markdown: hit and recall by variant and budget, the share of the variables within 1 to 4 hops, and how
many cones tied. A question that fell back from the graph counts as empty.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aitia.clients.cached import CachedEmbedder
from aitia.evaluation.datasets import Question, corpus_path, in_half, load_questions, read_corpus_text
from aitia.evaluation.evidence_recall import EvidenceScores, PreparedEvidence, prepare, score
from aitia.testing.memory_ledger import MemoryLedger
from aitia.workflows import Index, open_index


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dataset", default="medical", choices=["medical", "novel", "holisqa"])
    parser.add_argument("--half", choices=["even", "odd", "all"], default="odd")
    parser.add_argument("--budgets", type=int, nargs="+", default=[1000, 3000, 6000])
    arguments = parser.parse_args()
    questions = load_questions(arguments.data, arguments.dataset)
    prepared = prepare(questions, read_corpus_text(corpus_path(arguments.data, arguments.dataset)))
    asked = questions if arguments.half == "all" else in_half(questions, arguments.half)
    index = opened(arguments.index, MemoryLedger())
    print_hops(index, prepared, asked, arguments.budgets)
    print_reach(index, asked)


def print_hops(
    index: Index, prepared: PreparedEvidence, asked: Sequence[Question], budgets: Sequence[int]
) -> None:
    """The figures of ``graph`` for 1 to 4 hops, and without cones."""
    print(f"\n| graph | {' | '.join(f'{budget:,} words' for budget in budgets)} |")
    print(f"|---|{'---|' * len(budgets)}")
    variants: list[tuple[str, dict[str, Any]]] = [
        (f"h = {hops}", {"max_hops": hops}) for hops in (1, 2, 3, 4)
    ]
    variants += [
        ("no cones", {"cones": False}),
        ("hops of the nearer end", {"order": "nearest", "cones": False}),
    ]
    for label, settings in variants:
        cells = []
        for budget in budgets:
            scores = evaluate(index, prepared, asked, budget, settings)
            cells.append(f"{scores.hit.mean():.3f} / {scores.recall.mean():.3f}")
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def print_reach(index: Index, asked: Sequence[Question]) -> None:
    """The share of the variables within 1 to 4 hops, and how many cones tied, over the questions."""
    results = index.retrieve_all(
        [question.text for question in asked], retrieval="graph", explain=True, budget_words=1
    )
    matched = [result.trace for result in results if result.graph_matched]
    share = np.array([trace["reach"]["share_by_hop"] for trace in matched]).mean(axis=0)
    found = sum(trace["cones"]["found"] for trace in matched)
    tied = sum(trace["cones"]["tied"] for trace in matched)
    print(f"\nShare of V within 1 to 4 hops: {', '.join(f'{value:.3f}' for value in share)}; ", end="")
    print(
        f"cones tied on convergence: {tied / max(found, 1):.3f} of {found / max(len(matched), 1):.1f} a question."
    )


def evaluate(
    index: Index,
    prepared: PreparedEvidence,
    asked: Sequence[Question],
    budget: int,
    settings: Mapping[str, Any],
) -> EvidenceScores:
    """What the graph alone found within a budget; its fallback is none of it."""
    texts = [question.text for question in asked]
    results = index.retrieve_all(texts, retrieval="graph", budget_words=budget, settings=dict(settings))
    contexts = {
        question.id: [item.text for item in result.evidence] if result.graph_matched else []
        for question, result in zip(asked, results, strict=True)
    }
    return score(prepared, contexts, budget, asked)


def opened(folder: Path, ledger: MemoryLedger) -> Index:
    """The index with an embedder that computes each question once, however often it is asked."""
    index = open_index(folder)
    index.__dict__["embedder"] = CachedEmbedder(index.embedder, ledger)
    return index


if __name__ == "__main__":
    main()
