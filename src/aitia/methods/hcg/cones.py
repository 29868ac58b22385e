"""Definition 4: outcome cones and their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices
from aitia.graph.traverse import Level, Nodes, bits, or_at, spread_labels, take_reachable
from aitia.methods.hcg.match import Match, Scores
from aitia.methods.hcg.reach import Reach, Spread

NO_OUTCOME = -1
"""The metric of the one cone that stands for all of G_q when it reaches no outcome."""

NEARNESS_DIGITS = 9
"""Sums of the same numbers in another order differ behind this digit, and must tie."""


@dataclass(frozen=True, slots=True)
class Cone:
    """The part of G_q that reaches the outcomes of one metric.

    ``convergence`` counts the matched variables inside (the rank's first key), ``nearness`` and
    ``similarity`` break ties (design 2.4).
    """

    metric: int
    convergence: int
    nearness: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Cones:
    """The kept cones, best first; how many were found; how many tied with another on convergence."""

    kept: tuple[Cone, ...]
    found: int
    tied: int


def outcome_cones(match: Match, reached: Reach, cosines: Scores, limit: int) -> Cones:
    """The best ``limit`` cones; ``cosines`` are the question's to every variable."""
    groups = reached.graph.outcomes
    present = reached.inside[groups.variables]
    if not present.any():
        return Cones((Cone(NO_OUTCOME, len(match.variables), 0.0, 0.0),), 1, 0)
    similarity = np.maximum.reduceat(np.where(present, cosines[groups.variables], -np.inf), groups.starts)
    found = np.flatnonzero(np.isfinite(similarity))
    convergence, nearness = _convergence(match, reached)
    order = found[np.lexsort((found, -similarity[found], -nearness[found], -convergence[found]))]
    cones = tuple(
        Cone(int(groups.metrics[row]), int(convergence[row]), float(nearness[row]), float(similarity[row]))
        for row in order[:limit]
    )
    counts = np.unique(convergence[found], return_counts=True)[1]
    return Cones(cones, len(found), int(counts[counts > 1].sum()))


def _convergence(match: Match, reached: Reach) -> tuple[Indices, NDArray[np.float64]]:
    """For each outcome metric: |K ∩ V_q|, and the sum over K ∩ V_q of cos(q, v) / (1 + hops to an outcome).

    Goes on from where the matched variables came by Definition 3, inside G_q, which finds the same pairs
    as a reverse walk from every metric's outcomes: there are at most K * P = 15 of the former and up to
    |M| of the latter, and the first steps are done already.
    """
    count = len(reached.graph.outcomes.metrics)
    convergence = np.zeros(count, np.int64)
    nearness = np.zeros(count, np.float64)
    first = 0
    for spread in reached.spreads:
        size = len(spread.matched)
        hops = _hops_to_outcomes(spread, reached)
        convergence += (hops >= 0).sum(axis=1)
        shares = match.cosines[first : first + size].astype(np.float64) / (1 + np.maximum(hops, 0))
        nearness += np.where(hops >= 0, shares, 0.0).sum(axis=1)
        first += size
    return convergence, np.round(nearness, NEARNESS_DIGITS)


def _hops_to_outcomes(spread: Spread, reached: Reach) -> Indices:
    """Hops inside G_q to each outcome metric's nearest variable, shape (metrics, matched); -1 for no way."""
    graph = reached.graph
    groups = graph.outcomes
    matched = bits(len(spread.matched), spread.known)
    wanted = np.logical_or.reduceat(reached.reached[groups.variables], groups.starts)
    hops = np.full((len(groups.metrics), len(spread.matched)), -1, np.int64)
    arrived = np.zeros(len(groups.metrics), spread.known.dtype)
    known = spread.known.copy()
    level = spread.levels[0]
    hop = 0
    while len(level.nodes):
        fresh = np.zeros_like(arrived)
        ends = graph.is_outcome[level.nodes]
        or_at(fresh, graph.outcome_group[level.nodes[ends]], level.gained[ends])
        fresh &= ~arrived
        arrived |= fresh
        hops[(fresh[:, None] & matched) != 0] = hop
        hop += 1
        if hop < len(spread.levels):
            level = spread.levels[hop]
            continue
        gained = level.gained & ~np.bitwise_and.reduce(arrived[wanted])
        left = np.flatnonzero((gained != 0) & reached.emitting[level.nodes])
        level = Level(level.nodes[left], gained[left])
        level = spread_labels(graph.forward, graph.backward, known, level, reached.reached)
    return hops


def cone_ranks(reached: Reach, cones: Cones) -> Indices:
    """For each variable the place of the first kept cone that it is in, shape (variables,); -1 for none.

    A variable outside a cone reaches nothing inside it, so each cone is looked for among the variables
    that earlier cones have left, and all together cost one traversal.
    """
    graph = reached.graph
    if cones.kept[0].metric == NO_OUTCOME:
        return np.where(reached.inside, 0, -1)
    ranks = np.full(graph.nodes, -1, np.int64)
    free = reached.inside.copy()
    for rank, cone in enumerate(cones.kept):
        ranks[_take_cone(reached, cone, free)] = rank
    return ranks


def cone_members(reached: Reach, cone: Cone) -> Indices:
    """The variables of G_q that reach the outcomes of a cone's metric, the outcomes included, ascending."""
    free = reached.inside.copy()
    return np.flatnonzero(free) if cone.metric == NO_OUTCOME else np.sort(_take_cone(reached, cone, free))


def _take_cone(reached: Reach, cone: Cone, free: Nodes) -> Indices:
    """The free variables of a cone, which are free no longer."""
    graph = reached.graph
    outcomes = graph.by_metric.of(cone.metric)
    ends = outcomes[free[outcomes]]
    free[ends] = False
    found = take_reachable(graph.backward, ends[reached.reached[ends]], free & reached.emitting)
    free[found] = False
    isolated = np.intersect1d(ends, reached.isolated) if len(reached.isolated) else reached.isolated
    into = np.unique(graph.backward.neighbours[graph.backward.positions(isolated)[0]])
    into = into[free[into]]
    free[into] = False
    return np.concatenate([ends, found, into])
