"""The edges between two metrics, or between two variables, each with its mechanism and its quotes; of hug, links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.spec.decisions import edge_key
from aitia.web.api.graph import edge_whole
from aitia.web.pages.links import links
from aitia.web.pages.page import Visit
from aitia.web.refusals import Refused
from aitia.workflows.graph_tables import EdgeFilter, GraphTables

MOST_EDGES = 20
"""With their evidence, on one page."""
MOST_QUOTES = 6


def edges(visit: Visit) -> Mapping[str, Any]:
    """The edges from ``source`` to ``target``, names of metrics or keys of variables, those from ``first`` on.

    Raises:
        Refused: there is no such metric or variable, or no edge between the two.

    """
    if not (visit.query.get("source") and visit.query.get("target")):
        raise Refused(404, "no two ends were named; choose an arrow of the graph page")
    if visit.opened.index.method == "hug":
        return links(visit)
    tables = visit.opened.graph
    source, target = visit.query.get("source", ""), visit.query.get("target", "")
    fits = _variables(source, tables)[tables.ends[0]] & _variables(target, tables)[tables.ends[1]]
    order = tables.find_edges(EdgeFilter())
    rows = order[fits[order]]
    if not len(rows):
        raise Refused(404, f"no edge from {source[:200]!r} to {target[:200]!r}")
    first = visit.number("first")
    templates = {(each.source, each.target): each.mechanism for each in tables.graph.templates}
    return {
        "source": source,
        "target": target,
        "mechanism": templates.get((source, target), ""),
        "total": len(rows),
        "first": first,
        "next": first + MOST_EDGES if first + MOST_EDGES < len(rows) else None,
        "edges": [_shown(visit, row) for row in rows[first : first + MOST_EDGES].tolist()],
        "is_decided": True,
    }


def _shown(visit: Visit, row: int) -> dict[str, Any]:
    ends = visit.opened.graph.edge_row(row)
    whole = edge_whole(visit.opened, ends["source"], ends["target"])
    # The claim's own words first, then sentences that name both ends.
    found = sorted(whole["evidence"], key=lambda each: (each["found_by"] != "quote", not each["quote"]))
    return {
        **whole,
        "key": edge_key(whole["source"], whole["target"]),
        "evidence": found[:MOST_QUOTES],
        "more": len(found) - MOST_QUOTES,
    }


def _variables(name: str, tables: GraphTables) -> NDArray[np.bool_]:
    """Which variables a name stands for, shape (variables,): all of a metric, or the one of a key."""
    if name in tables.metric_row:
        return np.asarray(tables.metric_of == tables.metric_row[name])
    if name in tables.graph.row_of:
        return np.asarray(np.arange(len(tables.keys)) == tables.graph.row_of[name])
    raise Refused(404, f"no metric or variable {name[:200]!r}")
