"""How long a graph of questions takes: its neighbours when it is built, and a walk after a question's embedding.

python benchmarks/query_speed.py --nodes 100000 --dimensions 384
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from aitia.graph.knn import knn_graph
from aitia.methods.qcg.config import QuerySettings
from aitia.methods.qcg.walk import walk_graph
from aitia.retrieval.dense import cosines, unit_rows

NODES_A_CHUNK = 16
WALKS = 50


def main() -> None:
    """Print seconds of the build and milliseconds of a walk."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=384)
    given = parser.parse_args()
    generator = np.random.default_rng(0)
    topics = generator.standard_normal((given.nodes // 50 + 1, given.dimensions), np.float32)
    noise = generator.standard_normal((given.nodes, given.dimensions), np.float32)
    vectors = unit_rows(topics[generator.integers(len(topics), size=given.nodes)] + noise)
    began = time.perf_counter()
    neighbours = knn_graph(vectors, 3).ids
    print(f"neighbours: {time.perf_counter() - began:.1f} s", flush=True)
    chunk_of = np.arange(given.nodes) // NODES_A_CHUNK
    settings, took = QuerySettings(), []
    for _ in range(WALKS):
        question = unit_rows(topics[generator.integers(len(topics), size=1)])[0]
        began = time.perf_counter()
        walk_graph(cosines(question, vectors), neighbours, chunk_of, settings)
        took.append(1000 * (time.perf_counter() - began))
    print(f"walk: median {np.median(took):.1f} ms, best {min(took):.1f} ms")


if __name__ == "__main__":
    main()
