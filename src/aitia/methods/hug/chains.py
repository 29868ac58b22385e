"""The ways of a search in words, told from cause to effect, and which of them hold as causal chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import PathRequest, PathVerdict
from aitia.graph.best_first import EdgeType, Expansion
from aitia.methods.hug.nodes import NodeGraph
from aitia.methods.hug.search import TELLING, Walk
from aitia.storage.contents import Store

LONGEST = 8
"""Most edges of a chain that is shown."""
THROUGH_GATE = 2
"""Most chains through one gate."""
PASSAGES = 3
"""Passages that a chain is read with."""
WORDS = {EdgeType.HIERARCHICAL: "part of", EdgeType.CAUSAL: "brings about"}
"""What edges without a relation of their own are called."""
NO_CHAIN = "no causal chain confirmed"
Refine = Callable[[Sequence[PathRequest]], Sequence[PathVerdict]]
"""A `aitia.analyst.graph_protocols.PathRefiner` that knows the question."""
GATE, STATED = "gate", "causal"
AGAINST = ", against"


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
    walk: Walk, ways: Expansion, graph: NodeGraph, store: Store, refine: Refine, limit: int
) -> list[Chain]:
    """The best of the ``ways`` in what a walk reached, at most ``limit``, numbered from 1, each judged.

    Ways with a causal edge come first. A way that is part of a better one is left out, and so is the third
    through one gate.
    """
    names = _names(graph, store)
    chunk_rows = store.chunks()
    requests: list[PathRequest] = []
    chunks_of: list[tuple[int, ...]] = []
    for nodes, edges in _ways(ways, graph, limit):
        chunks = _passages(nodes, walk, graph)
        request = _told(len(requests) + 1, nodes, edges, graph, names, store)
        passages = tuple(chunk_rows[row].text for row in chunks)
        requests.append(
            PathRequest(request.number, request.nodes, request.edge_types, request.relations, passages)
        )
        chunks_of.append(chunks)
    verdicts = {verdict.number: verdict for verdict in refine(requests)}
    documents = store.document_names()
    chains = []
    for request, chunks in zip(requests, chunks_of, strict=True):
        named = tuple(dict.fromkeys(documents[chunk_rows[row].document_id] for row in chunks))
        verdict = verdicts.get(request.number) or PathVerdict(
            request.number, "spurious", "It was not judged.", 0.0
        )
        chains.append(Chain(request, verdict, chunks, named))
    return chains


def chain_document(chains: Sequence[Chain], store: Store) -> dict[str, Any]:
    """``causal_paths`` and ``spurious`` as plain JSON values (design 2.6), and the chains of each chunk by id."""
    causal = [chain for chain in chains if chain.verdict.verdict == "causal"]
    rows = sorted({row for chain in causal for row in chain.chunks})
    ids = dict(zip(rows, (chunk.id for chunk in store.chunks(rows)), strict=True))
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
        "chains_of": {ids[row]: [chain.name for chain in causal if row in chain.chunks] for row in rows},
        "chains_note": "" if causal else NO_CHAIN,
    }


def _ways(expansion: Expansion, graph: NodeGraph, limit: int) -> list[tuple[list[int], list[int]]]:
    """Nodes and edge ids of the best ways between two entities, at least one edge long."""
    ends = np.flatnonzero(
        expansion.final
        & (expansion.depths > 0)
        & (expansion.depths <= LONGEST)
        & (graph.levels[expansion.nodes] == 0)
    )
    causal, strength = _strengths(expansion, graph)
    order = ends[np.lexsort((ends, -strength[ends], ~causal[ends]))]
    chosen: list[tuple[list[int], list[int]]] = []
    passed: set[int] = set()
    gates: Counter[int] = Counter()
    for row in order.tolist():
        if len(chosen) == limit:
            break
        rows = expansion.path(row)
        edges = expansion.edges[rows[1:]]
        through = [
            edge for edge in (edges % len(graph.types)).tolist() if graph.types[edge] == EdgeType.CAUSAL
        ]
        if row in passed or any(gates[edge] >= THROUGH_GATE for edge in through):
            continue
        passed.update(rows)
        gates.update(through)
        chosen.append((expansion.nodes[rows].tolist(), edges.tolist()))
    return chosen


def _strengths(expansion: Expansion, graph: NodeGraph) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether the way to each row has a causal edge, and its seed's gain times the weights of its edges."""
    edges = np.maximum(expansion.edges, 0) % max(len(graph.sources), 1)
    is_causal = (graph.stated | (graph.types == EdgeType.CAUSAL))[edges] & (expansion.edges >= 0)
    types = np.where(is_causal, int(EdgeType.CAUSAL), graph.types[edges])
    strength = TELLING.gamma * np.array(TELLING.weights)[types]
    for row, parent in enumerate(expansion.parents.tolist()):
        strength[row] = strength[row] * strength[parent] if parent >= 0 else expansion.gains[row]
        is_causal[row] |= parent >= 0 and is_causal[parent]
    return is_causal, strength


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
    links = store.records("links")
    types, relations = [], []
    for edge in edges:
        kind, row = EdgeType(int(graph.types[edge % count])), int(graph.records[edge % count])
        against = AGAINST if edge >= count else ""
        if kind == EdgeType.CAUSAL or graph.stated[edge % count]:
            types.append(f"{GATE if kind == EdgeType.CAUSAL else STATED}{against}")
        else:
            types.append(kind.name.lower())
        relations.append(str(links[row]["relation"]) if kind == EdgeType.STRUCTURAL else WORDS[kind])
    if 2 * sum(each.endswith(AGAINST) for each in types) > sum(
        each.startswith((GATE, STATED)) for each in types
    ):
        nodes, relations = nodes[::-1], relations[::-1]
        types = [_turned(each) for each in reversed(types)]
    return PathRequest(number, tuple(names[node] for node in nodes), tuple(types), tuple(relations))


def _turned(kind: str) -> str:
    """The type of an edge that is told from its other end."""
    if not kind.startswith((GATE, STATED)):
        return kind
    return kind.removesuffix(AGAINST) if kind.endswith(AGAINST) else kind + AGAINST


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
