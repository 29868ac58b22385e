"""The walk agrees with Definitions 2 to 4 written out as loops over sets."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aitia.graph.causal import GraphArrays, MetricRows
from aitia.methods.hcg.cones import cone_members, cone_ranks
from aitia.methods.hcg.config import Ablation, QuerySettings
from aitia.methods.hcg.match import band, match_variables
from aitia.methods.hcg.walk import walk_graph
from aitia.testing.random_graphs import Size, random_graph

SIXTEENTHS = [Fraction(n, 16) for n in (-2, 0, 3, 5, 6, 7, 8, 12)]
"""Few values, so that ties abound, and exact as float32."""


@dataclass(frozen=True)
class Case:
    """A graph and a question in plain lists."""

    metric_of: list[int]
    roles: list[int]
    edges: list[tuple[int, int]]
    evidence: list[tuple[int, int]]
    cosines: list[Fraction]
    chunk_cosines: list[Fraction]
    tau_min: float = 0.35
    query: QuerySettings = field(default_factory=QuerySettings)
    ablation: Ablation = field(default_factory=Ablation)

    def walk(self):
        def ints(values):
            return np.array(values, np.int64)

        evidence = sorted(self.evidence)
        graph = GraphArrays(
            sources=ints([source for source, _ in self.edges]),
            targets=ints([target for _, target in self.edges]),
            metric_of=ints(self.metric_of),
            roles=ints(self.roles),
            edge_of=ints([edge for edge, _ in evidence]),
            chunk_of=ints([chunk for _, chunk in evidence]),
        )
        cosines = np.array([float(value) for value in self.cosines], np.float32)
        chunk_cosines = np.array([float(value) for value in self.chunk_cosines], np.float32)
        return walk_graph(graph, cosines, chunk_cosines, self.tau_min, self.query, self.ablation)


# The definitions, naively


def naive_match(case):
    """Definition 2: (metric, its matched variables) in gate order."""
    best = {}
    for variable, metric in enumerate(case.metric_of):
        best[metric] = max(best.get(metric, Fraction(-9)), case.cosines[variable])
    gate = [metric for metric in sorted(best, key=lambda m: (-best[m], m)) if best[metric] >= case.tau_min]
    matched = []
    for metric in gate[: case.query.metrics]:
        pick = min if case.ablation.band == "min" else max
        tau = pick(case.tau_min, float(best[metric]) * (1 - case.query.beta))
        own = [v for v, m in enumerate(case.metric_of) if m == metric and case.cosines[v] >= tau]
        matched.append((metric, sorted(own, key=lambda v: (-case.cosines[v], v))[: case.query.per_metric]))
    return matched


def is_outcome(case, variable):
    return case.roles[case.metric_of[variable]] > 0


def naive_hops(case, matched):
    """Definition 3: forward breadth-first search within max_hops."""
    hops = dict.fromkeys(matched, 0)
    queue = deque(hops)
    while queue:
        node = queue.popleft()
        stops = case.ablation.stop_at_outcomes and is_outcome(case, node) and hops[node] > 0
        if hops[node] == case.query.max_hops or stops:
            continue
        for source, target in case.edges:
            if source == node and target not in hops:
                hops[target] = hops[node] + 1
                queue.append(target)
    return hops


def naive_subgraph(case, matched, hops):
    """Edges of G_q (by id), and the matched variables without any edge to or from V_r, which bring in
    the edges into them."""
    between = {edge for edge, (s, t) in enumerate(case.edges) if s in hops and t in hops}
    touched = {node for edge in between for node in case.edges[edge]}
    isolated = {node for node in matched if node not in touched}
    inside = {edge for edge, (_, target) in enumerate(case.edges) if target in isolated}
    for edge in between:
        source = case.edges[edge][0]
        if case.ablation.edges == "traversed" and hops[source] == case.query.max_hops:
            continue
        if case.ablation.stop_at_outcomes and is_outcome(case, source) and hops[source] > 0:
            continue
        inside.add(edge)
    return inside, isolated


def steps_from(successors, start):
    """Hops inside G_q from a variable to all that it reaches."""
    hops = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for target in successors.get(node, ()):
            if target not in hops:
                hops[target] = hops[node] + 1
                queue.append(target)
    return hops


def naive_cones(case, matched, hops, inside):
    """Definition 4: (metric, convergence, nearness, members), best first, all of them."""
    nodes = set(hops) | {node for edge in inside for node in case.edges[edge]}
    outcomes = {}
    for node in nodes:
        if is_outcome(case, node):
            outcomes.setdefault(case.metric_of[node], set()).add(node)
    if not outcomes:
        return [(-1, len(matched), Fraction(0), nodes)]
    successors = {}
    for source, target in (case.edges[edge] for edge in sorted(inside)):
        successors.setdefault(source, []).append(target)
    steps = {start: steps_from(successors, start) for start in matched}
    cones = []
    for metric, ends in outcomes.items():
        members = set(ends)
        grown = True
        while grown:
            grown = False
            for edge in inside:
                source, target = case.edges[edge]
                if target in members and source not in members:
                    members.add(source)
                    grown = True
        inner = [node for node in matched if node in members]
        nearest = {node: min(steps[node][end] for end in ends if end in steps[node]) for node in inner}
        nearness = sum((case.cosines[node] / (1 + nearest[node]) for node in inner), Fraction(0))
        similarity = max(case.cosines[node] for node in ends)
        cones.append((-len(inner), -nearness, -similarity, metric, members))
    ordered = sorted(cones, key=lambda cone: cone[:4])
    return [(metric, -count, -nearness, members) for count, nearness, _, metric, members in ordered]


def naive_order(case, hops, inside, cones):
    """(chunk, cone rank, hops), best first."""
    best = {}
    for edge, chunk in case.evidence:
        source, target = case.edges[edge]
        for rank, (_, _, _, members) in enumerate(cones):
            if edge in inside and source in members and target in members:
                key = (rank, hops.get(source, 0) + 1)
                best[chunk] = min(best.get(chunk, key), key)
    order = sorted(best, key=lambda chunk: (best[chunk], -case.chunk_cosines[chunk], chunk))
    return [(chunk, *best[chunk]) for chunk in order]


def check(case):
    walk = case.walk()
    groups = naive_match(case)
    matched = [variable for _, variables in groups for variable in variables]
    hops = naive_hops(case, matched)
    inside, isolated = naive_subgraph(case, matched, hops)
    cones = naive_cones(case, matched, hops, inside)
    kept = cones[: case.query.max_cones]

    assert walk.match.metrics.tolist() == [metric for metric, _ in groups]
    assert walk.match.variables.tolist() == matched
    assert walk.match.cosines.tolist() == [float(case.cosines[variable]) for variable in matched]
    assert walk.matched == bool(matched)
    assert walk.reach.hops.tolist() == [hops.get(node, -1) for node in range(len(case.metric_of))]
    assert set(np.flatnonzero(walk.reach.edges).tolist()) == inside
    assert walk.reach.isolated.tolist() == sorted(isolated)
    assert [cone.metric for cone in walk.cones.kept] == [metric for metric, _, _, _ in kept]
    assert [cone.convergence for cone in walk.cones.kept] == [count for _, count, _, _ in kept]
    assert [cone_members(walk.reach, cone).tolist() for cone in walk.cones.kept] == [
        sorted(members) for _, _, _, members in kept
    ]
    ranks = {node: rank for rank, cone in reversed(list(enumerate(kept))) for node in cone[3]}
    assert cone_ranks(walk.reach, walk.cones).tolist() == [
        ranks.get(node, -1) for node in range(len(case.metric_of))
    ]
    assert [cone.nearness for cone in walk.cones.kept] == pytest.approx(
        [float(near) for _, _, near, _ in kept]
    )
    counts = [count for _, count, _, _ in cones]
    assert walk.cones.found == len(cones)
    assert walk.cones.tied == sum(counts.count(count) > 1 for count in counts)
    expected = naive_order(case, hops, inside, kept) if matched else []
    assert [
        (chunk, *key) for chunk, key in zip(walk.chunks.tolist(), walk.keys.tolist(), strict=True)
    ] == expected


# Cases


@st.composite
def cases(draw):
    """Sizes and settings by hypothesis; what they hold by a seeded generator, which is denser and faster."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    metrics = draw(st.integers(1, 6))
    variables = draw(st.integers(0, 12))
    edges = draw(st.integers(0, 30)) if variables > 1 else 0
    chunks = draw(st.integers(1, 8))
    roles = [random.choice([0, 0, 1, 2]) for _ in range(metrics)]
    metric_of = [random.randrange(metrics) for _ in range(variables)]
    pairs = [tuple(random.sample(range(variables), 2)) for _ in range(edges)]
    pairs = [(source, target) for source, target in pairs if roles[metric_of[source]] != 2]
    places = draw(st.integers(0, 30)) if pairs else 0
    return Case(
        metric_of,
        roles,
        pairs,
        [(random.randrange(len(pairs)), random.randrange(chunks)) for _ in range(places)],
        [random.choice(SIXTEENTHS) for _ in range(variables)],
        [random.choice(SIXTEENTHS) for _ in range(chunks)],
        draw(st.sampled_from([0.35, -1.0, 0.45, 0.8])),
        QuerySettings(
            metrics=draw(st.integers(1, 6)),
            per_metric=draw(st.integers(1, 4)),
            beta=draw(st.sampled_from([0.2, 0.0, 0.5])),
            max_hops=draw(st.integers(0, 4)),
            max_cones=draw(st.integers(1, 6)),
        ),
        Ablation(
            edges=draw(st.sampled_from(["induced", "traversed"])),
            band=draw(st.sampled_from(["min", "max"])),
            stop_at_outcomes=draw(st.booleans()),
        ),
    )


