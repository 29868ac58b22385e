"""Definitions 2 to 4 as one walk from a question's vector to an order of chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aitia.graph.causal import GraphArrays
from aitia.graph.order import Indices
from aitia.methods.hcg.chunk_order import order_chunks
from aitia.methods.hcg.cones import Cones, outcome_cones
from aitia.methods.hcg.config import Ablation, QuerySettings
from aitia.methods.hcg.match import Match, Scores, match_variables
from aitia.methods.hcg.reach import Reach, reach


@dataclass(frozen=True, slots=True)
class Walk:
    """All that the graph found for a question, kept for the trace.

    ``chunks``: rows, best first; ``keys``: their (cone rank from 0, hops), shape (chunks, 2).
    """

    cosines: Scores
    match: Match
    reach: Reach
    cones: Cones
    chunks: Indices
    keys: Indices

    @property
    def matched(self) -> bool:
        """Whether any variable passed the gate."""
        return len(self.match.variables) > 0


def walk_graph(
    graph: GraphArrays,
    variable_cosines: Scores,
    chunk_cosines: Scores,
    tau_min: float,
    settings: QuerySettings,
    ablation: Ablation,
) -> Walk:
    """The chunks that the graph offers for a question, in the published order (design 2.4).

    ``variable_cosines`` and ``chunk_cosines`` are the question's to every variable and chunk.
    """
    match = match_variables(variable_cosines, graph.by_metric, tau_min, settings, ablation.band)
    reached = reach(graph, match.variables, settings.max_hops, ablation)
    limit = settings.max_cones if ablation.cones else len(graph.roles) + 1
    cones = outcome_cones(match, reached, variable_cosines, limit)
    if not len(match.variables):
        return Walk(
            variable_cosines, match, reached, cones, np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
        )
    chunks, keys = order_chunks(reached, cones, chunk_cosines, ablation)
    return Walk(variable_cosines, match, reached, cones, chunks, keys)
