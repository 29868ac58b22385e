"""Causal gates: which modules bring about what others describe (the paper's Algorithm 2, pruned)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aitia.analyst.graph_protocols import CausalGateJudge, GateClaim, GateRequest
from aitia.graph.order import Indices
from aitia.methods.hug.config import BuildSettings
from aitia.methods.hug.entities import EntityGraph
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.retrieval.dense import Vectors
from aitia.spec.model import Quote

LEAST_DOCUMENTS = 2
"""Documents with a stated cause between two modules that make them worth asking about, however unlike."""
QUOTES = 20
"""Sentences that a pair of modules is judged by."""
NEAR_SHARE = 0.5
"""Share of near pairs of members from which on two modules are not apart."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A judged pair of modules: rows of cause and effect, how sure that way and the other, and why.

    ``quotes`` state a cause of a member of the one and an effect of the other, or join the two where none does.
    """

    source: int
    target: int
    confidence: float
    reverse: float
    reason: str
    accepted: bool
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True)
class _Found:
    graph: EntityGraph
    hierarchy: Hierarchy
    vectors: Vectors
    settings: BuildSettings
    quotes: Mapping[tuple[int, int], Sequence[Quote]]
    stated: Indices
    """Documents that state a cause between members of two modules, shape (modules, modules)."""
    told: Mapping[tuple[int, int], Sequence[Quote]]
    """The quotes of stated causes, by the modules of cause and effect."""


def judge_gates(
    graph: EntityGraph,
    hierarchy: Hierarchy,
    vectors: Vectors,
    judge: CausalGateJudge,
    settings: BuildSettings,
    document_of: Mapping[str, str],
) -> list[Gate]:
    """Gates between modules, from the coarsest level down; ``vectors`` are of the summaries.

    ``document_of`` gives the document of each chunk's id.

    A module is compared with those of its own level, then with those of the next finer level that belong
    neither to it nor to a module that it already has a gate with.
    """
    quotes, stated = _quotes_between(graph, hierarchy, document_of)
    told = _told(graph, hierarchy)
    found = _Found(graph, hierarchy, vectors, settings, quotes, stated, told)
    gates: list[Gate] = []
    gated: dict[int, set[int]] = defaultdict(set)
    used = np.zeros(len(hierarchy.levels), np.int64)
    near = _reach(graph, settings.gate_hops)
    for level in range(int(hierarchy.levels.max(initial=0)), 0, -1):
        for finer in (level, level - 1):
            pairs = _candidates(found, level, finer, gated, used, near)
            for gate in _judge(found, pairs, judge):
                gates.append(gate)
                if gate.accepted:
                    gated[gate.source].add(gate.target)
                    gated[gate.target].add(gate.source)
    return gates


def _candidates(
    found: _Found, level: int, finer: int, gated: Mapping[int, set[int]], used: Indices, near: csr_array
) -> list[tuple[int, int]]:
    """Pairs to ask about, those with stated causes first, then nearest summaries first.

    ``used`` counts the pairs of each module and is added to. A stated cause counts for more than likeness,
    because a cause and its effect seldom speak of like things.
    """
    levels = found.hierarchy.levels
    rows, others = np.flatnonzero(levels == level), np.flatnonzero(levels == finer)
    if not len(rows) or not len(others):
        return []
    cosines = found.vectors[rows] @ found.vectors[others].T
    stated = found.stated[rows][:, others]
    ok = (cosines > found.settings.gate_cosine) | (stated >= LEAST_DOCUMENTS)
    if level == finer:
        ok &= rows[:, None] < others[None, :]
    else:
        ok &= ~_below(found.hierarchy, rows, others, gated)
    left, right = np.nonzero(ok)
    supported = stated[left, right] >= LEAST_DOCUMENTS
    order = np.lexsort((others[right], rows[left], -cosines[left, right], ~supported))
    chosen = []
    for one, other in zip(rows[left[order]].tolist(), others[right[order]].tolist(), strict=True):
        if max(used[one], used[other]) >= found.settings.max_gates:
            continue
        if _are_apart(found.hierarchy.members[one], found.hierarchy.members[other], near):
            used[[one, other]] += 1
            chosen.append((one, other))
    return chosen


def _below(
    hierarchy: Hierarchy, rows: Indices, others: Indices, gated: Mapping[int, set[int]]
) -> NDArray[np.bool_]:
    """Whether each of ``others`` lies in a row's module or in one gated with it, shape (rows, others)."""
    result = np.zeros((len(rows), len(others)), bool)
    for column, other in enumerate(others.tolist()):
        above = set(_ancestors(hierarchy.parents, other))
        for place, row in enumerate(rows.tolist()):
            result[place, column] = row in above or not above.isdisjoint(gated.get(row, ()))
    return result


def _ancestors(parents: Indices, row: int) -> Iterator[int]:
    while row >= 0:
        yield row
        row = int(parents[row])


