"""Every method of ours on every dataset, without any model: the leaderboard of docs/benchmarks.md.

    python benchmarks/leaderboard.py --data $AITIA_DATA --out FOLDER [--datasets medical novel lihua-world holisqa]

Each dataset is a benchmark in FOLDER, as `aitia bench --retrieve-only` makes it; what is there already is not made
again, so that `--half all` afterwards costs nothing. Prints Markdown: what each system found, its difference
from `plain:hybrid` with the 95 % interval of the paired bootstrap, and for each graph where it earns its place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from shuffled_graph import Part, shuffled

from aitia.evaluation import document_recall, evidence_recall
from aitia.evaluation.bench.run import run_bench
from aitia.evaluation.datasets import Question, half_of, load_dataset, read_corpus_text
from aitia.evaluation.records import read_answers, read_builds
from aitia.evaluation.statistics.compare import compare
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, read_bench_scores
from aitia.evaluation.statistics.slices import slices
from aitia.evaluation.systems import System, parse_system, parse_systems
from aitia.retrieval.result import Retrieval
from aitia.workflows import open_index

SYSTEMS = (
    "plain:naive",
    "plain:bm25",
    "plain:rrf",
    "plain:hybrid",
    "plain:d2q",
    "plain:d2q_minus",
    "hcg:S",
    "hcg:S+fused",
    "qcg",
    "qcg+fused",
    "hug",
    "hug+fused",
)
BASELINE = "plain:hybrid"
GRAPHS = ("hcg:S", "qcg", "hug")
FEWEST = 6
"""Questions of a slice that is shown."""

Scores = Mapping[str, float]


@dataclass(frozen=True)
class Board:
    """Which budgets of words a dataset is asked with, and what counts: metrics by their heads in the table.

    ``chief``: the budget and the metric of the differences by kind of question.
    """

    budgets: tuple[int, ...]
    metrics: Mapping[str, str]
    chief: tuple[int, str]


EVIDENCE = {"evidence_hit": "hit", "evidence_recall": "recall"}
DOCUMENTS = {"all@5": "all in 5", "all@10": "all in 10"}
BOARDS = {
    "medical": Board((1000, 3000, 6000), EVIDENCE, (3000, "evidence_hit")),
    "novel": Board((1000, 3000, 6000), EVIDENCE, (3000, "evidence_hit")),
    "lihua-world": Board((6000,), DOCUMENTS, (6000, "all@5")),
    "holisqa": Board((200, 400, 1000, 6000), {**EVIDENCE, **DOCUMENTS}, (400, "evidence_hit")),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--datasets", nargs="+", default=list(BOARDS), choices=list(BOARDS))
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS))
    parser.add_argument("--half", choices=["even", "odd", "all"], default="odd")
    given = parser.parse_args()
    for name in given.datasets:
        folder = given.out / name
        names = [f"{system}@{budget}" for system in given.systems for budget in BOARDS[name].budgets]
        run_bench(name, names, folder, data=given.data, retrieve_only=True, report=told(name))
        bench = read_bench_scores([folder])
        ids = frozenset(id for id in bench.questions if given.half in ("all", half_of(id)))
        print(f"### {name}, {'all questions' if given.half == 'all' else given.half + ' half'}\n")
        for lines in (
            standings(folder, bench, given.systems, ids),
            differences(bench, given.systems, ids),
            by_kind(bench, given.systems, ids),
            by_chance(folder, bench, given.systems, ids, given.data),
        ):
            print("\n".join(lines) + "\n", flush=True)


def told(name: str) -> Callable[[str, int, int], None]:
    """Progress on standard error, a line a step."""
    steps: set[str] = set()

    def report(step: str, done: int, total: int) -> None:
        if step not in steps:
            steps.add(step)
            sys.stderr.write(f"{name}: {step}\n")

    return report


def standings(
    folder: Path, bench: BenchScores, systems: Sequence[str], ids: Collection[str]
) -> Iterator[str]:
    """Size, cost and means of each system; the times are of the largest budget."""
    board = BOARDS[bench.dataset]
    builds = {each.system: each for each in read_builds(folder / "builds.jsonl") if each.error is None}
    heads = [
        f"{' / '.join(board.metrics[metric] for metric in metrics)}{f', {budget:,} words' if budget else ''}"
        for budget, metrics in columns(board)
    ]
    yield f"| system | nodes | edges | build s | median query ms | {' | '.join(heads)} | fallback |"
    yield "|---" * (len(heads) + 6) + "|"
    for name in systems:
        build = builds[parse_system(name).build]
        last = parse_system(f"{name}@{board.budgets[-1]}")
        answers = [each for each in read_answers(folder / "answers" / f"{last.slug}.jsonl") if each.id in ids]
        took = 1000 * float(np.median([each.seconds["retrieve"] for each in answers]))
        fallback = float(np.mean([not each.graph_matched for each in answers]))
        cells = [
            " / ".join(
                f"{mean(scores_of(bench, name, budget or board.budgets[-1], metric), ids):.3f}"
                for metric in metrics
            )
            for budget, metrics in columns(board)
        ]
        sizes = [f"{size:,}" if size is not None else "–" for size in (build.nodes, build.edges)]
        cells = [name, *sizes, f"{build.seconds or 0:.0f}", f"{took:.1f}", *cells, f"{fallback:.3f}"]
        yield f"| {' | '.join(cells)} |"


def columns(board: Board) -> list[tuple[int, list[str]]]:
    """Budget and metrics of each column; documents are counted at the largest budget alone, and named without it."""
    evidence = [metric for metric in board.metrics if metric in EVIDENCE]
    found: list[tuple[int, list[str]]] = [(budget, evidence) for budget in board.budgets if evidence]
    return found + [(0, [metric]) for metric in board.metrics if metric in DOCUMENTS]


def differences(bench: BenchScores, systems: Sequence[str], ids: Collection[str]) -> Iterator[str]:
    """Each system minus the baseline, in the first metric of each column."""
    board = BOARDS[bench.dataset]
    heads = [
        f"{board.metrics[metrics[0]]}{f', {budget:,} words' if budget else ''}"
        for budget, metrics in columns(board)
    ]
    scored = scores_of(bench, BASELINE, *board.chief).keys() & set(ids)
    yield f"| minus {BASELINE}, n = {len(scored)} | {' | '.join(heads)} |"
    yield "|---" * (len(heads) + 1) + "|"
    for name in systems:
        if name != BASELINE:
            cells = [
                difference(bench, name, budget or board.budgets[-1], metrics[0], ids)
                for budget, metrics in columns(board)
            ]
            yield f"| {name} | {' | '.join(cells)} |"


def by_kind(bench: BenchScores, systems: Sequence[str], ids: Collection[str]) -> Iterator[str]:
    """Each graph minus the baseline, by type of question and by how many passages its evidence is."""
    board = BOARDS[bench.dataset]
    budget, metric = board.chief
    scored = scores_of(bench, BASELINE, budget, metric).keys()
    parts = {
        name: members & set(ids) & scored
        for name, members in slices(bench.questions).items()
        if name == "all" or "=" in name
    }
    parts = {name: members for name, members in parts.items() if len(members) >= FEWEST}
    shown = [name for name in systems if name.split("+")[0] in GRAPHS]
    yield f"| {board.metrics[metric]} at {budget:,} words, minus {BASELINE} | n | {' | '.join(shown)} |"
    yield "|---" * (len(shown) + 2) + "|"
    for part, members in parts.items():
        cells = [difference(bench, name, budget, metric, members) for name in shown]
        yield f"| {part} | {len(members)} | {' | '.join(cells)} |"


def by_chance(
    folder: Path, bench: BenchScores, systems: Sequence[str], ids: Collection[str], data: Path
) -> Iterator[str]:
    """Each graph, as it is and dealt anew: its edges, and its links to the text."""
    board = BOARDS[bench.dataset]
    budget, metric = board.chief
    dataset = load_dataset(bench.dataset, data)
    asked = [question for question in dataset.questions if question.id in ids]
    head = f"graph alone, {board.metrics[metric]} at {budget:,} words"
    yield f"| {head} | as it is | edges dealt anew | gain | links to the text dealt anew | gain |"
    yield "|---" * 6 + "|"
    score = scorer(folder, asked, budget, metric, dataset.corpus)
    for name in (name for name in systems if name in GRAPHS):
        own = {id: value for id, value in scores_of(bench, name, budget, metric).items() if id in ids}
        cells = [f"{mean(own, ids):.3f}"]
        for part in ("edges", "text"):
            chance = score(parse_system(name), part)
            gain = compare(chance, own)
            cells += [f"{mean(chance, ids):.3f}", f"{gain.delta:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"]
        yield f"| {name} | {' | '.join(cells)} |"


def scorer(
    folder: Path, asked: Sequence[Question], budget: int, metric: str, corpus: Path
) -> Callable[[System, Part], Scores]:
    """Scores of a graph with a part of it dealt anew, by question."""
    prepared = evidence_recall.prepare(asked, read_corpus_text(corpus)) if metric in EVIDENCE else None

    def score(system: System, part: Part) -> Scores:
        index = shuffled(open_index(folder / "indexes" / system.folder), part)
        texts = [question.text for question in asked]
        got = index.retrieve_all(texts, retrieval=system.retrieval, budget_words=budget)
        found = {question.id: each for question, each in zip(asked, got, strict=True)}
        if prepared is not None:
            contexts = {id: [item.text for item in evidence(each)] for id, each in found.items()}
            result = evidence_recall.score(prepared, contexts, budget, asked)
            return dict(zip(result.ids, result.hit.tolist(), strict=True))
        documents = {id: [item.document for item in evidence(each)] for id, each in found.items()}
        complete = document_recall.score(asked, documents, 5)
        return dict(zip(complete.ids, complete.all_found.tolist(), strict=True))

    return score


def evidence(retrieval: Retrieval) -> tuple:
    """What the graph itself found."""
    return retrieval.evidence if retrieval.graph_matched else ()


def scores_of(bench: BenchScores, system: str, budget: int, metric: str) -> Scores:
    """By question."""
    return bench.systems[f"{system}@{budget}"].scores[Measure(metric)]


def difference(bench: BenchScores, system: str, budget: int, metric: str, ids: Collection[str]) -> str:
    """Minus the baseline at the same budget, with its interval."""
    before, after = (scores_of(bench, name, budget, metric) for name in (BASELINE, system))
    result = compare({id: value for id, value in before.items() if id in ids}, after)
    return f"{result.delta:+.3f} [{result.low:+.3f}, {result.high:+.3f}]"


def mean(scores: Scores, ids: Collection[str]) -> float:
    """Over the questions of these ids that are scored."""
    return float(np.mean([value for id, value in scores.items() if id in ids]))


if __name__ == "__main__":
    parse_systems(SYSTEMS)
    main()
