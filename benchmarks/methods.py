"""Several methods on the same questions: evidence and documents found, and the differences from two plain rankings.

    python benchmarks/methods.py --data $AITIA_DATA --dataset holisqa INDEX...

Each index, named by its method, answers with its own retrievals; the first also with the plain ones. Those of hug
come without its gates, hierarchy and chains too. Prints Markdown: hit and recall by budget, the share of questions
all of whose documents are among the first 5 and 10 (budget 6,000 words), and the paired bootstrap's 95 % interval of
the differences in hit and in documents; all questions first, then the odd half. ``graph`` is empty where it fell back.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from aitia.clients.cached import CachedEmbedder
from aitia.evaluation import document_recall, evidence_recall
from aitia.evaluation.datasets import Question, corpus_path, in_half, load_questions, read_corpus_text
from aitia.evaluation.evidence_recall import PreparedEvidence
from aitia.evaluation.statistics.compare import compare
from aitia.retrieval.result import Retrieval
from aitia.testing.memory_ledger import MemoryLedger
from aitia.workflows import Index, open_index

BASELINES = ("plain:hybrid", "plain:rrf")
DOCUMENTS = (5, 10)
DOCUMENT_BUDGET = 6_000

Scores = dict[str, float]


@dataclass(frozen=True)
class Row:
    """A retrieval of an index, with settings, under a label."""

    label: str
    index: Index
    retrieval: str
    settings: dict[str, Any]


@dataclass(frozen=True)
class Scored:
    """Of one row, by question id: hit and recall by budget, whether all of k documents were found, fallback."""

    hit: Mapping[int, Scores]
    recall: Mapping[int, Scores]
    found: Mapping[int, Scores]
    fallback: Scores


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("indexes", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dataset", default="holisqa", choices=["lihua-world", "holisqa"])
    parser.add_argument("--budgets", type=int, nargs="+", default=[200, 400, 1000])
    given = parser.parse_args()
    questions = load_questions(given.data, given.dataset)
    prepared = evidence_recall.prepare(questions, read_corpus_text(corpus_path(given.data, given.dataset)))
    scored = {row.label: evaluate(row, prepared, questions, given.budgets) for row in rows(given.indexes)}
    for title, ids in (("all", frozenset(q.id for q in questions)),
                       ("odd", frozenset(q.id for q in in_half(questions, "odd")))):  # fmt: skip
        print_table(f"{title}, {len(ids)}", scored, ids)


def print_table(title: str, scored: Mapping[str, Scored], ids: Collection[str]) -> None:
    """Means over the questions of these ids, and differences from the baselines."""
    heads = [f"{budget:,} words" for budget in scored[BASELINES[0]].hit] + [f"all in {k}" for k in DOCUMENTS]
    print(f"| {title} | {' | '.join(heads)} | fallback |\n|---{'|---' * len(heads)}|---|")
    for label, each in scored.items():
        cells = [f"{mean(each.hit[b], ids):.3f} / {mean(each.recall[b], ids):.3f}" for b in each.hit]
        cells += [f"{mean(each.found[k], ids):.3f}" for k in DOCUMENTS]
        print(f"| {label} | {' | '.join(cells)} | {mean(each.fallback, ids):.3f} |", flush=True)
    for name in BASELINES:
        print(f"\n| {title}, minus {name} | {' | '.join(heads)} |\n|---{'|---' * len(heads)}|")
        for label, each in scored.items():
            if label != name:
                print(f"| {label} | {' | '.join(differences(scored[name], each, ids))} |", flush=True)
    print()


def rows(folders: Sequence[Path]) -> Iterator[Row]:
    """What is asked of the indexes, each with an embedder that computes a question once."""
    ledger = MemoryLedger()
    for number, folder in enumerate(folders):
        index = open_index(folder)
        index.__dict__["embedder"] = CachedEmbedder(index.embedder, ledger)
        for name in index.retrievals:
            if not name.startswith("plain:"):
                yield Row(f"{index.method}, {name}", index, name, {})
            elif name == index.method or number == 0:
                yield Row(name, index, name, {})
        for switch in ("gates", "hierarchy", "filter") if index.method == "hug" else ():
            for name in ("fused", "graph"):
                yield Row(f"hug, {name}, no {switch}", index, name, {switch: False})


def evaluate(
    row: Row, prepared: PreparedEvidence, asked: Sequence[Question], budgets: Sequence[int]
) -> Scored:
    """Evidence at every budget, documents at theirs."""
    hit, recall = {}, {}
    for budget in budgets:
        contexts = {
            id: [item.text for item in got.evidence] for id, got in retrieve(row, asked, budget).items()
        }
        scores = evidence_recall.score(prepared, contexts, budget, asked)
        hit[budget] = dict(zip(scores.ids, scores.hit.tolist(), strict=True))
        recall[budget] = dict(zip(scores.ids, scores.recall.tolist(), strict=True))
    results = retrieve(row, asked, DOCUMENT_BUDGET)
    documents = {id: [item.document for item in got.evidence] for id, got in results.items()}
    found = {}
    for k in DOCUMENTS:
        of_k = document_recall.score(asked, documents, k)
        found[k] = dict(zip(of_k.ids, of_k.all_found.tolist(), strict=True))
    fallback = {id: float(not got.graph_matched) for id, got in results.items()}
    return Scored(hit, recall, found, fallback)


def retrieve(row: Row, asked: Sequence[Question], budget: int) -> dict[str, Retrieval]:
    """By question id; evidence that the graph alone did not find is left out."""
    got = row.index.retrieve_all(
        [question.text for question in asked],
        retrieval=row.retrieval,
        budget_words=budget,
        settings=row.settings,
    )
    return {
        question.id: each if each.graph_matched or row.retrieval != "graph" else emptied(each)
        for question, each in zip(asked, got, strict=True)
    }


def emptied(retrieval: Retrieval) -> Retrieval:
    """The same without evidence."""
    return replace(retrieval, evidence=())


def differences(baseline: Scored, system: Scored, ids: Collection[str]) -> Iterator[str]:
    """System minus baseline in hit by budget, then in documents, each with its interval."""
    pairs = [(baseline.hit[b], system.hit[b]) for b in system.hit]
    pairs += [(baseline.found[k], system.found[k]) for k in system.found]
    for one, other in pairs:
        result = compare({id: score for id, score in one.items() if id in ids}, other)
        yield f"{result.delta:+.3f} [{result.low:+.3f}, {result.high:+.3f}]"


def mean(scores: Scores, ids: Collection[str]) -> float:
    """Over the questions of these ids."""
    return float(np.mean([score for id, score in scores.items() if id in ids]))


if __name__ == "__main__":
    main()
