"""The ways of a search in words, told from cause to effect, and which of them hold as causal chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aitia.analyst.graph_protocols import PathRefiner, PathRequest, PathVerdict
from aitia.graph.best_first import EdgeType
from aitia.graph.order import Indices
from aitia.methods.hug.nodes import NodeGraph
from aitia.methods.hug.search import Walk
from aitia.storage.contents import Store

LONGEST = 8
"""Most edges of a chain that is shown."""
PASSAGES = 3
"""Passages that a chain is read with."""
TYPES = {EdgeType.STRUCTURAL: "structural", EdgeType.HIERARCHICAL: "hierarchical"}
CAUSAL, AGAINST = "causal", "causal, against"


@dataclass(frozen=True, slots=True)
class Chain:
    """A path with its verdict; ``number`` n is shown as Pn. ``chunks`` are rows of the passages it rests on."""

    request: PathRequest
    verdict: PathVerdict
    chunks: tuple[int, ...]
    documents: tuple[str, ...]

    @property
    def name(self) -> str:
        """How answers and traces call it."""
        return f"P{self.request.number}"


def find_chains(
    walk: Walk, graph: NodeGraph, store: Store, question: str, refiner: PathRefiner, limit: int
) -> list[Chain]:
    """The best ways of the search, at most ``limit``, numbered from 1 in order of gain, each judged.

    Ways with a causal edge come first. A way that is part of a better one is left out.
    """
    names = _names(graph, store)
    chunk_rows = store.chunks()
    requests: list[PathRequest] = []
    chunks_of: list[tuple[int, ...]] = []
    for nodes, edges in _ways(walk, graph, limit):
        chunks = _passages(nodes, walk, graph)
        request = _told(len(requests) + 1, nodes, edges, graph, names, store)
        passages = tuple(chunk_rows[row].text for row in chunks)
        requests.append(
            PathRequest(request.number, request.nodes, request.edge_types, request.relations, passages)
        )
        chunks_of.append(chunks)
    verdicts = {verdict.number: verdict for verdict in refiner.refine_paths(question, requests)}
    documents = store.document_names()
    chains = []
    for request, chunks in zip(requests, chunks_of, strict=True):
        named = tuple(dict.fromkeys(documents[chunk_rows[row].document_id] for row in chunks))
        verdict = verdicts.get(request.number) or PathVerdict(
            request.number, "spurious", "It was not judged.", 0.0
        )
        chains.append(Chain(request, verdict, chunks, named))
    return chains


def chain_document(chains: Sequence[Chain]) -> dict[str, list[dict[str, Any]]]:
    """``causal_paths`` and ``spurious``, as plain JSON values (design 2.6)."""
    causal = [chain for chain in chains if chain.verdict.verdict == "causal"]
    return {
        "causal_paths": [
            {
                "name": chain.name,
                "path": list(chain.request.nodes),
                "edge_types": list(chain.request.edge_types),
                "relations": list(chain.request.relations),
                "evidence_documents": list(chain.documents),
                "confidence": chain.verdict.confidence,
                "reason": chain.verdict.reason,
            }
            for chain in causal
        ],
        "spurious": [
            {"name": chain.name, "path": list(chain.request.nodes), "reason": chain.verdict.reason}
            for chain in chains
            if chain not in causal
        ],
    }


def _ways(walk: Walk, graph: NodeGraph, limit: int) -> list[tuple[list[int], list[int]]]:
    """Nodes and edge ids of the best ways between two entities, at least one edge long."""
    expansion = walk.expansion
    ends = np.flatnonzero(
        expansion.final
        & (expansion.depths > 0)
        & (expansion.depths <= LONGEST)
        & (graph.levels[expansion.nodes] == 0)
    )
    causal = _causal_edges(walk, graph)
    order = ends[np.lexsort((ends, -expansion.gains[ends], -np.minimum(causal[ends], 1)))]
    chosen: list[tuple[list[int], list[int]]] = []
    passed: set[int] = set()
    for row in order.tolist():
        if len(chosen) == limit:
            break
        rows = expansion.path(row)
        if row in passed:
            continue
        passed.update(rows)
        chosen.append((expansion.nodes[rows].tolist(), expansion.edges[rows[1:]].tolist()))
    return chosen


def _causal_edges(walk: Walk, graph: NodeGraph) -> Indices:
    """How many edges of the way to each row are causal, shape (rows,)."""
    expansion = walk.expansion
    edges = np.maximum(expansion.edges, 0) % max(len(graph.sources), 1)
    is_causal = (graph.stated | (graph.types == EdgeType.CAUSAL))[edges] & (expansion.edges >= 0)
    counts: Indices = is_causal.astype(np.int64)
    for row, parent in enumerate(expansion.parents.tolist()):
        if parent >= 0:
            counts[row] += counts[parent]
    return counts


def _told(
    number: int,
    nodes: list[int],
    edges: list[int],
    graph: NodeGraph,
    names: Sequence[str],
    store: Store,
) -> PathRequest:
    """The path in words, turned round if more of its causal edges point back than along."""
    count = len(graph.sources)
    links, gates = store.records("links"), store.records("gates")
    types, relations = [], []
    for edge in edges:
        kind, row = int(graph.types[edge % count]), int(graph.records[edge % count])
        causal = bool(graph.stated[edge % count]) or kind == EdgeType.CAUSAL
        types.append((AGAINST if edge >= count else CAUSAL) if causal else TYPES[EdgeType(kind)])
        relations.append(_relation(kind, row, links, gates))
    if types.count(AGAINST) > types.count(CAUSAL):
        turned = {CAUSAL: AGAINST, AGAINST: CAUSAL}
        nodes, relations = nodes[::-1], relations[::-1]
        types = [turned.get(each, each) for each in reversed(types)]
    return PathRequest(number, tuple(names[node] for node in nodes), tuple(types), tuple(relations))


def _relation(
    kind: int, row: int, links: Sequence[Mapping[str, Any]], gates: Sequence[Mapping[str, Any]]
) -> str:
    if kind == EdgeType.STRUCTURAL:
        return str(links[row]["relation"])
    return "brings about" if kind == EdgeType.CAUSAL else "part of"


def _names(graph: NodeGraph, store: Store) -> list[str]:
    """The names of all nodes; a module is called by its title, in brackets."""
    entities = [str(record["name"]) for record in store.records("entities")]
    return [*entities, *(f"[{record['title']}]" for record in store.records("modules"))]


def _passages(nodes: Sequence[int], walk: Walk, graph: NodeGraph) -> tuple[int, ...]:
    """The chunks that name most of a path's entities, the better by the search first."""
    entities = [node for node in nodes if node < graph.entities]
    named = np.asarray(graph.places[entities].sum(axis=0)).ravel()
    rows = np.flatnonzero(named)
    order = rows[np.lexsort((rows, -walk.chunks[rows], -named[rows]))]
    return tuple(order[:PASSAGES].tolist())
