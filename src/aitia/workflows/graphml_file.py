"""GraphML as networkx and others write it. The file is a stranger's: no document type, hence no entities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from aitia.errors import CorpusError
from aitia.workflows.graph_shapes import AGAIN, RELATION, coarser

NODE = {"name": ("name", "label"), "kind": ("kind", "type", "entity_type"),
        "description": ("description",), "text": ("text",)}  # fmt: skip
EDGE = {"relation": ("relation", "label", "type"), "description": ("description",), "causal": ("causal",),
        "negated": ("negated",), "confidence": ("confidence",)}  # fmt: skip
"""The attributes that each field is read from, the first that is there."""
EXPORTED = (("entity", "module"), ("link", "member", "gate"))
"""The types of nodes and of edges in an export of Aitia."""

Attributes = Mapping[str, str]


class _Doctype(Exception):
    pass


class _NoDoctype(TreeBuilder):
    def doctype(self, name: str, pubid: str, system: str) -> None:
        """Called before anything that a document type declares is read."""
        raise _Doctype


def parse_graphml(content: bytes, name: str) -> tuple[dict[str, Any], list[str]]:
    """Entities, relations and communities by field, and what a person should know of how they were read.

    An entity without a name goes by its node's id. An edge without a direction states no cause, unless its
    attribute ``causal`` says so.

    Raises:
        CorpusError: no XML, a document type, no GraphML, more than one graph, two nodes of one id or name, or an
            edge whose end is no node.

    """
    root = _parse(content, name)
    if _tag(root) != "graphml":
        raise CorpusError(f"{name} is XML of <{_tag(root)}>; expected GraphML")
    graphs = [part for part in root.iter() if _tag(part) == "graph"]
    if len(graphs) > 1:
        raise CorpusError(f"{name} has {len(graphs)} <graph> elements; expected one, write a file for each")
    fields = {str(key.get("id")): str(key.get("attr.name", "")).lower() for key in root if _tag(key) == "key"}
    body = list(graphs[0]) if graphs else []
    nodes: dict[str, Attributes] = {}
    for node in (part for part in body if _tag(part) == "node"):
        if str(node.get("id")) in nodes:
            raise CorpusError(
                f"{name}: two nodes have the id {str(node.get('id'))!r}; expected one, merge them"
            )
        nodes[str(node.get("id"))] = _attributes(node, fields)
    edges = [(part, _attributes(part, fields)) for part in body if _tag(part) == "edge"]
    for part, _ in edges:
        _check_ends(part, nodes, name)
    if (
        nodes
        and _have_types(nodes.values(), EXPORTED[0])
        and _have_types((row for _, row in edges), EXPORTED[1])
    ):
        return _of_export(nodes, edges, name)
    entities = {key: {"name": key, **_read(found, NODE)} for key, found in nodes.items()}
    _check_names(entities, name)
    default = graphs[0].get("edgedefault") if graphs else None
    relations, undirected = [], 0
    for part, found in edges:
        row = _relation(part, found, entities)
        if part.get("directed", str(default != "undirected").lower()) == "false":
            undirected += 1
            row.setdefault("causal", "false")
        relations.append(row)
    notes = []
    if undirected:
        notes.append(
            f"edges without direction: {undirected:,}, told from source to target, no cause without causal=true"
        )
    return {"entities": list(entities.values()), "relations": relations}, notes


def _of_export(
    nodes: Mapping[str, Attributes], edges: Sequence[tuple[Element, Attributes]], name: str
) -> tuple[dict[str, Any], list[str]]:
    """The graph that Aitia exported: links, and the finest modules as communities."""
    entities = {
        key: {"name": key, **_read(found, NODE)}
        for key, found in nodes.items()
        if found.get("type") == "entity"
    }
    for each, key in zip(entities.values(), entities, strict=True):
        each["kind"] = nodes[key].get("kind", "")
    _check_names(entities, name)
    members: dict[str, list[str]] = {}
    relations = []
    for part, found in edges:
        source, target = str(part.get("source")), str(part.get("target"))
        if found.get("type") == "link" and source in entities and target in entities:
            relations.append(_relation(part, found, entities))
        elif found.get("type") == "member" and source in entities:
            members.setdefault(target, []).append(entities[source]["name"])
    communities = [
        {
            "title": nodes[key].get("name", ""),
            "summary": nodes[key].get("description", ""),
            "members": members[key],
        }
        for key in nodes
        if key in members
    ]
    found_again = {"entities": list(entities.values()), "relations": relations, "communities": communities}
    return found_again, [AGAIN, *coarser(len(nodes) - len(entities) - len(communities))]


def _have_types(rows: Iterable[Attributes], types: tuple[str, ...]) -> bool:
    return all(row.get("type") in types for row in rows)


def _check_ends(edge: Element, nodes: Mapping[str, Attributes], name: str) -> None:
    for end in ("source", "target"):
        if str(edge.get(end)) not in nodes:
            raise CorpusError(
                f"{name}: an edge has the {end} {str(edge.get(end))!r}, which is no node; expected its id"
            )


def _check_names(entities: Mapping[str, Mapping[str, str]], name: str) -> None:
    """Every node has a name of its own."""
    first: dict[str, str] = {}
    for key, entity in entities.items():
        called = " ".join(entity["name"].split())
        if first.setdefault(called, key) != key:
            raise CorpusError(
                f"{name}: the nodes {first[called]!r} and {key!r} are both named {called!r}; expected one, merge them"
            )


def _relation(edge: Element, found: Attributes, entities: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    ends = {end: entities[str(edge.get(end))]["name"] for end in ("source", "target")}
    return {"relation": RELATION, **_read(found, EDGE), **ends}


def _parse(content: bytes, name: str) -> Element:
    parser = XMLParser(target=_NoDoctype())
    try:
        parser.feed(content)
        root: Element = parser.close()
    except _Doctype:
        raise CorpusError(
            f"{name} has a document type (<!DOCTYPE>), which is not read; expected GraphML without, remove it"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise CorpusError(f"{name} is no XML ({error}); expected GraphML, write it again") from None
    return root


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _attributes(element: Element, fields: dict[str, str]) -> dict[str, str]:
    """The texts of ``data`` by the lower-case name of their key."""
    data = (
        (fields.get(str(each.get("key")), ""), each.text or "") for each in element if _tag(each) == "data"
    )
    return {field: text for field, text in data if text.strip()}


def _read(found: Attributes, fields: dict[str, tuple[str, ...]]) -> dict[str, str]:
    chosen = {
        field: next((found[name] for name in names if name in found), None) for field, names in fields.items()
    }
    return {field: text for field, text in chosen.items() if text is not None}