def _reach(graph: EntityGraph, hops: int) -> csr_array:
    """1 where an entity is within so many hops of another, shape (entities, entities)."""
    size = len(graph.entities)
    sources, targets = graph.ends()
    one = csr_array((np.ones(len(sources), np.float32), (sources, targets)), shape=(size, size))
    step = csr_array(one + one.T)
    reach = csr_array((np.ones(size, np.float32), (np.arange(size), np.arange(size))), shape=(size, size))
    for _ in range(hops):
        reach = csr_array(reach + reach @ step)
        reach.data[:] = 1
    return reach


def _are_apart(one: Indices, other: Indices, near: csr_array) -> bool:
    """Whether most members of two modules are farther from one another than ``near`` reaches.

    By the nearest members no two modules that a sentence joins would be apart.
    """
    pairs = near[one][:, other].nnz
    return bool(pairs < NEAR_SHARE * len(one) * len(other))


def _judge(found: _Found, pairs: Sequence[tuple[int, int]], judge: CausalGateJudge) -> Iterator[Gate]:
    if not pairs:
        return
    keys = found.hierarchy.keys
    requests = [
        GateRequest(
            found.hierarchy.summaries[one],
            found.hierarchy.summaries[other],
            _names(found, one),
            _names(found, other),
            tuple(found.quotes.get((min(one, other), max(one, other)), ())),
            _of_given(found, one, other),
        )
        for one, other in pairs
    ]
    claims = {(claim.first, claim.second): claim for claim in judge.judge_gates(requests)}
    for one, other in pairs:
        claim = claims.get((keys[one], keys[other]))
        if claim is not None:
            yield _gate(found, one, other, claim)


def _of_given(found: _Found, one: int, other: int) -> tuple[tuple[Quote, ...], tuple[Quote, ...]]:
    """The causes that a given graph states, either way; what is read from text is judged by its sentences."""
    if not found.graph.given:
        return (), ()
    return tuple(found.told.get((one, other), ())), tuple(found.told.get((other, one), ()))


def _gate(found: _Found, one: int, other: int, claim: GateClaim) -> Gate:
    """Towards the surer direction; both being sure is no direction."""
    ways = [(claim.forward, one, other), (claim.backward, other, one)]
    (confidence, source, target), (reverse, _, _) = sorted(ways, key=lambda way: -way[0])
    quotes = found.told.get((source, target)) or found.quotes.get((min(one, other), max(one, other)), ())
    accepted = confidence >= found.settings.tau > reverse
    return Gate(source, target, confidence, reverse, claim.reason, accepted, tuple(quotes))


def _names(found: _Found, module: int) -> tuple[str, ...]:
    return tuple(name for row in found.hierarchy.members[module] for name in found.graph.entities[row].names)


def _told(graph: EntityGraph, hierarchy: Hierarchy) -> dict[tuple[int, int], list[Quote]]:
    above = [list(_ancestors(hierarchy.parents, row)) for row in hierarchy.home(len(graph.entities)).tolist()]
    told: dict[tuple[int, int], dict[Quote, None]] = defaultdict(dict)
    for link in (graph.links[row] for row in graph.walked()):
        for pair in product(above[link.source], above[link.target]) if link.causal else ():
            told[pair].update(dict.fromkeys(link.quotes))
    return {pair: list(quotes)[:QUOTES] for pair, quotes in told.items()}


def _quotes_between(
    graph: EntityGraph, hierarchy: Hierarchy, document_of: Mapping[str, str]
) -> tuple[dict[tuple[int, int], list[Quote]], Indices]:
    """The sentences that join members of two modules, those that state causes first, and documents of these.

    Of each document those of one chunk only, so that different chunks are different documents.
    """
    above = [list(_ancestors(hierarchy.parents, row)) for row in hierarchy.home(len(graph.entities)).tolist()]
    quotes: dict[tuple[int, int], dict[Quote, bool]] = defaultdict(dict)
    for link in sorted((graph.links[row] for row in graph.walked()), key=lambda link: not link.causal):
        for one in above[link.source]:
            for other in above[link.target]:
                said = quotes[min(one, other), max(one, other)]
                for quote in link.quotes:
                    said.setdefault(quote, link.causal)
    stated = np.zeros((len(hierarchy.keys), len(hierarchy.keys)), np.int64)
    kept = {}
    for (one, other), said in quotes.items():
        chunk_of: dict[str, str] = {}
        for quote in said:
            chunk_of.setdefault(document_of[quote.chunk_id], quote.chunk_id)
        chunks = set(chunk_of.values())
        kept[one, other] = [quote for quote in said if quote.chunk_id in chunks][:QUOTES]
        stated[one, other] = stated[other, one] = len(
            {quote.chunk_id for quote in kept[one, other] if said[quote]}
        )
    return kept, stated
