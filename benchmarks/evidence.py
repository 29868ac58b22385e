"""Evidence recall of every retrieval of one index, with intervals, ablations and reach.

    python benchmarks/evidence.py INDEX --data $AITIA_DATA --dataset medical [--half odd] [--budgets 1000 3000 6000]

Prints Markdown: hit and recall by retrieval and budget, fused minus hybrid with its 95 % paired
bootstrap interval by question type, and for a graph its reach, ties and the figures for h = 1 to 4.
A retrieval that fell back from the graph counts as empty.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from aitia.clients.cached import CachedEmbedder
from aitia.evaluation.datasets import Question, corpus_path, in_half, load_questions, read_corpus_text
from aitia.evaluation.evidence_recall import EvidenceScores, PreparedEvidence, prepare, score
from aitia.evaluation.statistics.compare import compare
from aitia.retrieval.result import Retrieval
from aitia.testing.memory_ledger import MemoryLedger
from aitia.workflows import Index, open_index

PLAIN = ("plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid")


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
    print_retrievals(index, prepared, asked, arguments.budgets)
    if index.method == "hcg":
        print_differences(index, prepared, asked, arguments.budgets)
        print_hops(index, prepared, asked, arguments.budgets)
        print_reach(index, asked)


def print_retrievals(
    index: Index, prepared: PreparedEvidence, asked: Sequence[Question], budgets: Sequence[int]
) -> None:
    """Hit and recall of each retrieval at each budget."""
    print(f"| retrieval | {' | '.join(f'{budget:,} words' for budget in budgets)} | fallback |")
    print(f"|---|{'---|' * (len(budgets) + 1)}")
    names = [*PLAIN, *(["fused", "graph"] if index.method == "hcg" else [])]
    rows: list[tuple[str, Index, str]] = [(name, index, name) for name in names]
    if index.method == "hcg":
        rows.append(("graph, evidence shuffled", shuffled(index), "graph"))
    for label, source, retrieval in rows:
        cells, share = [], 0.0
        for budget in budgets:
            scores, share = evaluate(source, prepared, asked, budget, {"retrieval": retrieval})
            cells.append(f"{scores.hit.mean():.3f} / {scores.recall.mean():.3f}")
        print(f"| {label} | {' | '.join(cells)} | {share:.3f} |", flush=True)


def print_differences(
    index: Index, prepared: PreparedEvidence, asked: Sequence[Question], budgets: Sequence[int]
) -> None:
    """Fused minus hybrid in hit, by question type, with the 95 % paired bootstrap interval."""
    print("\n| fused - hybrid, hit | n | " + " | ".join(f"{budget:,} words" for budget in budgets) + " |")
    print(f"|---|---|{'---|' * len(budgets)}")
    pairs = []
    for budget in budgets:
        one, _ = evaluate(index, prepared, asked, budget, {"retrieval": "plain:hybrid"})
        other, _ = evaluate(index, prepared, asked, budget, {"retrieval": "fused"})
        pairs.append((one, other))
    types = np.array(pairs[0][0].types)
    for name in ["ALL", *sorted(set(types.tolist()))]:
        chosen = np.ones(len(types), bool) if name == "ALL" else types == name
        cells = []
        for one, other in pairs:
            ids = [identity for identity, take in zip(one.ids, chosen, strict=True) if take]
            result = compare(
                dict(zip(ids, one.hit[chosen].tolist(), strict=True)),
                dict(zip(ids, other.hit[chosen].tolist(), strict=True)),
            )
            cells.append(f"{result.delta:+.4f} [{result.low:+.4f}, {result.high:+.4f}]")
        print(f"| {name} | {int(chosen.sum())} | {' | '.join(cells)} |", flush=True)


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
            options = {"retrieval": "graph", "settings": settings}
            scores, _ = evaluate(index, prepared, asked, budget, options)
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
    options: Mapping[str, Any],
) -> tuple[EvidenceScores, float]:
    """Scores at a budget, and the share of questions that fell back from the graph."""
    results = index.retrieve_all([question.text for question in asked], budget_words=budget, **options)
    keep_all = options["retrieval"] != "graph"
    contexts = {question.id: shown(result, keep_all) for question, result in zip(asked, results, strict=True)}
    share = float(np.mean([not result.graph_matched for result in results]))
    return score(prepared, contexts, budget, asked), share


def shown(result: Retrieval, keep_all: bool) -> tuple[str, ...]:
    """The contexts that count: all of a fused ranking, none of the graph's fallback."""
    return tuple(item.text for item in result.evidence) if keep_all or result.graph_matched else ()


def opened(folder: Path, ledger: MemoryLedger) -> Index:
    """The index with an embedder that computes each question once, however often it is asked."""
    index = open_index(folder)
    index.__dict__["embedder"] = CachedEmbedder(index.embedder, ledger)
    return index


def shuffled(index: Index) -> Index:
    """The same index with the evidence of its graph dealt anew to the edges."""
    other = open_index(index.folder)
    other.__dict__["embedder"] = index.embedder
    graph = other.hcg.graph
    order = np.random.default_rng(0).permutation(len(graph.chunk_of))
    other.hcg.__dict__["graph"] = replace(graph, chunk_of=graph.chunk_of[order])
    return other


if __name__ == "__main__":
    main()
