"""Which pairs of modules are asked about, and which become gates: Algorithm 2 and its pruning as loops over sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.analyst.graph_protocols import GateClaim, ModuleSummary
from aitia.methods.hug.config import BuildSettings
from aitia.methods.hug.entities import Entity, EntityGraph, Link
from aitia.methods.hug.gates import judge_gates
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.spec.model import Quote

ANGLES = [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (0.5, 0.5, 0.5, -0.5), (0, 1, 0, 0), (-0.5, 0.5, -0.5, 0.5)]
"""Unit vectors whose cosines are exact, so that ties are ties."""
SURE = [0.0, 0.5, 0.75, 1.0]


@st.composite
def links(draw, size):
    ends = st.integers(0, size - 1)
    found = draw(
        st.lists(st.tuples(ends, ends, st.booleans(), st.sampled_from([True, False, False])), max_size=12)
    )
    kept = {(one, other, causal): negated for one, other, causal, negated in found if one != other}
    return [
        (
            one,
            other,
            causal and not negated,
            negated,
            draw(st.lists(st.integers(0, 5), min_size=1, max_size=3)),
        )
        for (one, other, causal), negated in sorted(kept.items())
    ]


@st.composite
def cases(draw):
    """Groups of entities (level 1) under groups of groups (level 2), links with quotes of six chunks."""
    groups = draw(st.integers(1, 5))
    size = draw(st.integers(2 * groups, 2 * groups + 3))
    group_of = [row % groups for row in range(size)]
    parent_of = [draw(st.sampled_from([-1, 0, 1])) for _ in range(groups)]
    tops = sorted({parent for parent in parent_of if parent >= 0})
    members = [[row for row in range(size) if group_of[row] == group] for group in range(groups)]
    members += [[row for row in range(size) if parent_of[group_of[row]] == top] for top in tops]
    parents = [groups + tops.index(parent) if parent >= 0 else -1 for parent in parent_of] + [-1] * len(tops)
    levels = [1] * groups + [2] * len(tops)
    keys = [f"m{row}" for row in range(len(members))]
    vectors = [draw(st.sampled_from(ANGLES)) for _ in keys]
    verdicts = {
        pair: draw(st.tuples(st.sampled_from(SURE), st.sampled_from(SURE))) for pair in product(keys, keys)
    }
    settings = BuildSettings(
        gate_cosine=draw(st.sampled_from([-0.9, 0.3, 0.9])),
        gate_hops=draw(st.integers(0, 2)),
        max_gates=draw(st.integers(0, 4)),
        tau=draw(st.sampled_from([0.4, 0.7])),
    )
    return draw(links(size)), members, parents, levels, keys, vectors, verdicts, settings


@dataclass
class Naive:
    """The algorithm over one case; ``asked`` in order, ``gates`` accepted by cause and effect."""

    links: list
    members: list
    parents: list
    levels: list
    keys: list
    vectors: list
    verdicts: dict
    settings: BuildSettings
    asked: list = field(default_factory=list)
    gates: dict = field(default_factory=dict)

    @property
    def walked(self):
        return [link for link in self.links if not link[3]]

    def above(self, module):
        return {module, *self.above(self.parents[module])} if module >= 0 else set()

    def modules_of(self, entity):
        return self.above(
            next(row for row, ones in enumerate(self.members) if self.levels[row] == 1 and entity in ones)
        )

    def documents(self, one, other):
        """Documents that state a cause between two modules; of each the chunk of its first quote alone."""
        said = {}
        for source, target, causal, _, chunks in sorted(self.walked, key=lambda link: not link[2]):
            ends = product(self.modules_of(source), self.modules_of(target))
            if {one, other} in [{a, b} for a, b in ends]:
                for place, chunk in enumerate(chunks):
                    said.setdefault((source, target, place, chunk), causal)
        first = {}
        for _, _, _, chunk in said:
            first.setdefault(chunk // 2, chunk)
        kept = [(quote, causal) for quote, causal in said.items() if quote[3] in first.values()][:20]
        return {quote[3] // 2 for quote, causal in kept if causal}

    def near(self, start):
        """Entities within the hops that gates are not made over."""
        reached = {start}
        for _ in range(self.settings.gate_hops):
            reached |= {b for a, b, *_ in self.walked if a in reached} | {
                a for a, b, *_ in self.walked if b in reached
            }
        return reached

    def apart(self, one, other):
        near = [b in self.near(a) for a, b in product(self.members[one], self.members[other])]
        return sum(near) < len(near) / 2

    def gated_with(self, module):
        return {end for gate in self.gates for end in gate if module in gate} - {module}

    def candidates(self, level, finer):
        for one, other in product(range(len(self.keys)), range(len(self.keys))):
            if (self.levels[one], self.levels[other]) != (level, finer) or (level == finer and one >= other):
                continue
            if level != finer and {one, *self.gated_with(one)} & self.above(other):
                continue
            cosine = float(np.float32(self.vectors[one]) @ np.float32(self.vectors[other]))
            stated = len(self.documents(one, other)) >= 2
            if stated or cosine > self.settings.gate_cosine:
                yield not stated, -cosine, one, other

    def run(self):
        used = dict.fromkeys(range(len(self.keys)), 0)
        for level in range(max(self.levels), 0, -1):
            for finer in (level, level - 1):
                chosen = []
                for _, _, one, other in sorted(self.candidates(level, finer)):
                    if max(used[one], used[other]) < self.settings.max_gates and self.apart(one, other):
                        used[one] += 1
                        used[other] += 1
                        chosen.append((one, other))
                for one, other in chosen:
                    self.judge(one, other)

    def judge(self, one, other):
        pair = self.keys[one], self.keys[other]
        self.asked.append(pair)
        forward, backward = self.verdicts[pair]
        if forward >= self.settings.tau > backward:
            self.gates[one, other] = forward
        elif backward >= self.settings.tau > forward:
            self.gates[other, one] = backward


class Judge:
    def __init__(self, verdicts):
        self.verdicts = verdicts
        self.asked = []

    def judge_gates(self, requests):
        pairs = [(request.first.key, request.second.key) for request in requests]
        self.asked += pairs
        return [GateClaim(*pair, *self.verdicts[pair], "said") for pair in reversed(pairs)]


def quotes_of(source, target, chunks):
    return tuple(
        Quote(text=f"{source} {target} {place}", chunk_id=f"c{chunk}") for place, chunk in enumerate(chunks)
    )


@given(cases())
def test_gates_agree_with_the_algorithm_as_loops(case):
    found, members, parents, levels, keys, vectors, verdicts, settings = case
    size = 1 + max(row for ones in members for row in ones)
    graph = EntityGraph(
        tuple(Entity(f"n{row}", "part", (f"n{row}",), (0,)) for row in range(size)),
        tuple(
            Link(source, target, "move", causal, negated, 0.9, quotes_of(source, target, chunks))
            for source, target, causal, negated, chunks in found
        ),
    )
    hierarchy = Hierarchy(
        tuple(keys),
        np.array(levels),
        np.array(parents),
        tuple(np.array(ones) for ones in members),
        tuple(ModuleSummary(key, key, key) for key in keys),
    )
    judge = Judge(verdicts)
    documents = {f"c{chunk}": f"d{chunk // 2}" for chunk in range(6)}
    gates = judge_gates(graph, hierarchy, np.array(vectors, np.float32), judge, settings, documents)
    naive = Naive(*case)
    naive.run()
    assert judge.asked == naive.asked
    assert {(gate.source, gate.target): gate.confidence for gate in gates if gate.accepted} == naive.gates
