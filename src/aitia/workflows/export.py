"""An index in formats that other programs read. Equal content gives equal bytes, whatever the settings."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from aitia.corpus.chunk import Chunk
from aitia.graph.causal import CausalEdge, CausalGraph
from aitia.workflows.index import Index
from aitia.workflows.show import RECORDS

EXPORT_VERSION = 1

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODE_FIELDS = {"metric": "string", "entities": "string", "graph_role": "string"}
_EDGE_FIELDS = {"mechanism": "string", "polarity": "string", "confidence": "double", "evidence": "string"}

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


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
    graph = index.graph
    chunks = index.store.chunks()
    keys = [variable.key for variable in graph.variables]
    role_of = {metric.name: metric.graph_role for metric in graph.metrics}
    root = ElementTree.Element("graphml", {"xmlns": _NAMESPACE})
    for owner, fields in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
        for name, kind in fields.items():
            declared = {"id": f"{owner}_{name}", "for": owner, "attr.name": name, "attr.type": kind}
            ElementTree.SubElement(root, "key", declared)
    body = ElementTree.SubElement(root, "graph", {"edgedefault": "directed"})
    for variable in graph.variables:
        node = ElementTree.SubElement(body, "node", {"id": _xml(variable.key)})
        about = (variable.metric, _dump(variable.entities), str(role_of[variable.metric]))
        _add_data(node, "node", dict(zip(_NODE_FIELDS, about, strict=True)))
    for edge in graph.edges:
        ends = {"source": _xml(keys[edge.source]), "target": _xml(keys[edge.target])}
        values = (edge.mechanism, str(edge.polarity), repr(edge.confidence), _dump(_evidence(edge, chunks)))
        _add_data(
            ElementTree.SubElement(body, "edge", ends), "edge", dict(zip(_EDGE_FIELDS, values, strict=True))
        )
    ElementTree.indent(root, " ")
    data: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _add_data(element: ElementTree.Element, owner: str, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        ElementTree.SubElement(element, "data", {"key": f"{owner}_{name}"}).text = _xml(value)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _xml(text: str) -> str:
    return _NOT_XML.sub("", text)


def export_csv(index: Index) -> dict[str, str]:
    """Four tables by file name. A cell that a spreadsheet would take for a formula begins with ``'``.

    Raises:
        UsageError: the method has no graph.

    """
    graph = index.graph
    chunks = index.store.chunks()
    keys = [variable.key for variable in graph.variables]
    ends = [(keys[edge.source], keys[edge.target]) for edge in graph.edges]
    return {
        "edges.csv": _table(
            ("source", "target", "polarity", "confidence", "evidence", "mechanism"),
            (
                (*pair, edge.polarity, edge.confidence, len(edge.evidence), edge.mechanism)
                for pair, edge in zip(ends, graph.edges, strict=True)
            ),
        ),
        "evidence.csv": _table(
            ("source", "target", "document", "chunk", "start", "end", "quote", "found_by"),
            (
                (*pair, *item.values())
                for pair, edge in zip(ends, graph.edges, strict=True)
                for item in _evidence(edge, chunks)
            ),
        ),
        "metrics.csv": _table(
            ("metric", "graph_role", "kind", "category", "description"),
            (
                (each.label, each.graph_role, each.kind, each.category, each.description)
                for each in graph.metrics
            ),
        ),
        "variables.csv": _table(
            ("variable", "metric", "entities"),
            ((each.key, each.metric, "; ".join(each.entities)) for each in graph.variables),
        ),
    }


def neutralise(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula. Reversible: `original` gives the cell back."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def original(cell: str) -> str:
    """The cell that was neutralised."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def zip_tables(tables: Mapping[str, str]) -> bytes:
    """The tables in one zip file, the same bytes for the same tables."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(tables):
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), tables[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([neutralise(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()
