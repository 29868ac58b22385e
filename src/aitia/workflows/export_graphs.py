"""The graphs of hug and qcg for other programs: entities in modules with gates, and query nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.workflows.export_formats import Edge, Node, write_graphml, write_table
from aitia.workflows.index import Index

_ENTITY_NODE = {
    "type": "string", "name": "string", "kind": "string", "names": "string", "level": "int", "description": "string"
}  # fmt: skip
_ENTITY_EDGE = {
    "type": "string", "relation": "string", "causal": "boolean", "negated": "boolean", "confidence": "double",
    "description": "string",
}  # fmt: skip
_QUESTION_NODE = {
    "document": "string", "chunk": "string", "question": "string", "answer": "string", "relevance": "double"
}  # fmt: skip
_QUESTION_EDGE = {"rank": "int"}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def entity_graphml(index: Index) -> str:
    """Entities ``e0``, ... and modules ``m0``, ... of hug; links, what belongs to which module, and gates.

    ``type`` is ``entity`` or ``module``, and ``link``, ``member`` or ``gate``. Of gates only those accepted; the
    description of a link is its quotes, that of a gate its reason, and that of an entity what an imported graph
    says of it.
    """
    store = index.store
    entities, modules = store.records("entities"), store.records("modules")
    about = _descriptions(index)
    nodes = [
        Node(f"e{row}", ("entity", each["name"], each["kind"], each["names"], 0, about.get(each["name"])))
        for row, each in enumerate(entities)
    ]
    nodes += [
        Node(f"m{row}", ("module", each["title"], None, None, each["level"], each["summary"]))
        for row, each in enumerate(modules)
    ]
    edges = (edge._replace(id=f"r{row}") for row, edge in enumerate(_entity_edges(index)))
    return write_graphml(nodes, edges, _ENTITY_NODE, _ENTITY_EDGE)


def _descriptions(index: Index) -> dict[str, str]:
    """What an imported graph says of its entities, by name."""
    if not index.settings.get("imported"):
        return {}
    folder = "entities/"
    return {
        each.path.removeprefix(folder): each.text
        for each in index.store.documents()
        if each.path.startswith(folder)
    }


def _entity_edges(index: Index) -> Iterator[Edge]:
    store = index.store
    entities, modules = store.records("entities"), store.records("modules")
    entity = {each["name"]: f"e{row}" for row, each in enumerate(entities)}
    module = {each["key"]: f"m{row}" for row, each in enumerate(modules)}
    for link in store.records("links"):
        said = " ".join(text for _, text in link["quotes"])
        values = ("link", link["relation"], link["causal"], link["negated"], link["confidence"], said)
        yield Edge(entity[link["source"]], entity[link["target"]], values)
    member = ("member", "part of", False, False, None, None)
    for each in entities:
        if each["module"]:
            yield Edge(entity[each["name"]], module[each["module"]], member)
    for each in modules:
        if each["parent"]:
            yield Edge(module[each["key"]], module[each["parent"]], member)
    for gate in store.records("gates"):
        if gate["accepted"]:
            values = ("gate", "brings about", True, False, gate["confidence"], gate["reason"])
            yield Edge(module[gate["source"]], module[gate["target"]], values)


def entity_tables(index: Index) -> dict[str, str]:
    """Six tables of hug by file name: as ``aitia show`` has them, and the quotes of the links."""
    store = index.store
    place = {chunk.id: chunk.path for chunk in store.chunks()}
    columns = {
        "entities": ("name", "kind", "names", "chunks", "module"),
        "links": ("source", "target", "relation", "causal", "negated", "confidence"),
        "modules": ("key", "level", "parent", "title", "summary", "entities"),
        "gates": (
            "source",
            "target",
            "source_title",
            "target_title",
            "confidence",
            "reverse",
            "accepted",
            "reason",
        ),
        "merges": ("kept", "merged", "cosine", "by", "suggested"),
    }
    tables = {
        f"{kind}.csv": write_table(
            names, ([_cell(each[name]) for name in names] for each in store.records(kind))
        )
        for kind, names in columns.items()
    }
    quotes = (
        [
            _cell(each)
            for each in (link["source"], link["target"], link["relation"], place[chunk], chunk, text)
        ]
        for link in store.records("links")
        for chunk, text in link["quotes"]
    )
    tables["quotes.csv"] = write_table(("source", "target", "relation", "document", "chunk", "quote"), quotes)
    return tables


def _cell(value: Any) -> Any:
    """A value for a table, without characters that steer a terminal."""
    if isinstance(value, bool):
        return str(value).lower()
    text = "; ".join(value) if isinstance(value, list) else value
    return _CONTROL.sub("", text) if isinstance(text, str) else text


def question_records(index: Index) -> list[dict[str, Any]]:
    """The query nodes of qcg with the numbers of their neighbours, nearest first."""
    return [
        {**record, "neighbours": [number for number in row if number >= 0]}
        for record, row in zip(index.store.records("query_nodes"), _neighbours(index).tolist(), strict=True)
    ]


def question_graphml(index: Index) -> str:
    """Query nodes ``q0``, ... of qcg, each with an edge to its neighbours; ``rank`` 1 is the nearest."""
    records = question_records(index)
    place = {chunk.id: chunk.path for chunk in index.store.chunks()}
    nodes = (
        Node(
            f"q{row}",
            (place[each["chunk"]], each["chunk"], each["question"], each["answer"], each["relevance"]),
        )
        for row, each in enumerate(records)
    )
    edges = (Edge(f"q{row}", f"q{other}", (rank,)) for row, rank, other in _near(records))
    return write_graphml(nodes, edges, _QUESTION_NODE, _QUESTION_EDGE)


def question_tables(index: Index) -> dict[str, str]:
    """Two tables of qcg by file name."""
    records = question_records(index)
    place = {chunk.id: chunk.path for chunk in index.store.chunks()}
    nodes = (
        (row, place[each["chunk"]], each["chunk"], each["question"], each["answer"], each["relevance"])
        for row, each in enumerate(records)
    )
    return {
        "query_nodes.csv": write_table(
            ("node", "document", "chunk", "question", "answer", "relevance"), nodes
        ),
        "neighbours.csv": write_table(("node", "rank", "neighbour"), _near(records)),
    }


def _near(records: list[dict[str, Any]]) -> Iterator[tuple[int, int, int]]:
    """Node, rank from 1, neighbour."""
    for row, record in enumerate(records):
        for rank, other in enumerate(record["neighbours"], 1):
            yield row, rank, other


def _neighbours(index: Index) -> NDArray[np.int64]:
    return np.asarray(index.store.array("qcg_node_neighbours"), np.int64)
