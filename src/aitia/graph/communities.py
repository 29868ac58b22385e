"""Modules of an entity graph on several levels: hierarchical Leiden, its tree levelled from the leaves.

Level 0 are the entities themselves. A module's level is its height: 1 without modules inside, else one more
than the highest of them. So modules of one level are of like size in an unbalanced tree too, which counting
from the root would not give, and a parent may stand more than one level above its child.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import Indices

MAX_MODULE_SIZE = 10
"""Members up to which Leiden does not divide a module; what it cannot divide (a clique) may be larger."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Modules by level, then by smallest member; modules of one level have no member in common.

    ``levels`` and ``parents`` (-1 at a root) are of shape (modules,). The members of module i, entities with
    those of the modules inside, are ``members[indptr[i]:indptr[i + 1]]``, ascending. Every entity is in
    exactly one module of level 1: ``homes``, shape (entities,).
    """

    levels: Indices
    parents: Indices
    indptr: Indices
    members: Indices
    homes: Indices

    def members_of(self, module: int) -> Indices:
        """Entities of a module and of those inside it."""
        return self.members[self.indptr[module] : self.indptr[module + 1]]


def max_module_levels(documents: int) -> int:
    """Levels above the entities: with these, 3 levels in all under 10,000 documents, else 4."""
    return 2 if documents < 10_000 else 3


def find_modules(
    sources: Indices,
    targets: Indices,
    weights: NDArray[np.floating],
    entities: int,
    *,
    max_levels: int = 2,
    seed: int = 0,
) -> Modules:
    """Modules of an undirected graph of ``entities`` nodes, on at most ``max_levels`` (1 to 3) levels.

    Edges are given once or several times, in any order and direction: the result depends on the total weight
    of each pair only. Loops and pairs of weight <= 0 do not count. An entity without edges is a module by
    itself, of level 1 and without a parent; so with no edges at all. Leiden's tree is cut to ``max_levels`` as
    `level_modules` says.
    """
    parents, homes = _leiden(pair_weights(sources, targets, weights), entities, seed)
    return level_modules(parents, homes, max_levels)


def level_modules(parents: Indices, homes: Indices, max_levels: int) -> Modules:
    """Modules of a forest of clusters: the parent of each, -1 at a root, and each entity's innermost cluster.

    Entities are in clusters without children only, and each of these has one. Of a tree that is higher than
    ``max_levels`` the lowest levels and the root stay, the root on the highest level; with ``max_levels`` 1
    the lowest alone.
    """
    heights = _heights(parents)
    keep = (heights == 1) | (heights < max_levels) | ((parents < 0) & (max_levels > 1))
    return _numbered(np.minimum(heights, max_levels), _nearest(parents, keep), keep, homes)


def pair_weights(
    sources: Indices, targets: Indices, weights: NDArray[np.floating]
) -> tuple[Indices, Indices, NDArray[np.float64]]:
    """Pairs of positive total weight, smaller end first, ascending, without loops, and their totals.

    Weights are sorted before they are added: a sum of floats depends on their order.
    """
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    order = np.lexsort((weights, high, low))
    order = order[low[order] < high[order]]
    low, high = low[order], high[order]
    first = np.flatnonzero(np.diff(low, prepend=-1) | np.diff(high, prepend=-1))
    totals = np.add.reduceat(np.asarray(weights, np.float64)[order], first) if len(first) else np.empty(0)
    positive = totals > 0
    return low[first][positive], high[first][positive], totals[positive]


def _leiden(edges: tuple[Any, ...], entities: int, seed: int) -> tuple[Indices, Indices]:
    """The parent of each cluster, -1 at a root, and the innermost cluster of each entity."""
    parent_of: dict[int, int] = {}
    homes = np.full(entities, -1)
    if len(edges[0]):
        from graspologic_native import hierarchical_leiden

        low, high, totals = (column.tolist() for column in edges)
        named = list(zip(map(str, low), map(str, high), totals, strict=True))
        for entry in hierarchical_leiden(edges=named, max_cluster_size=MAX_MODULE_SIZE, seed=seed):
            above = entry.parent_cluster
            parent_of[entry.cluster] = -1 if above is None else above
            if entry.is_final_cluster:
                homes[int(entry.node)] = entry.cluster
    alone = np.flatnonzero(homes < 0)
    clusters = len(parent_of)
    homes[alone] = clusters + np.arange(len(alone))
    return np.array([parent_of[number] for number in range(clusters)] + [-1] * len(alone), np.int64), homes


def _heights(parents: Indices) -> Indices:
    heights = np.zeros(len(parents), np.int64)
    layer = np.arange(len(parents))
    while len(layer):
        heights[layer] += 1
        layer = np.unique(parents[layer])
        layer = layer[layer >= 0]
    return heights


def _nearest(parents: Indices, keep: NDArray[np.bool_]) -> Indices:
    """The nearest kept module above each, -1 if there is none."""
    above = parents.copy()
    while len(skipped := np.flatnonzero((above >= 0) & ~keep[above])):
        above[skipped] = parents[above[skipped]]
    return above


def _numbered(levels: Indices, parents: Indices, keep: NDArray[np.bool_], homes: Indices) -> Modules:
    """Drop what is not kept, collect members and put modules in order."""
    entities, modules = [np.arange(len(homes))], [homes]
    while len(inside := np.flatnonzero(parents[modules[-1]] >= 0)):
        entities.append(entities[-1][inside])
        modules.append(parents[modules[-1][inside]])
    entity, module = np.concatenate(entities), np.concatenate(modules)
    smallest = np.full(len(levels), len(homes))
    np.minimum.at(smallest, module, entity)
    order = np.lexsort((smallest, levels))
    order = order[keep[order]]
    names = np.full(len(levels) + 1, -1)  # the last stands for "none", which is -1
    names[order] = np.arange(len(order))
    by_module = np.lexsort((entity, names[module]))
    indptr = np.searchsorted(names[module][by_module], np.arange(len(order) + 1))
    return Modules(
        levels[order], names[parents[order]], indptr.astype(np.int64), entity[by_module], names[homes]
    )
