"""Which systems does no other beat in everything? The Pareto frontier over quality and size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Standing:
    """What a system reaches with how many nodes: more quality is better, fewer nodes are."""

    correctness: float
    coverage: float
    nodes: int


def on_frontier(systems: Mapping[str, Standing]) -> tuple[str, ...]:
    """The systems that no other dominates, in the order given."""
    points = [(standing.correctness, standing.coverage, -standing.nodes) for standing in systems.values()]
    kept = undominated(np.array(points, dtype=np.float64).reshape(len(points), 3))
    return tuple(name for name, stays in zip(systems, kept, strict=True) if stays)


def undominated(points: ArrayLike) -> NDArray[np.bool_]:
    """Which rows of (n, objectives), larger being better, no other row dominates; shape (n,).

    A row dominates another if it is at least as good in every objective and better in one. Two rows alike
    do not dominate each other. Not for NaN, which compares with nothing.
    """
    rows = np.asarray(points, dtype=np.float64)
    # One objective at a time: the whole comparison would hold n * n * objectives cells.
    no_worse = np.ones((len(rows), len(rows)), dtype=bool)
    better = np.zeros_like(no_worse)
    for objective in rows.T:
        no_worse &= objective[:, None] >= objective
        better |= objective[:, None] > objective
    return np.logical_not((no_worse & better).any(axis=0), dtype=np.bool_)
