"""Definition 3: the subgraph G_q that the matched variables reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.graph.causal import GraphArrays
from aitia.graph.csr import Indices
from aitia.graph.traverse import UNREACHED, hops_from
from aitia.methods.hcg.config import Ablation


@dataclass(frozen=True, slots=True)
class Reach:
    """``hops[variable]`` from the nearest match (-1 outside G_q), ``edges[edge]`` whether in E_q.

    ``isolated`` are the matched variables that had no edge in G_q and brought in the edges into them
    (recorded fallback, design 2.4). ``share`` is the part of V within 1 to 4 hops.
    """

    hops: NDArray[np.int32]
    edges: NDArray[np.bool_]
    isolated: Indices
    share: tuple[float, ...]


def reach(graph: GraphArrays, matched: Indices, max_hops: int, ablation: Ablation) -> Reach:
    """Forward reach within ``max_hops``, and all edges of the graph between the variables reached."""
    ends = graph.is_outcome if ablation.stop_at_outcomes else None
    hops = hops_from(graph.forward, matched, max_hops, ends)
    inside = hops != UNREACHED
    edges = inside[graph.sources] & inside[graph.targets]
    if ablation.edges == "traversed":
        edges &= hops[graph.sources] < max_hops
    if ablation.stop_at_outcomes:
        edges &= ~graph.is_outcome[graph.sources] | (hops[graph.sources] == 0)
    touched = np.zeros(graph.nodes, bool)
    touched[graph.sources[edges]] = touched[graph.targets[edges]] = True
    isolated = np.unique(matched[~touched[matched]])
    if len(isolated):
        positions, _ = graph.backward.positions(isolated)
        edges[graph.backward.edges[positions]] = True
    share = tuple(float(((hops != UNREACHED) & (hops <= h)).mean()) for h in range(1, 5)) if len(hops) else ()
    return Reach(hops, edges, isolated, share)
