"""How long the graph takes for a question, beside the least that such work could take.

    python benchmarks/retrieval_speed.py [--size paper|large|all] [--queries 50] [--no-open] [--json]

Synthetic graphs: ``paper`` has the published 1,583 variables and 20,000 edges, ``large`` 100,000 and
1,000,000; both 173 metrics, two chunks an edge, vectors of 384 dimensions. A question lies near five
metrics and matches fifteen variables, the most that the published settings allow. Measured after the
question's embedding, in one process:

  cosines   the question to every variable: one matrix-vector product
  walk      Definitions 2 to 4 with the order of chunks (cosines to chunks are given: every method needs them)
  total     both together; the targets are 2 ms and 50 ms (median)
  bound     the same product, and one breadth-first search of the whole graph by SciPy from one matched
            variable: what even a walk without matching, cones and evidence would take
  open      from the path of an index to the first walk's end, in a fresh process whose imports are done

The machine may be shared: ``best`` is the least of all runs, and the ratios compare medians of runs that
took turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from aitia.corpus.document import Corpus
from aitia.graph.causal import GraphArrays
from aitia.methods.hcg.config import Ablation, QuerySettings
from aitia.methods.hcg.walk import Walk, walk_graph
from aitia.retrieval.dense import cosines, unit_rows
from aitia.storage.contents import IndexContents
from aitia.storage.sqlite import SqliteStore, write_sqlite
from aitia.testing.random_graphs import Size, random_graph

SIZES = {
    "paper": Size(variables=1_583, edges=20_000, metrics=173, chunks=1_200),
    "large": Size(variables=100_000, edges=1_000_000, metrics=173, chunks=75_000),
}
TARGET_MS = {"paper": 2.0, "large": 50.0}
TARGET_OPEN_S = 2.0
DIMENSIONS = 384
TAU_MIN = 0.35

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """A graph, its vectors, and questions with their cosines to the chunks."""

    graph: GraphArrays
    variables: Vectors
    questions: Vectors
    chunk_cosines: Vectors

    def cosines(self, row: int) -> Vectors:
        """A question's to every variable."""
        return cosines(self.questions[row], self.variables)

    def walk(self, row: int, variable_cosines: Vectors) -> Walk:
        """A question's."""
        return walk_graph(
            self.graph, variable_cosines, self.chunk_cosines[row], TAU_MIN, QuerySettings(), Ablation()
        )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", choices=[*SIZES, "all"], default="all")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--no-open", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--open", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.open:
        print(open_once(options.open))
        return
    for name in SIZES if options.size == "all" else [options.size]:
        case = make_case(np.random.default_rng(0), SIZES[name], options.queries)
        result = {"size": name, **measure(case), "target_ms": TARGET_MS[name]}
        if not options.no_open:
            result |= {"open_s": measure_open(case), "target_open_s": TARGET_OPEN_S}
        print(json.dumps(result) if options.json else table(result))


def make_case(generator: np.random.Generator, size: Size, queries: int) -> Case:
    """Variables lie around their metric's direction, and a question between variables of five metrics."""
    graph = random_graph(generator, size)
    noise = unit_rows(generator.standard_normal((size.variables, DIMENSIONS), np.float32))
    metrics = unit_rows(generator.standard_normal((size.metrics, DIMENSIONS), np.float32))
    variables = unit_rows(2 * metrics[graph.metric_of] + noise)
    near = generator.integers(0, size.variables, (queries, 5))
    off = unit_rows(generator.standard_normal((queries, DIMENSIONS), np.float32))
    questions = unit_rows(variables[near].sum(axis=1) + 0.3 * off)
    chunk_cosines = generator.normal(0.1, 0.1, (queries, size.chunks)).astype(np.float32)
    return Case(graph, variables, questions, chunk_cosines)


def measure(case: Case) -> dict[str, float]:
    """Milliseconds: of each part the median and the least over the questions, and what was walked."""
    matrix = csr_array(
        (np.ones(len(case.graph.sources), np.int8), (case.graph.sources, case.graph.targets)),
        shape=(case.graph.nodes, case.graph.nodes),
    )
    case.walk(0, case.cosines(0))
    times: dict[str, list[float]] = {name: [] for name in ("cosines", "walk", "total", "bound")}
    reached: list[float] = []
    matched: list[int] = []
    for row in range(len(case.questions)):
        product, found = timed(lambda row=row: case.cosines(row))
        walking, walk = timed(lambda row=row, found=found: case.walk(row, found))
        start = int(walk.match.variables[0]) if walk.matched else 0
        search, _ = timed(lambda start=start: breadth_first_order(matrix, start, return_predecessors=False))
        again, _ = timed(lambda row=row: case.cosines(row))
        for name, value in zip(times, (product, walking, product + walking, search + again), strict=True):
            times[name].append(value)
        reached.append(float((walk.reach.hops >= 0).mean()))
        matched.append(len(walk.match.variables))
    summary = {f"{name}_ms": round(statistics.median(values), 3) for name, values in times.items()}
    best = {f"{name}_best_ms": round(min(values), 3) for name, values in times.items()}
    ratio = round(summary["total_ms"] / summary["bound_ms"], 2)
    return {
        **summary,
        **best,
        "ratio": ratio,
        "matched": round(statistics.mean(matched), 1),
        "share_reached": round(statistics.mean(reached), 3),
    }


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = perf_counter()
    result = work()
    return 1000 * (perf_counter() - began), result


def measure_open(case: Case) -> float:
    """Seconds from a path to the end of the first walk, the least of three fresh processes."""
    arrays = {f"graph_{field.name}": getattr(case.graph, field.name) for field in fields(case.graph)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.db"
        named = {**arrays, "variable_vectors": case.variables, "chunk_cosines": case.chunk_cosines[:1],
                 "questions": case.questions[:1]}  # fmt: skip
        write_sqlite(path, IndexContents({}, Corpus(()), [], named))
        command = [sys.executable, __file__, "--open", str(path)]
        return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3))


def open_once(path: Path) -> float:
    began = perf_counter()
    store = SqliteStore(path)
    graph = GraphArrays(**{field.name: store.array(f"graph_{field.name}") for field in fields(GraphArrays)})
    vectors = [store.array(name) for name in ("variable_vectors", "questions", "chunk_cosines")]
    case = Case(graph, *(np.asarray(each, np.float32) for each in vectors))
    case.walk(0, case.cosines(0))
    return perf_counter() - began


def table(result: dict[str, object]) -> str:
    def lines() -> Iterator[str]:
        yield f"{result['size']}: {result['matched']} matches reach {result['share_reached']} of V"
        for part in ("cosines", "walk", "total", "bound"):
            yield f"  {part:<8} median {result[f'{part}_ms']:>8} ms   best {result[f'{part}_best_ms']:>8} ms"
        yield f"  total / bound {result['ratio']}, target for total {result['target_ms']} ms"
        if "open_s" in result:
            yield f"  open     {result['open_s']:.2f} s, target {result['target_open_s']} s"

    return "\n".join(lines())


if __name__ == "__main__":
    main()
