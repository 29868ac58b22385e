"""Entity graphs in other forms than an import's own: Aitia's export of hug, and the tables of graphrag as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aitia.errors import CorpusError

RELATION = "is related to"
"""Of a relation that has no words."""
COMMUNITIES = ("communities", "community_reports")
GRAPHRAG = ("relationships", "community_reports")
"""Keys that only a graph of graphrag has."""
AGAIN = "an export of Aitia: its gates are not read but judged anew"

Rows = list[dict[str, Any]]


def own_form(values: dict[str, Any], name: str) -> tuple[dict[str, Any], list[str]]:
    """The graph as `aitia.workflows.graph_file.GraphFile` has it, and what a person should know of the change.

    Raises:
        CorpusError: an export of Aitia that has no entity graph.

    """
    if "aitia_export" in values:
        return _of_export(values, name)
    if any(key in values for key in GRAPHRAG) or _has_titles(values.get("entities")):
        return _of_graphrag(values, name)
    return values, []


def _of_export(values: Mapping[str, Any], name: str) -> tuple[dict[str, Any], list[str]]:
    """Of an index that was imported all is found again; of one built from documents its quotes are the text."""
    records = values.get("records")
    if not isinstance(records, dict) or "links" not in records:
        raise CorpusError(
            f"{name} is an export of Aitia without an entity graph; expected one of an index of hug, "
            "build that again from its documents"
        )
    try:
        return _read_export(values, records)
    except (KeyError, TypeError, AttributeError):
        raise CorpusError(
            f"{name} is an export of Aitia, but not as it was written; export it again"
        ) from None


def _read_export(values: Mapping[str, Any], records: Mapping[str, Rows]) -> tuple[dict[str, Any], list[str]]:
    texts = {each["path"]: each["text"] for each in values["documents"]}
    told = {
        each["id"]: texts[each["document"]]
        for each in values["chunks"]
        if each["document"].startswith("relations/")
    }
    entities = [
        {"name": each["name"], "kind": each["kind"], "description": texts.get(f"entities/{each['name']}", "")}
        for each in records["entities"]
    ]
    fields = ("source", "target", "relation", "causal", "negated", "confidence")
    relations = [
        {**{field: link[field] for field in fields}, "description": told.get(chunk, text)}
        for link in records["links"]
        for chunk, text in link["quotes"]
    ]
    members: dict[str, list[str]] = {}
    for each in records["entities"]:
        members.setdefault(each["module"], []).append(each["name"])
    communities = [
        {"title": each["title"], "summary": each["summary"], "members": members[each["key"]]}
        for each in records["modules"]
        if each["key"] in members
    ]
    found = {"entities": entities, "relations": relations, "communities": communities}
    return found, [AGAIN, *coarser(len(records["modules"]) - len(communities))]


def coarser(count: int) -> Iterable[str]:
    """What is said of modules above the finest level."""
    if count:
        yield f"{_counted(count, 'module')} above the finest level left out: an import has one level"


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def _has_titles(entities: Any) -> bool:
    """Whether entities are named by ``title``, as those of graphrag are."""
    rows = entities if isinstance(entities, list) else []
    return bool(rows) and all(isinstance(row, dict) and "title" in row and "name" not in row for row in rows)


def _of_graphrag(values: Mapping[str, Any], name: str) -> tuple[dict[str, Any], list[str]]:
    """Entities by ``title``, ``relationships``, and of ``communities`` the deepest that an entity is in."""
    tables = {
        key: _rows(values, key, name) for key in ("entities", "relationships", "relations", *COMMUNITIES)
    }
    notes = ["read as a graph of graphrag: title is the name, type the kind"]
    entities = [_renamed(row, {"title": "name", "type": "kind"}) for row in tables["entities"]]
    relations = [
        _renamed(row, {"label": "relation"}) | _words(row)
        for row in tables["relationships"] or tables["relations"]
    ]
    unsaid = sum(row["relation"] == RELATION for row in relations)
    if unsaid:
        notes.append(f'{_counted(unsaid, "relation")} without words: "{RELATION}", no cause')
    name_of = {str(row.get("id")): row.get("name") for row in entities}
    reports = {str(row.get("community")): row for row in tables["community_reports"]}
    communities = [
        {**_about(row, reports), "members": [name_of[each] for each in ids]}
        for row, ids in _deepest(tables["communities"], name_of)
    ]
    left = len(tables["communities"]) - len(communities)
    if left:
        notes.append(f"left out, without an entity of its own: {_counted(left, 'community', 'communities')}")
    return {"entities": entities, "relations": relations, "communities": communities}, notes


def _words(row: Mapping[str, Any]) -> dict[str, Any]:
    return {} if row.get("relation") or row.get("label") else {"relation": RELATION}


def _deepest(rows: Rows, known: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Communities from the deepest level up, each with the ids of its entities that no deeper one has."""
    taken: set[str] = set()
    for row in sorted(rows, key=_level, reverse=True):
        ids = row.get("entity_ids")
        inside = dict.fromkeys(str(each) for each in (ids if isinstance(ids, list) else []))
        fresh = [each for each in inside if each in known and each not in taken]
        taken.update(fresh)
        if fresh:
            yield row, fresh


def _level(row: Mapping[str, Any]) -> float:
    level = row.get("level")
    return float(level) if isinstance(level, int | float) else 0.0


def _about(row: Mapping[str, Any], reports: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Title and summary of a community, those of its report before its own."""
    report = reports.get(str(row.get("community", row.get("id"))), {})
    return {key: str(report.get(key) or row.get(key) or "") for key in ("title", "summary")}


def _rows(values: Mapping[str, Any], key: str, name: str) -> Rows:
    """The objects under a key."""
    rows = values.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CorpusError(f"{name}: {key} is no list of objects; expected what graphrag writes, as JSON")
    return rows


def _renamed(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The row with its keys renamed where the new name is free, and without nulls."""
    return {
        names[key] if names.get(key, key) not in row and key in names else key: value
        for key, value in row.items()
        if value is not None
    }
