"""What was read, what was skipped, what came of it and what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from aitia.spec.decisions import Decided
from aitia.web.pages.page import Visit
from aitia.workflows.cost import show_cost
from aitia.workflows.show import show_documents, show_stats

MOST_ROWS = 200
"""Of a list of files that is shown at once; the REST interface has all."""


def overview(visit: Visit) -> Mapping[str, Any]:
    """Statistics, files, cost, and how curation stands."""
    index = visit.opened.index
    stats = show_stats(index)
    cost = show_cost(index)
    documents = show_documents(index)
    history = visit.opened.history()
    return {
        "stats": stats,
        "figures": _figures(index.method, stats),
        "documents": documents[:MOST_ROWS],
        "skipped": stats["skipped"][:MOST_ROWS],
        "cost": cost,
        "price": sum(stage.get("cost", 0.0) for stage in cost["stages"]),
        "is_priced": any("cost" in stage for stage in cost["stages"]),
        "open": Counter(item.topic for item in visit.opened.queue()),
        "decided": _by_status(history),
        "waiting": sum(each.pending for each in history),
        "lost": [each.line for each in history if each.status in ("lost", "conflict")],
    }


def _figures(method: str, stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What there is of each thing that the method has, in words, the most telling first."""
    counts = {"documents": stats["documents"], "passages": stats["chunks"]}
    shares: list[tuple[str, str]] = []
    if method == "hcg":
        counts |= {name: stats[name] for name in ("metrics", "dimensions", "variables", "edges")}
        if stats["edges"]:
            share = stats["edges_with_verbatim_evidence"] / stats["edges"]
            shares.append(("of the edges rest on a verbatim quote", f"{share:.0%}"))
    elif method == "hug":
        names = {"entities": "entities", "links": "links", "modules": "modules", "gates": "causal gates"}
        counts |= {said: stats[name] for name, said in names.items() if name in stats}
    elif "query_nodes" in stats:
        nodes = stats["query_nodes"]
        counts |= {"query nodes": nodes.get("kept", 0), "links between them": nodes.get("edges", 0)}
    return [*((said, f"{count:,}") for said, count in counts.items()), *shares]


def _by_status(history: Sequence[Decided]) -> Mapping[str, int]:
    return Counter("waiting" if each.pending else each.status for each in history)
