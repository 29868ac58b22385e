"""How long the exact graph of nearest neighbours takes, beside the plain matrix product of all pairs.

    python benchmarks/knn_speed.py [--nodes 100000] [--share 0.1] [--json]

Synthetic nodes of 384 dimensions, twenty around each of nodes/20 centres (cosine about 0.5 to the centre), in
random order; k = 3. The plain product multiplies blocks of 1,024 rows with all rows and keeps nothing; it is
run on a share of the rows before and after, and scaled to all. ``wall`` is what a user waits on
this machine at this moment, ``cpu`` the seconds of all threads, which other work on the machine disturbs
less. Set OMP_NUM_THREADS to choose the threads.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.graph.knn import knn_graph
from aitia.retrieval.dense import unit_rows

DIMENSIONS = 384
NEIGHBOURS = 3
BLOCK = 1024
TARGET_S = 40.0

Vectors = NDArray[np.float32]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rows = make_rows(np.random.default_rng(0), options.nodes)
    before = plain(rows, options.share)
    wall, cpu, _ = timed(lambda: knn_graph(rows, NEIGHBOURS))
    after = plain(rows, options.share)
    product = [(first + second) / 2 for first, second in zip(before, after, strict=True)]
    result = {
        "nodes": options.nodes, "target_s": TARGET_S, "load": os.getloadavg()[0], "wall_s": wall, "cpu_s": cpu,
        "plain_wall_s": product[0], "plain_cpu_s": product[1],
        "wall_ratio": wall / product[0], "cpu_ratio": cpu / product[1],
    }  # fmt: skip
    print(json.dumps(result) if options.json else line(result))


def make_rows(random: np.random.Generator, nodes: int) -> Vectors:
    centres = unit_rows(random.standard_normal((max(nodes // 20, 1), DIMENSIONS), dtype=np.float32))
    noise = unit_rows(random.standard_normal((nodes, DIMENSIONS), dtype=np.float32))
    rows = unit_rows(centres[np.arange(nodes) % len(centres)] + 1.7 * noise)
    return np.asarray(rows[random.permutation(nodes)], np.float32)


def plain(rows: Vectors, share: float) -> tuple[float, float]:
    """Wall and processor seconds of the product of all rows with all, from a share of them."""
    starts = range(0, max(int(len(rows) * share), 1), BLOCK)
    wall, cpu, _ = timed(lambda: [float((rows[start : start + BLOCK] @ rows.T)[0, 0]) for start in starts])
    done = min(len(starts) * BLOCK, len(rows))
    return wall * len(rows) / done, cpu * len(rows) / done


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, cpu = perf_counter(), process_time()
    result = work()
    return perf_counter() - wall, process_time() - cpu, result


def line(result: dict[str, Any]) -> str:
    return (
        f"{result['nodes']} nodes: {result['wall_s']:.1f} s wall, {result['cpu_s']:.1f} s cpu; "
        f"plain product {result['plain_wall_s']:.1f} s, {result['plain_cpu_s']:.1f} s; "
        f"ratio {result['wall_ratio']:.2f} wall, {result['cpu_ratio']:.2f} cpu; "
        f"target {result['target_s']:.0f} s; load {result['load']:.1f}"
    )


if __name__ == "__main__":
    main()
