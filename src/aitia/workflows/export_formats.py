"""GraphML and tables, whatever is in them. Equal content gives equal bytes."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

Fields = Mapping[str, str]
"""GraphML types by the names of the attributes."""


class Node(NamedTuple):
    """A node of GraphML; the values belong to the fields in order, None is left out."""

    id: str
    values: Sequence[object]


class Edge(NamedTuple):
    """An edge of GraphML between the ids of two nodes, with an id of its own where there may be several."""

    source: str
    target: str
    values: Sequence[object]
    id: str = ""


def write_graphml(nodes: Iterable[Node], edges: Iterable[Edge], node: Fields, edge: Fields) -> str:
    """A directed graph as GraphML. Lists stand as JSON; characters that XML 1.0 has no place for are left out."""
    root = ElementTree.Element("graphml", {"xmlns": _NAMESPACE})
    for owner, fields in (("node", node), ("edge", edge)):
        for name, kind in fields.items():
            declared = {"id": f"{owner}_{name}", "for": owner, "attr.name": name, "attr.type": kind}
            ElementTree.SubElement(root, "key", declared)
    body = ElementTree.SubElement(root, "graph", {"edgedefault": "directed"})
    for each in nodes:
        _add_data(
            ElementTree.SubElement(body, "node", {"id": _xml(each.id)}),
            "node",
            zip(node, each.values, strict=True),
        )
    for arrow in edges:
        ends = {"id": _xml(arrow.id)} if arrow.id else {}
        ends |= {"source": _xml(arrow.source), "target": _xml(arrow.target)}
        _add_data(ElementTree.SubElement(body, "edge", ends), "edge", zip(edge, arrow.values, strict=True))
    ElementTree.indent(root, " ")
    data: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _add_data(element: ElementTree.Element, owner: str, values: Iterable[tuple[str, object]]) -> None:
    for name, value in values:
        if value is not None:
            ElementTree.SubElement(element, "data", {"key": f"{owner}_{name}"}).text = _xml(_text(value))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return as_json(value) if isinstance(value, list | tuple) else str(value)


def as_json(value: Any) -> str:
    """The value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _xml(text: str) -> str:
    return _NOT_XML.sub("", text)


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


def write_table(header: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """A table as CSV. A cell that a spreadsheet would take for a formula begins with ``'``."""
    lines = _Lines()
    writer = csv.writer(lines, delimiter=separator, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([neutralise(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return "".join(lines.written)


class _Lines:
    """Rows that end in a line feed. Given both signs, the writer puts a lone carriage return in quotes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, row: str) -> None:
        """Keep a row."""
        self.written.append(f"{row.removesuffix(chr(13) + chr(10))}\n")
