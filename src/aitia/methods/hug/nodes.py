"""The unified graph in arrays: entities, then modules, and every edge with its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.graph.best_first import EdgeType
from aitia.graph.csr import Adjacency, adjacency
from aitia.graph.order import Indices
from aitia.methods.hug.entities import EntityGraph
from aitia.methods.hug.gates import Gate
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.retrieval.dense import Vectors
from aitia.retrieval.lexical import LexicalIndex, index_terms
from aitia.retrieval.text_index import terms_arrays, terms_from

Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class NodeGraph:
    """Nodes are entities by row, then modules. An edge is stored once and walked both ways.

    Shapes: ``vectors`` (nodes, dimensions), ``levels`` and ``tokens`` (nodes,); ``sources``, ``targets``,
    ``types`` (`EdgeType`), ``stated`` (whether it is a cause stated of two entities) and ``records`` (row of
    the link's or gate's record, -1 for an edge of the hierarchy) and ``confidences`` are of shape (edges,).
    ``places`` (entities, chunks) has 1 where a chunk names an entity, ``said`` (edges, chunks) where one states
    an edge; an edge of the hierarchy is stated nowhere.
    """

    vectors: Vectors
    levels: Indices
    tokens: Indices
    sources: Indices
    targets: Indices
    types: Indices
    stated: NDArray[np.bool_]
    records: Indices
    confidences: NDArray[np.float64]
    places: csr_array
    said: csr_array
    terms: LexicalIndex

    @property
    def entities(self) -> int:
        """How many of the nodes are entities."""
        return int((self.levels == 0).sum())

    @cached_property
    def both_ways(self) -> Adjacency:
        """All edges; id ``edges + e`` is edge e walked from target to source."""
        sources = np.concatenate([self.sources, self.targets])
        targets = np.concatenate([self.targets, self.sources])
        return adjacency(sources, targets, len(self.levels))


def node_arrays(
    graph: EntityGraph,
    hierarchy: Hierarchy,
    gates: Sequence[Gate],
    vectors: Vectors,
    rows: Mapping[str, int],
) -> dict[str, NDArray[np.generic]]:
    """The arrays of a `NodeGraph` by name; ``vectors`` of entities, then of summaries, ``rows`` of the chunks."""
    count = len(graph.entities)
    sources, targets = graph.ends()
    walked = np.array(graph.walked(), np.int64)
    home = hierarchy.home(count)
    housed, inside = np.flatnonzero(home >= 0), np.flatnonzero(hierarchy.parents >= 0)
    accepted = [row for row, gate in enumerate(gates) if gate.accepted]
    ends = np.array([(gates[row].source, gates[row].target) for row in accepted], np.int64).reshape(-1, 2)
    parts = [
        (sources, targets, EdgeType.STRUCTURAL, walked),
        (housed, count + home[housed], EdgeType.HIERARCHICAL, np.full(len(housed), -1)),
        (count + inside, count + hierarchy.parents[inside], EdgeType.HIERARCHICAL, np.full(len(inside), -1)),
        (count + ends[:, 0], count + ends[:, 1], EdgeType.CAUSAL, np.array(accepted, np.int64)),
    ]
    texts = [" ".join((*entity.names, entity.kind)) for entity in graph.entities]
    texts += [f"{each.title} {each.summary}" for each in hierarchy.summaries]
    causal = np.array([graph.links[row].causal for row in walked], bool)
    edges = sum(len(part[0]) for part in parts)
    sure = [graph.links[row].confidence for row in walked]
    sure += [1.0] * (len(housed) + len(inside)) + [gates[row].confidence for row in accepted]
    places = [(row, chunk) for row, entity in enumerate(graph.entities) for chunk in entity.chunks]
    table = np.array(places, np.int64).reshape(-1, 2)
    said = _said(graph, gates, accepted, edges, rows)
    return {
        "node_vectors": vectors,
        "node_levels": np.concatenate([np.zeros(count, np.int64), hierarchy.levels]),
        "node_tokens": np.array([len(text.split()) * 4 // 3 + 1 for text in texts], np.int64),
        "edge_sources": np.concatenate([part[0] for part in parts]),
        "edge_targets": np.concatenate([part[1] for part in parts]),
        "edge_types": np.concatenate([np.full(len(part[0]), int(part[2])) for part in parts]),
        "edge_stated": np.concatenate([causal, np.zeros(edges - len(causal), bool)]),
        "edge_confidences": np.array(sure, np.float64),
        "edge_records": np.concatenate([part[3] for part in parts]),
        "place_entities": table[:, 0],
        "place_chunks": table[:, 1],
        "said_edges": said[:, 0],
        "said_chunks": said[:, 1],
        **terms_arrays("node", index_terms(texts)),
    }


def _said(
    graph: EntityGraph, gates: Sequence[Gate], accepted: Sequence[int], edges: int, rows: Mapping[str, int]
) -> Indices:
    """Edges and the chunks that state them, shape (pairs, 2): links stand first among the edges, gates last."""
    quoted = [graph.links[row].quotes for row in graph.walked()]
    said = list(enumerate(quoted))
    said += [(edges - len(accepted) + place, gates[row].quotes) for place, row in enumerate(accepted)]
    pairs = sorted({(edge, rows[quote.chunk_id]) for edge, quotes in said for quote in quotes})
    return np.array(pairs, np.int64).reshape(-1, 2)


def read_nodes(arrays: Arrays, chunks: int) -> NodeGraph:
    """The graph of an index with that many chunks."""
    levels = np.asarray(arrays["node_levels"], np.int64)
    entities, places = (
        np.asarray(arrays["place_entities"], np.int64),
        np.asarray(arrays["place_chunks"], np.int64),
    )
    sources = np.asarray(arrays["edge_sources"], np.int64)
    edges, chunks_said = (np.asarray(arrays[name], np.int64) for name in ("said_edges", "said_chunks"))
    return NodeGraph(
        np.asarray(arrays["node_vectors"], np.float32),
        levels,
        np.asarray(arrays["node_tokens"], np.int64),
        sources,
        np.asarray(arrays["edge_targets"], np.int64),
        np.asarray(arrays["edge_types"], np.int64),
        np.asarray(arrays["edge_stated"], bool),
        np.asarray(arrays["edge_records"], np.int64),
        np.asarray(arrays["edge_confidences"], np.float64),
        csr_array((np.ones(len(entities), np.float32), (entities, places)), shape=(len(levels), chunks)),
        csr_array((np.ones(len(edges), np.float32), (edges, chunks_said)), shape=(len(sources), chunks)),
        terms_from(arrays, "node"),
    )
