"""How long a question takes in the graphs of HugRAG and QCG-RAG, after its embedding.

    python benchmarks/graph_search_speed.py [--questions 100] [--json]

Synthetic, 100,000 nodes: best-first expansion over 1,000,000 edges of three types from twelve seeds until
200 nodes are taken (similarities are given), and two hops over three neighbours each from fifteen nodes.
Targets (median): 10 ms and, with everything else that QCG-RAG does, 20 ms. ``bound`` is what no expansion
of 200 nodes can go below here: gathering and multiplying the same nodes' edges, without a queue.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any

import numpy as np

from aitia.graph.best_first import Search, best_first
from aitia.graph.csr import adjacency
from aitia.graph.hops import expand_hops

NODES, EDGES = 100_000, 1_000_000
SEEDS = 12


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    random = np.random.default_rng(0)
    graph = adjacency(random.integers(0, NODES, EDGES), random.integers(0, NODES, EDGES), NODES)
    types = random.choice(3, EDGES, p=[0.6, 0.3, 0.1]).astype(np.int8)
    table = random.integers(0, NODES, (NODES, 3))
    search = Search()
    times: dict[str, list[tuple[float, float]]] = {"best_first": [], "bound": [], "hops": []}
    for _ in range(options.questions):
        similarities = random.random(NODES, dtype=np.float32)
        seeds = random.integers(0, NODES, SEEDS)
        took, found = timed(lambda one=similarities, some=seeds: best_first(graph, types, one, some, search))
        times["best_first"].append(took)

        def gather(one: Any = similarities, taken: Any = found.nodes) -> None:
            for node in taken.tolist():
                here = slice(graph.indptr[node], graph.indptr[node + 1])
                _ = one[graph.neighbours[here]] * types[graph.edges[here]]

        times["bound"].append(timed(gather)[0])
        some = random.integers(0, NODES, 15)
        times["hops"].append(timed(lambda some=some: expand_hops(table, some, 2))[0])
    result = {
        name: {
            "median_ms": round(statistics.median(wall for wall, _ in values), 3),
            "best_ms": round(min(wall for wall, _ in values), 3),
            "cpu_ms": round(statistics.median(cpu for _, cpu in values), 3),
        }
        for name, values in times.items()
    }
    if options.json:
        print(json.dumps({**result, "load": os.getloadavg()[0]}))
        return
    for name, row in result.items():
        print(f"{name:<11} median {row['median_ms']} ms, best {row['best_ms']} ms, cpu {row['cpu_ms']} ms")
    print(f"load {os.getloadavg()[0]:.1f}")


def timed(work: Callable[[], Any]) -> tuple[tuple[float, float], Any]:
    wall, cpu = perf_counter(), process_time()
    result = work()
    return (1000 * (perf_counter() - wall), 1000 * (process_time() - cpu)), result


if __name__ == "__main__":
    main()
