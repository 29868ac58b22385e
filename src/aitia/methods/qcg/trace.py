"""A walk in words and numbers, for ``--explain``: which nodes were near, what they led to, and to which chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from aitia.graph.order import Indices
from aitia.methods.qcg.walk import Walk
from aitia.storage.contents import Store

NODES_A_CHUNK = 3
"""Nodes of a chunk that are named; their number is given whole."""


def trace_walk(walk: Walk, neighbours: Indices, store: Store) -> dict[str, Any]:
    """Plain JSON values. Nodes are named by number, as exports do.

    ``queries`` are the nodes near the question and ``reached`` those that hops added, ``from`` the node of
    the hop before; both by hop, best first. ``query_chunks`` explains every chunk that the walk found, by
    chunk id: its score, and its best nodes.
    """
    records = store.records("query_nodes")
    rows = np.asarray(store.array("qcg_node_chunk"), np.int64)[walk.nodes]
    chunks = dict(zip(walk.chunks.tolist(), store.chunks([int(row) for row in walk.chunks]), strict=True))
    parents = parents_of(walk, neighbours)
    order = np.lexsort((walk.nodes, -walk.cosines, walk.hops)).tolist()
    nodes = [
        {
            "node": int(walk.nodes[place]),
            "hop": int(walk.hops[place]),
            "from": int(parents[place]) if parents[place] >= 0 else None,
            "cosine": round(float(walk.cosines[place]), 4),
            "place": chunks[int(rows[place])].citation,
            "chunk": chunks[int(rows[place])].id,
            "question": str(records[int(walk.nodes[place])]["question"]),
            "answer": str(records[int(walk.nodes[place])]["answer"]),
        }
        for place in order
    ]
    by_chunk: dict[str, list[dict[str, Any]]] = {}
    for node in sorted(nodes, key=lambda node: (-node["cosine"], node["hop"], node["node"])):
        by_chunk.setdefault(node["chunk"], []).append(node)
    return {
        "queries": [node for node in nodes if not node["hop"]],
        "reached": [node for node in nodes if node["hop"]],
        "hops": np.bincount(walk.hops).tolist() if len(walk.hops) else [],
        "query_chunks": {
            chunks[row].id: {
                "score": round(float(score), 4),
                "nodes": len(by_chunk[chunks[row].id]),
                "queries": by_chunk[chunks[row].id][:NODES_A_CHUNK],
            }
            for row, score in zip(walk.chunks.tolist(), walk.scores, strict=True)
        },
    }


def parents_of(walk: Walk, neighbours: Indices) -> Indices:
    """For each node of the walk the one of the hop before that led to it, -1 for none.

    Of several the nearest to the question, ties by number.
    """
    parents = np.full(len(walk.nodes), -1)
    best = np.lexsort((walk.nodes, -walk.cosines))
    for hop in range(1, int(walk.hops.max(initial=0)) + 1):
        before = walk.nodes[best[walk.hops[best] == hop - 1]]
        table = neighbours[before]
        targets, first = np.unique(table, return_index=True)
        own = np.flatnonzero(walk.hops == hop)
        parents[own] = before[first[np.searchsorted(targets, walk.nodes[own])] // table.shape[1]]
    return parents
