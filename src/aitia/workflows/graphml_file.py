"""GraphML as networkx and others write it. The file is a stranger's: no document type, hence no entities."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from aitia.errors import CorpusError

NODE = {"name": ("name", "label"), "kind": ("kind", "type", "entity_type"),
        "description": ("description",), "text": ("text",)}  # fmt: skip
EDGE = {"relation": ("relation", "label", "type"), "description": ("description",), "causal": ("causal",)}
"""The attributes that each field is read from, the first that is there."""
RELATION = "is related to"
"""Of an edge that has no words."""


class _Doctype(Exception):
    pass


class _NoDoctype(TreeBuilder):
    def doctype(self, name: str, pubid: str, system: str) -> None:
        """Called before anything that a document type declares is read."""
        raise _Doctype


def parse_graphml(content: bytes, name: str) -> dict[str, list[dict[str, Any]]]:
    """Entities and relations by field; an entity without a name goes by its node's id.

    Raises:
        CorpusError: no XML, a document type, no GraphML, or an edge whose end is no node.

    """
    root = _parse(content, name)
    if _tag(root) != "graphml":
        raise CorpusError(f"{name} is XML of <{_tag(root)}>; expected GraphML")
    fields = {str(key.get("id")): str(key.get("attr.name", "")).lower() for key in root if _tag(key) == "key"}
    body = [part for graph in root if _tag(graph) == "graph" for part in graph]
    nodes = {str(node.get("id")): _attributes(node, fields) for node in body if _tag(node) == "node"}
    entities = {key: {"name": key, **_read(found, NODE)} for key, found in nodes.items()}
    relations = []
    for edge in (part for part in body if _tag(part) == "edge"):
        ends = {}
        for end in ("source", "target"):
            node = str(edge.get(end))
            if node not in entities:
                raise CorpusError(
                    f"{name}: an edge has the {end} {node!r}, which is no node; expected its id"
                )
            ends[end] = entities[node]["name"]
        relations.append({"relation": RELATION, **_read(_attributes(edge, fields), EDGE), **ends})
    return {"entities": list(entities.values()), "relations": relations}


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


def _read(found: dict[str, str], fields: dict[str, tuple[str, ...]]) -> dict[str, str]:
    chosen = {
        field: next((found[name] for name in names if name in found), None) for field, names in fields.items()
    }
    return {field: text for field, text in chosen.items() if text is not None}
