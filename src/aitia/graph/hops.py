"""Expansion of a few nodes over a table of directed neighbours, at a cost that the table's size does not touch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aitia.graph.order import Indices


class Expanded(NamedTuple):
    """Nodes by the hop that reached them first, seeds at hop 0; inside a hop by id."""

    nodes: Indices
    hops: Indices


def expand_hops(neighbours: Indices, seeds: Indices, hops: int) -> Expanded:
    """The seeds, and what 1 to ``hops`` steps along the rows of ``neighbours`` reach from them.

    ``neighbours`` is of shape (nodes, k), -1 where a node has fewer. With ``hops`` 0 nothing is added. This
    is the union of a query's nodes with all hops 1 to h of QCG-RAG; a seed that another seed reaches stays
    at hop 0.
    """
    seen = frontier = np.unique(seeds)
    parts = [frontier]
    for _ in range(hops):
        reached = np.unique(neighbours[frontier])
        reached = reached[np.searchsorted(reached, 0) :]
        frontier = reached[np.isin(reached, seen, assume_unique=True, invert=True)]
        if not len(frontier):
            break
        parts.append(frontier)
        seen = np.concatenate(parts)
    return Expanded(
        np.concatenate(parts).astype(np.int64),
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
    )
