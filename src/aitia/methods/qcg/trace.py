"""A walk in words and numbers, for ``--explain``: which questions were near, what they led to, and to which chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from aitia.methods.qcg.walk import Walk
from aitia.storage.contents import Store

NODES_A_CHUNK = 3


def trace_walk(walk: Walk, store: Store) -> dict[str, Any]:
    """Plain JSON values. ``query_chunks`` explains every chunk that the walk found, by chunk id."""
    records = store.records("query_nodes")
    chunk_of = np.asarray(store.array("qcg_node_chunk"), np.int64)
    chunks = store.chunks([int(row) for row in walk.chunks])
    by_chunk: dict[int, list[dict[str, Any]]] = {}
    for node, hop in zip(walk.nodes.tolist(), walk.hops.tolist(), strict=True):
        found = by_chunk.setdefault(int(chunk_of[node]), [])
        if len(found) < NODES_A_CHUNK:
            found.append({"hop": hop, **_said(records[node])})
    seeds = walk.nodes[walk.hops == 0].tolist()
    return {
        "queries": [_said(records[node]) for node in seeds],
        "hops": np.bincount(walk.hops).tolist() if len(walk.hops) else [],
        "query_chunks": {
            chunk.id: {"score": round(float(score), 4), "queries": by_chunk.get(int(row), [])}
            for chunk, row, score in zip(chunks, walk.chunks, walk.scores, strict=True)
        },
    }


def _said(record: dict[str, Any]) -> dict[str, str]:
    return {"question": str(record["question"]), "answer": str(record["answer"])}
