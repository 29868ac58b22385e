"""The ways of a search in words, told from cause to effect, and which of them hold as causal chains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.graph_protocols import PathRequest, PathVerdict
from aitia.graph.best_first import EdgeType
from aitia.methods.hug.nodes import NodeGraph
from aitia.methods.hug.search import Walk
from aitia.methods.hug.ways import Way
from aitia.storage.contents import Store

PASSAGES = 3
"""Passages of one link that a chain names, and passages that a chain is judged with."""
WORDS = {EdgeType.HIERARCHICAL: "part of", EdgeType.CAUSAL: "brings about"}
"""What edges without a relation of their own are called."""
NO_CHAIN = "no causal chain confirmed"
UNASKED = "The question speaks of nothing in it."
UNJUDGED = "It was not judged."
Refine = Callable[[Sequence[PathRequest]], Sequence[PathVerdict]]
"""A `aitia.analyst.graph_protocols.PathRefiner` that knows the question."""
GATE, STATED = "gate", "causal"
AGAINST = ", against"


@dataclass(frozen=True, slots=True)
class Chain:
    """A path with its verdict; ``number`` n is shown as Pn.

    ``chunks`` are the rows of the passages that state its links, and ``documents`` the names of theirs.
    """

    number: int
    request: PathRequest
    verdict: PathVerdict
    chunks: tuple[int, ...]
    documents: tuple[str, ...]

    @property
    def name(self) -> str:
        """How answers and traces call it."""
        return f"P{self.number}"

    @property
    def holds(self) -> bool:
        """Whether it is a causal chain."""
        return self.verdict.verdict == "causal"


def find_chains(
    ways: Sequence[Way],
    walk: Walk,
    graph: NodeGraph,
    store: Store,
    refine: Refine,
    allowed: NDArray[np.bool_] | None = None,
) -> list[Chain]:
    """The ways as chains, each judged, those that hold first and numbered from 1.

    A way with no entity that the question speaks of holds for no question, and nobody is asked about it. Passages
    are of the ``allowed`` chunks only.
    """
    names = _names(graph, store)
    chunk_rows = store.chunks()
    links = store.records("links")
    requests: list[PathRequest] = []
    chunks_of: list[tuple[int, ...]] = []
    for number, way in enumerate(ways, 1):
        chunks = _stating(way, walk, graph, allowed)
        passages = tuple(chunk_rows[row].text for row in chunks[:PASSAGES])
        requests.append(replace(_told(number, way, graph, names, links), passages=passages))
        chunks_of.append(chunks)
    asked = [
        request
        for request, way in zip(requests, ways, strict=True)
        if any(walk.asked[node] for node in way.nodes if node < graph.entities)
    ]
    verdicts = {verdict.number: verdict for verdict in (refine(asked) if asked else ())}
    unjudged = {request.number for request in asked}
    documents = store.document_names()
    chains = []
    for request, chunks in zip(requests, chunks_of, strict=True):
        named = tuple(dict.fromkeys(documents[chunk_rows[row].document_id] for row in chunks))
        reason = UNJUDGED if request.number in unjudged else UNASKED
        verdict = verdicts.get(request.number) or PathVerdict(request.number, "spurious", reason, 0.0)
        chains.append(Chain(0, request, verdict, chunks, named))
    chains.sort(key=lambda chain: not chain.holds)
    return [replace(chain, number=number) for number, chain in enumerate(chains, 1)]


def chain_document(chains: Sequence[Chain], store: Store) -> dict[str, Any]:
    """``causal_paths`` and ``spurious`` as plain JSON values (design 2.6), and the chains of each chunk by id."""
    causal = [chain for chain in chains if chain.holds]
    rows = sorted({row for chain in causal for row in chain.chunks})
    ids = dict(zip(rows, (chunk.id for chunk in store.chunks(rows)), strict=True))
    return {
        "causal_paths": [
            {
                **_path(chain),
                "evidence_documents": list(chain.documents),
                "confidence": chain.verdict.confidence,
                "reason": chain.verdict.reason,
            }
            for chain in causal
        ],
        "spurious": [{**_path(chain), "reason": chain.verdict.reason} for chain in chains if not chain.holds],
        "chains_of": {ids[row]: [chain.name for chain in causal if row in chain.chunks] for row in rows},
        "chains_note": "" if causal else NO_CHAIN,
    }


def _path(chain: Chain) -> dict[str, Any]:
    return {
        "name": chain.name,
        "path": list(chain.request.nodes),
        "edge_types": list(chain.request.edge_types),
        "relations": list(chain.request.relations),
    }


def _told(
    number: int, way: Way, graph: NodeGraph, names: Sequence[str], links: Sequence[dict[str, Any]]
) -> PathRequest:
    """The path in words, turned round if more of its causal edges point back than along."""
    count = len(graph.sources)
    nodes, types, relations = way.nodes, [], []
    for edge in way.edges:
        kind, row = EdgeType(int(graph.types[edge % count])), int(graph.records[edge % count])
        against = AGAINST if edge >= count else ""
        if kind == EdgeType.CAUSAL or graph.stated[edge % count]:
            types.append(f"{GATE if kind == EdgeType.CAUSAL else STATED}{against}")
        else:
            types.append(kind.name.lower())
        relations.append(str(links[row]["relation"]) if kind == EdgeType.STRUCTURAL else WORDS[kind])
    sure = [round(float(graph.confidences[edge % count]), 3) for edge in way.edges]
    if 2 * sum(each.endswith(AGAINST) for each in types) > sum(
        each.startswith((GATE, STATED)) for each in types
    ):
        nodes, relations, sure = nodes[::-1], relations[::-1], sure[::-1]
        types = [_turned(each) for each in reversed(types)]
    told = tuple(names[node] for node in nodes)
    return PathRequest(number, told, tuple(types), tuple(relations), confidences=tuple(sure))


def _turned(kind: str) -> str:
    """The type of an edge that is told from its other end."""
    if not kind.startswith((GATE, STATED)):
        return kind
    return kind.removesuffix(AGAINST) if kind.endswith(AGAINST) else kind + AGAINST


def _names(graph: NodeGraph, store: Store) -> list[str]:
    """The names of all nodes; a module is called by its title, in brackets."""
    entities = [str(record["name"]) for record in store.records("entities")]
    return [*entities, *(f"[{record['title']}]" for record in store.records("modules"))]


def _stating(way: Way, walk: Walk, graph: NodeGraph, allowed: NDArray[np.bool_] | None) -> tuple[int, ...]:
    """The chunks that state a way's links and gates: the best of each by the search, then the second best, ..."""
    lists = []
    for edge in way.edges:
        at = edge % len(graph.sources)
        rows = graph.said.indices[graph.said.indptr[at] : graph.said.indptr[at + 1]].astype(np.int64)
        rows = rows if allowed is None else rows[allowed[rows]]
        lists.append(rows[np.lexsort((rows, -walk.chunks[rows]))][:PASSAGES].tolist())
    turns = (row for turn in zip_longest(*lists) for row in turn if row is not None)
    return tuple(dict.fromkeys(turns))
