"""An index in formats that other programs read. Equal content gives equal bytes, whatever the settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aitia.corpus.chunk import Chunk
from aitia.graph.causal import CausalEdge, CausalGraph
from aitia.workflows.export_formats import Edge, Node, as_json, write_graphml, write_table
from aitia.workflows.export_graphs import (
    entity_graphml,
    entity_tables,
    question_graphml,
    question_records,
    question_tables,
)
from aitia.workflows.index import Index
from aitia.workflows.show import RECORDS

EXPORT_VERSION = 1

_NODE_FIELDS = {"metric": "string", "entities": "string", "graph_role": "string"}
_EDGE_FIELDS = {"mechanism": "string", "polarity": "string", "confidence": "double", "evidence": "string"}


def export_json(index: Index) -> str:
    """Everything that a build found, as one canonical JSON document; without a graph its parts are empty.

    Offsets count characters of the document's text.
    """
    graph = index.store.graph() or CausalGraph((), (), (), ())
    chunks = index.store.chunks()
    keys = [variable.key for variable in graph.variables]
    content: dict[str, Any] = {
        "aitia_export": EXPORT_VERSION,
        "documents": [
            {"id": each.id, "path": each.path, "name": each.name, "text": each.text}
            for each in index.store.documents()
        ],
        "chunks": [
            {
                "id": each.id,
                "document": each.path,
                "start": each.start,
                "end": each.end,
                "page": each.page,
                "heading_path": each.heading_path,
            }
            for each in chunks
        ],
        "dimensions": [each.model_dump() for each in index.store.dimensions()],
        "metrics": [each.model_dump() for each in graph.metrics],
        "variables": [
            {"key": each.key, "metric": each.metric, "entities": each.entities} for each in graph.variables
        ],
        "templates": [
            {
                "source": each.source,
                "target": each.target,
                "mechanism": each.mechanism,
                "confidence": each.confidence,
            }
            for each in graph.templates
        ],
        "edges": [
            {
                "source": keys[each.source],
                "target": keys[each.target],
                "mechanism": each.mechanism,
                "confidence": each.confidence,
                "polarity": each.polarity,
                "evidence": _evidence(each, chunks),
            }
            for each in graph.edges
        ],
    }
    if index.method == "hug":
        content["records"] = {kind: index.store.records(kind) for kind in RECORDS}
    elif index.method == "qcg":
        content["records"] = {"query_nodes": question_records(index)}
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _evidence(edge: CausalEdge, chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    return [
        {
            "document": chunks[item.chunk].path,
            "chunk": chunks[item.chunk].id,
            "start": item.start,
            "end": item.end,
            "quote": item.quote,
            "found_by": item.found_by,
        }
        for item in edge.evidence
    ]


def export_graphml(index: Index) -> str:
    """The graph as GraphML. Lists stand as JSON; characters that XML 1.0 has no place for are left out.

    Raises:
        UsageError: the method has no graph.

    """
    return _GRAPHML.get(index.method, _causal_graphml)(index)


def _causal_graphml(index: Index) -> str:
    graph = index.graph
    chunks = index.store.chunks()
    keys = [variable.key for variable in graph.variables]
    role_of = {metric.name: metric.graph_role for metric in graph.metrics}
    nodes = (
        Node(each.key, (each.metric, as_json(each.entities), role_of[each.metric]))
        for each in graph.variables
    )
    edges = (
        Edge(
            keys[each.source],
            keys[each.target],
            (each.mechanism, each.polarity, each.confidence, as_json(_evidence(each, chunks))),
        )
        for each in graph.edges
    )
    return write_graphml(nodes, edges, _NODE_FIELDS, _EDGE_FIELDS)


def export_csv(index: Index) -> dict[str, str]:
    """Tables by file name. A cell that a spreadsheet would take for a formula begins with ``'``.

    Raises:
        UsageError: the method has no graph.

    """
    return _TABLES.get(index.method, _causal_tables)(index)


def _causal_tables(index: Index) -> dict[str, str]:
    graph = index.graph
    chunks = index.store.chunks()
    keys = [variable.key for variable in graph.variables]
    ends = [(keys[edge.source], keys[edge.target]) for edge in graph.edges]
    return {
        "edges.csv": write_table(
            ("source", "target", "polarity", "confidence", "evidence", "mechanism"),
            (
                (*pair, edge.polarity, edge.confidence, len(edge.evidence), edge.mechanism)
                for pair, edge in zip(ends, graph.edges, strict=True)
            ),
        ),
        "evidence.csv": write_table(
            ("source", "target", "document", "chunk", "start", "end", "quote", "found_by"),
            (
                (*pair, *item.values())
                for pair, edge in zip(ends, graph.edges, strict=True)
                for item in _evidence(edge, chunks)
            ),
        ),
        "metrics.csv": write_table(
            ("metric", "graph_role", "kind", "category", "description"),
            (
                (each.label, each.graph_role, each.kind, each.category, each.description)
                for each in graph.metrics
            ),
        ),
        "variables.csv": write_table(
            ("variable", "metric", "entities"),
            ((each.key, each.metric, "; ".join(each.entities)) for each in graph.variables),
        ),
    }


_GRAPHML: Mapping[str, Callable[[Index], str]] = {"hug": entity_graphml, "qcg": question_graphml}
_TABLES: Mapping[str, Callable[[Index], dict[str, str]]] = {"hug": entity_tables, "qcg": question_tables}
"""What of a method's own there is beside the causal graph of hcg."""
