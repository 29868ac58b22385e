"""The query nodes of qcg and how a walk came to them, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aitia.cli.output import write, write_styled, write_table

SHOWN = 40
"""Nodes that hops added; ``--json`` has all."""


def write_nodes(trace: Mapping[str, Any]) -> None:
    """The nodes near the question, those that each hop added with the node that led to them, and their numbers."""
    write()
    if not trace["queries"]:
        write("No node is close enough to the question; the text ranking stands alone.")
        return
    near = [_cells(node, "node", "cosine", "place", "question", "answer") for node in trace["queries"]]
    write_table(near, "Nodes near the question, best first (a sentence has no question of its own)")
    reached = trace["reached"]
    if reached:
        write()
        columns = ("node", "hop", "from", "cosine", "place", "question", "answer")
        title = "Nodes that hops added, each with the node that led to it"
        write_table([_cells(node, *columns) for node in reached[:SHOWN]], title)
    if len(reached) > SHOWN:
        write(f"... and {len(reached) - SHOWN:,} more; --json has all")
    added = ", ".join(f"{count} after {hop}" for hop, count in enumerate(trace["hops"]) if hop)
    write_styled(f"Nodes that hops added: {added or 'none'}; chunks reached: {len(trace['query_chunks'])}")


def node_reasons(chunks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Why a passage: the best score of its chunks in the walk, and the nodes that it came from, best first."""
    if not chunks:
        return {"walk": "-", "nodes": "-"}
    nodes = sorted((node for each in chunks for node in each["queries"]), key=lambda node: -node["cosine"])
    more = sum(each["nodes"] for each in chunks) - len(nodes)
    named = [*map(_named, nodes), *([f"{more} more"] if more else [])]
    return {"walk": max(each["score"] for each in chunks), "nodes": "; ".join(named)}


def _named(node: Mapping[str, Any]) -> str:
    way = f"hop {node['hop']} from {node['from']}" if node["hop"] else "near"
    return f"{node['node']} ({node['cosine']:.3f}, {way})"


def _cells(node: Mapping[str, Any], *columns: str) -> dict[str, Any]:
    return {column: node[column] for column in columns}
