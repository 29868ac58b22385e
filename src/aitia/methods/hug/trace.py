"""A search in words and numbers, for ``--explain``: seeds, what was reached, what stopped it, and its gates."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from aitia.graph.best_first import EdgeType
from aitia.methods.hug.config import QuerySettings, query_warnings
from aitia.methods.hug.nodes import NodeGraph
from aitia.methods.hug.search import Walk, worths
from aitia.storage.contents import Store

NODES = 30
"""Nodes that a trace lists, best first."""


def trace_walk(walk: Walk, graph: NodeGraph, store: Store, settings: QuerySettings) -> dict[str, Any]:
    """Plain JSON values; the chains stand apart, see `aitia.methods.hug.chains`."""
    named = [{"entity": record["name"], "kind": record["kind"]} for record in store.records("entities")]
    named += [{"module": record["title"], "level": record["level"]} for record in store.records("modules")]
    expansion = walk.expansion
    final = np.flatnonzero(expansion.final)
    best = final[np.argsort(-expansion.gains[final], kind="stable")][:NODES]
    return {
        "warnings": query_warnings(settings),
        "seeds": [
            {**named[node], "similarity": round(float(walk.similarities[node]), 4)}
            for node in walk.seeds.tolist()
        ],
        "search": {
            "nodes": len(final),
            "entities": int((graph.levels[expansion.nodes[final]] == 0).sum()),
            "passages": int((walk.chunks > 0).sum()),
            "stopped": expansion.stopped,
            "widened": walk.widened,
        },
        "nodes": [
            {
                **named[int(expansion.nodes[row])],
                "gain": round(float(expansion.gains[row]), 4),
                "depth": int(expansion.depths[row]),
            }
            for row in best.tolist()
        ],
        "gates": _gates(walk, graph, store),
        "entity_chunks": _brought(walk, graph, store),
    }


def _brought(walk: Walk, graph: NodeGraph, store: Store) -> dict[str, Any]:
    """By chunk id its place in the order of the search, and the entity that counts most for it."""
    reached = np.flatnonzero(walk.chunks > 0)
    order = reached[np.argsort(-walk.chunks[reached], kind="stable")]
    shares = csr_array(graph.places * worths(graph, walk.expansion)[:, None]).tocoo()
    first = np.lexsort((shares.row, -shares.data, shares.col))
    columns, at = np.unique(shares.col[first], return_index=True)
    entity = dict(zip(columns.tolist(), shares.row[first][at].tolist(), strict=True))
    names = [str(record["name"]) for record in store.records("entities")]
    return {
        chunk.id: {
            "rank": rank,
            "score": round(float(walk.chunks[row]), 4),
            "entity": names[entity[row]],
        }
        for rank, (row, chunk) in enumerate(zip(order.tolist(), store.chunks(order.tolist()), strict=True), 1)
    }


def _gates(walk: Walk, graph: NodeGraph, store: Store) -> list[dict[str, Any]]:
    """The gates that the search went through."""
    if not len(graph.sources):
        return []
    edges = walk.expansion.edges
    edges = np.unique(edges[edges >= 0] % len(graph.sources))
    edges = edges[graph.types[edges] == EdgeType.CAUSAL]
    title = {record["key"]: record["title"] for record in store.records("modules")}
    gates = store.records("gates")
    return [
        {
            "source": title[gate["source"]],
            "target": title[gate["target"]],
            "confidence": gate["confidence"],
            "reason": gate["reason"],
        }
        for gate in (gates[row] for row in graph.records[edges].tolist())
    ]
