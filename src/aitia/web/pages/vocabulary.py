"""The words of an index: of hcg metrics and dimensions, of hug entities and modules, of qcg and d2q questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, get_args

from aitia.spec.model import GraphRole, MetricKind
from aitia.web.pages.page import Visit
from aitia.web.refusals import Refused
from aitia.workflows.show import show_questions, show_records

MOST_ROWS = 500
"""Rows of one table; with more, ``first`` says where they begin."""
MOST_ENTITIES = 60
"""Of a dimension, before the rest is folded away."""
MOST_NEIGHBOURS = 12


def vocabulary(visit: Visit) -> Mapping[str, Any]:
    """What the method calls things by."""
    index = visit.opened.index
    shown: dict[str, Any] = {
        "method": index.method,
        "roles": get_args(GraphRole),
        "kinds": get_args(MetricKind),
    }
    if index.method == "hcg":
        waiting = {
            (each.decision.kind, each.decision.target) for each in visit.opened.history() if each.pending
        }
        return {**shown, **_specification(visit), "waiting": waiting}
    if index.method == "hug":
        modules = show_records(index, "modules")
        entities = sorted(show_records(index, "entities"), key=lambda each: (-each["chunks"], each["name"]))
        return {**shown, "entities": _part(visit, entities), "modules": modules[:MOST_ROWS]}
    if index.store.records("query_nodes"):
        return {**shown, "questions": _part(visit, show_questions(index))}
    return shown


def metric(visit: Visit) -> Mapping[str, Any]:
    """A metric by ``name``: what it is, its variables, and the metrics it affects and is affected by.

    Raises:
        Refused: there is none.

    """
    tables = visit.opened.graph
    name = visit.query.get("name", "")
    found = next((each for each in tables.metrics() if each["name"] == name), None)
    if found is None:
        raise Refused(404, f"no metric {name[:200]!r}")
    links = sorted(tables.links(), key=lambda each: (-each["edges"], each["source"], each["target"]))
    return {
        "metric": found,
        "variables": tables.variables(name)[:MOST_ENTITIES],
        "leaving": [each for each in links if each["source"] == name],
        "arriving": [each for each in links if each["target"] == name],
        "most": MOST_NEIGHBOURS,
    }


def _specification(visit: Visit) -> dict[str, Any]:
    tables = visit.opened.graph
    metrics = sorted(
        tables.metrics(), key=lambda each: (each["category"].casefold(), each["name"].casefold())
    )
    uses = Counter(
        (dimension, entity)
        for variable in tables.graph.variables
        for dimension, entity in zip(_signature(visit, variable.metric), variable.entities, strict=True)
    )
    dimensions = []
    for each in visit.opened.index.store.dimensions():
        other: dict[str, list[str]] = {}
        for alias, entity in sorted(each.aliases.items()):
            other.setdefault(entity, []).append(alias)
        entities = [
            {"name": name, "variables": uses[each.name, name], "aliases": other.get(name, [])}
            for name in sorted(each.entities, key=lambda name: (-uses[each.name, name], name.casefold()))
        ]
        dimensions.append({"name": each.name, "description": each.description, "entities": entities})
    return {
        "categories": [
            (name, list(rows)) for name, rows in groupby(metrics, key=lambda each: each["category"])
        ],
        "metrics": len(metrics),
        "variables": len(tables.keys),
        "dimensions": dimensions,
        "most": MOST_ENTITIES,
    }


def _signature(visit: Visit, name: str) -> tuple[str, ...]:
    tables = visit.opened.graph
    return tables.graph.metrics[tables.metric_row[name]].signature


def _part(visit: Visit, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    first = visit.number("first")
    more = first + MOST_ROWS
    return {
        "rows": rows[first:more],
        "first": first,
        "total": len(rows),
        "next": more if more < len(rows) else None,
        "before": max(0, first - MOST_ROWS) if first else None,
    }
