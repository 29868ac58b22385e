"""Causal and spurious paths for HugRAG: by the direction of their causal edges."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.graph_protocols import PathRequest, PathVerdict

CAUSAL, AGAINST, NEGATED = "causal", "causal, against", "negated"
"""Types of edges as a path names them; ``against`` is one that points from the later node to the earlier."""

PENALTY = 0.9
"""What a path's confidence keeps for each edge that says nothing of causes."""


def refine_paths(question: str, paths: Sequence[PathRequest]) -> list[PathVerdict]:
    """A path is causal if it has a causal edge, all of them point along it, and none is denied.

    Confidence falls with the edges that are not causal. The question does not matter to the rules.
    """
    return [_verdict(path) for path in paths]


def _verdict(path: PathRequest) -> PathVerdict:
    along, against = path.edge_types.count(CAUSAL), path.edge_types.count(AGAINST)
    confidence = round(PENALTY ** (len(path.edge_types) - along - against), 3)
    if NEGATED in path.edge_types:
        return PathVerdict(path.number, "spurious", "The text denies a link of it.", confidence)
    if not along + against:
        return PathVerdict(path.number, "spurious", "No link of it is a stated cause.", confidence)
    if against:
        reason = f"{against} of its {along + against} causal links point the other way."
        return PathVerdict(path.number, "spurious", reason, confidence)
    links = "Its causal link points" if along == 1 else f"Its {along} causal links all point"
    return PathVerdict(path.number, "causal", f"{links} along it.", confidence)
