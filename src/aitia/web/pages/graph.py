"""The graph from afar and near: one value with all that the browser draws, which groups and filters it itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aitia.graph.best_first import EdgeType
from aitia.spec.model import GraphRole
from aitia.web.pages.page import Visit
from aitia.workflows.graph_tables import POLARITIES, EdgeFilter, GraphTables
from aitia.workflows.index import Index

MOST_EDGES = 50_000
"""That a browser is sent; of more, the best supported."""
MOST_MODULES = 40
"""That are drawn at once; with more, those of a larger level are."""
MOST_LISTED = 300
"""Pairs in the table that stands for the drawing."""

Drawing = dict[str, Any]
"""``groups``: what is drawn first; ``nodes``: what a group opens into, each with its group; ``edges``: columns
of equal length: rows of nodes ``s`` and ``t``, ``p`` the sign, ``c`` the confidence in percent, ``e`` 2 with a
verbatim quote, 1 with other evidence, 0 without; ``words``: what things are called. """


def graph(visit: Visit) -> Mapping[str, Any]:
    """The drawing, and as a table the strongest links between groups."""
    index = visit.opened.index
    if index.method == "hcg":
        tables = visit.opened.graph
        links = sorted(tables.links(), key=lambda each: (-each["edges"], each["source"], each["target"]))
        return {
            "method": "hcg",
            "drawing": draw_causal(tables),
            "links": links[:MOST_LISTED],
            "total": len(links),
        }
    if index.method == "hug":
        gates = [each for each in index.store.records("gates") if each["accepted"]]
        gates.sort(key=lambda each: (-each["confidence"], each["source_title"], each["target_title"]))
        return {
            "method": "hug",
            "drawing": draw_modules(index),
            "gates": gates[:MOST_LISTED],
            "total": len(gates),
        }
    return {"method": index.method, "drawing": None}


def draw_causal(tables: GraphTables) -> Drawing:
    """Metrics, which open into variables."""
    order = np.sort(tables.find_edges(EdgeFilter())[:MOST_EDGES])
    kind = np.where(tables.quotes > 0, 2, np.where(tables.evidence > 0, 1, 0))
    return {
        "words": {
            "group": "metric",
            "groups": "metrics",
            "node": "variable",
            "nodes": "variables",
            "split": "category",
        },
        "roles": [role for role in ("intermediate", "outcome", "terminal") if _has_role(tables, role)],
        "groups": [[each.name, each.category, each.graph_role] for each in tables.graph.metrics],
        "nodes": [[key, group] for key, group in zip(tables.keys, tables.metric_of.tolist(), strict=True)],
        "edges": {
            "s": tables.ends[0][order].tolist(),
            "t": tables.ends[1][order].tolist(),
            "p": tables.polarity[order].tolist(),
            "c": np.rint(tables.confidence[order] * 100).astype(int).tolist(),
            "e": kind[order].tolist(),
        },
        "signs": list(POLARITIES),
        "left_out": len(tables.confidence) - len(order),
    }


def draw_modules(index: Index) -> Drawing:
    """Modules, of the finest level that can be looked over, which open into their entities."""
    modules = {each["key"]: each for each in index.store.records("modules")}
    levels = Counter(each["level"] for each in modules.values())
    level = next((each for each in sorted(levels) if levels[each] <= MOST_MODULES), max(levels, default=1))
    groups = [each for each in modules.values() if each["level"] == level]
    row_of = {each["key"]: row for row, each in enumerate(groups)}
    homes = [_module_at(level, each["module"], modules) for each in index.store.records("entities")]
    kept = [row for row, home in enumerate(homes) if home in row_of]
    names = [each["name"] for each in index.store.records("entities")]
    columns = _links(index, {row: node for node, row in enumerate(kept)})
    words = {
        "group": "module",
        "groups": "modules",
        "node": "entity",
        "nodes": "entities",
        "split": "larger module",
    }
    return {
        "words": words,
        "roles": [],
        "groups": [
            [each["title"], modules[each["parent"]]["title"] if each["parent"] else "", ""] for each in groups
        ],
        "nodes": [[names[row], row_of[homes[row]]] for row in kept],
        "edges": dict(zip("stpce", columns, strict=True)),
        "signs": ["causal", "negated", "related", "none"],
        "left_out": 0,
    }


def _module_at(level: int, key: str, modules: Mapping[str, Mapping[str, Any]]) -> str:
    """The module of a level that a module lies in; empty where there is none."""
    while key in modules and modules[key]["level"] < level:
        key = modules[key]["parent"]
    return key if key in modules else ""


def _links(index: Index, node_of: Mapping[int, int]) -> Sequence[list[int]]:
    """Structural edges between entities: source, target, kind, confidence in percent, and that each has a quote."""
    links = index.store.records("links")
    arrays = {
        name: np.asarray(index.store.array(f"edge_{name}"))
        for name in ("sources", "targets", "types", "records")
    }
    rows = []
    for at in np.flatnonzero(arrays["types"] == EdgeType.STRUCTURAL).tolist():
        source, target = node_of.get(int(arrays["sources"][at])), node_of.get(int(arrays["targets"][at]))
        link = links[int(arrays["records"][at])]
        if source is not None and target is not None:
            sign = 1 if link["negated"] else 0 if link["causal"] else 2
            rows.append((source, target, sign, round(100 * link["confidence"]), 2 if link["quotes"] else 0))
    rows = sorted(rows, key=lambda row: (-row[3], row))[:MOST_EDGES]
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], [], []]


def _has_role(tables: GraphTables, role: GraphRole) -> bool:
    return any(each.graph_role == role for each in tables.graph.metrics)
