"""Causal and spurious paths for HugRAG: by the direction of their causal edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from aitia.analyst.graph_protocols import PathRequest, PathVerdict

ALONG, AGAINST = ("causal", "gate"), ("causal, against", "gate, against")
"""Types of causal edges, between entities and between modules; the latter point from the later to the earlier."""
INSIDE, NEGATED = "hierarchical", "negated"

PENALTY = 0.9
"""What a path's confidence keeps for each edge that says nothing of causes."""


def refine_paths(question: str, paths: Sequence[PathRequest]) -> list[PathVerdict]:
    """A path is causal if it has a causal edge, all of them point along it, and none is denied.

    Nor may it go up into a module and down again without a gate: to be of one module is no mechanism.
    It is as sure as its least sure edge, times `PENALTY` for each edge that is not causal. The question does not
    matter to the rules.
    """
    return [_verdict(path) for path in paths]


def _verdict(path: PathRequest) -> PathVerdict:
    along = sum(kind in ALONG for kind in path.edge_types)
    against = sum(kind in AGAINST for kind in path.edge_types)
    least = min(path.confidences, default=1.0)
    confidence = round(least * PENALTY ** (len(path.edge_types) - along - against), 3)
    reason = ""
    if NEGATED in path.edge_types:
        reason = "The text denies a link of it."
    elif not along + against:
        reason = "No link of it is a stated cause."
    elif against:
        reason = f"{against} of its {along + against} causal links point the other way."
    elif _by_module_only(path.edge_types):
        reason = "Two of its entities have no more in common than their module."
    if reason:
        return PathVerdict(path.number, "spurious", reason, confidence)
    links = "Its causal link points" if along == 1 else f"Its {along} causal links all point"
    return PathVerdict(path.number, "causal", f"{links} along it.", confidence)


def _by_module_only(kinds: Sequence[str]) -> bool:
    """Whether a stretch of edges of the hierarchy has a gate at neither end."""
    stretches = groupby(enumerate(kinds), key=lambda each: each[1] == INSIDE)
    for inside, stretch in stretches:
        places = [place for place, _ in stretch]
        ends = kinds[max(places[0] - 1, 0)], kinds[min(places[-1] + 1, len(kinds) - 1)]
        if inside and "gate" not in ends:
            return True
    return False