HALF, THIRD = Fraction(1, 2), Fraction(3, 16)


@settings(max_examples=500, deadline=None)
@given(cases())
@example(Case([], [0], [], [], [], [HALF]))
@example(Case([0, 1], [0, 2], [(0, 1)], [(0, 0)], [THIRD, THIRD], [HALF]))  # nothing matched
@example(Case([0, 1], [0, 2], [(0, 1)], [(0, 0)], [THIRD, HALF], [HALF]))  # only a terminal matched
@example(Case([0, 1], [0, 1], [(0, 1), (1, 0)], [(0, 0), (1, 1)], [THIRD, HALF], [HALF, HALF]))  # a cycle
@example(Case([0, 0, 1], [0, 1], [(0, 1), (0, 2)], [], [HALF, THIRD, THIRD], [HALF]))  # no evidence
def test_the_walk_is_the_definitions(case):
    check(case)


@pytest.mark.parametrize("seed", range(6))
def test_more_than_64_metrics_matches_and_cones(seed):
    generator = np.random.default_rng(seed)
    size = Size(variables=150, edges=(60, 250, 1_500)[seed % 3], metrics=90, chunks=40, evidence=1)
    graph = random_graph(generator, size)
    values = [SIXTEENTHS[row] for row in generator.integers(0, len(SIXTEENTHS), size.variables + size.chunks)]
    check(
        Case(
            graph.metric_of.tolist(),
            graph.roles.tolist(),
            list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)),
            list(zip(graph.edge_of.tolist(), graph.chunk_of.tolist(), strict=True)),
            values[: size.variables],
            values[size.variables :],
            0.1,
            QuerySettings(metrics=100, per_metric=2, max_cones=100, max_hops=(1, 4)[seed % 2]),
        )
    )


# Worked examples


@pytest.mark.parametrize(("sigma", "tau"), [(0.65, 0.35), (0.40, 0.32), (0.4375, 0.35), (0.35, 0.28)])
def test_the_band_of_the_paper(sigma, tau):
    assert band(sigma, 0.35, 0.20) == pytest.approx(tau)
    cosines = np.array([sigma, tau + 0.001, tau - 0.001], np.float32)
    rows = MetricRows(np.array([0]), np.array([0]), np.array([3]), np.arange(3))
    match = match_variables(cosines, rows, 0.35, QuerySettings())
    assert match.tau.tolist() == pytest.approx([tau])
    assert match.variables.tolist() == [0, 1]


def test_the_other_band_only_raises():
    assert band(0.65, 0.35, 0.20, "max") == pytest.approx(0.52)
    assert band(0.40, 0.35, 0.20, "max") == pytest.approx(0.35)
