"""A walk in words and numbers, for ``--explain``: gate, matches, reach, cones, and why each chunk."""

from __future__ import annotations

from typing import Any

import numpy as np

from aitia.graph.causal import GraphArrays
from aitia.methods.hcg.cones import NO_OUTCOME, cone_members
from aitia.methods.hcg.walk import Walk
from aitia.storage.contents import Store

EDGES_A_CHUNK = 3


def trace_walk(walk: Walk, graph: GraphArrays, store: Store) -> dict[str, Any]:
    """Plain JSON values. ``chunks`` explains every chunk that the walk found, by chunk id."""
    named = store.graph()
    if named is None:
        return {}
    metrics = [metric.name for metric in named.metrics]
    keys = [variable.key for variable in named.variables]
    match = walk.match
    return {
        "gate": [
            {"metric": metrics[row], "sigma": round(float(sigma), 4), "tau": round(float(tau), 4)}
            for row, sigma, tau in zip(match.metrics, match.sigma, match.tau, strict=True)
        ],
        "matches": [
            {"variable": keys[row], "cosine": round(float(cosine), 4)}
            for row, cosine in zip(match.variables, match.cosines, strict=True)
        ],
        "reach": {
            "variables": int((walk.reach.hops >= 0).sum()),
            "edges": int(walk.reach.edges.sum()),
            "share_by_hop": [round(share, 4) for share in walk.reach.share],
            "isolated_matches": [keys[row] for row in walk.reach.isolated],
        },
        "cones": {
            "found": walk.cones.found,
            "tied": walk.cones.tied,
            "kept": [
                {
                    "outcome": "all of the subgraph" if cone.metric == NO_OUTCOME else metrics[cone.metric],
                    "convergence": cone.convergence,
                    "nearness": round(cone.nearness, 4),
                    "variables": len(cone_members(walk.reach, cone)),
                }
                for cone in walk.cones.kept
            ],
        },
        "chunks": _chunk_reasons(walk, graph, store, keys),
    }


def _chunk_reasons(walk: Walk, graph: GraphArrays, store: Store, keys: list[str]) -> dict[str, Any]:
    """For each chunk its cone rank, hops, and the edges nearest to the matches that it is evidence of."""
    if not len(walk.chunks):
        return {}
    inside = np.flatnonzero(walk.reach.edges[graph.edge_of])
    order = inside[
        np.lexsort((walk.reach.hops[graph.sources[graph.edge_of[inside]]], graph.chunk_of[inside]))
    ]
    edges: dict[int, list[str]] = {}
    for position in order:
        edge = int(graph.edge_of[position])
        listed = edges.setdefault(int(graph.chunk_of[position]), [])
        arrow = f"{keys[graph.sources[edge]]} -> {keys[graph.targets[edge]]}"
        if len(listed) < EDGES_A_CHUNK and arrow not in listed:
            listed.append(arrow)
    chunks = store.chunks([int(row) for row in walk.chunks])
    return {
        chunk.id: {"cone_rank": int(rank) + 1, "hops": int(hops), "edges": edges.get(int(row), [])}
        for row, chunk, (rank, hops) in zip(walk.chunks, chunks, walk.keys, strict=True)
    }
