"""Modules and their levels agree with recursion over the tree of clusters."""

from __future__ import annotations

import networkx
import numpy as np
from graspologic_native import hierarchical_leiden
from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.graph.communities import find_modules, level_modules


def naive_modules(parent_of, home_of, max_levels):
    """(level, members, parent's members) of each module, sorted; parent's members are () at a root."""
    children = {cluster: [c for c, above in parent_of.items() if above == cluster] for cluster in parent_of}

    def height(cluster):
        return 1 + max(map(height, children[cluster]), default=0)

    def members(cluster):
        own = [entity for entity, home in home_of.items() if home == cluster]
        return tuple(sorted(own + [entity for child in children[cluster] for entity in members(child)]))

    def kept(cluster):
        if not children[cluster]:
            return True
        return height(cluster) < max_levels or (parent_of[cluster] is None and max_levels > 1)

    result = []
    for cluster in filter(kept, parent_of):
        above = parent_of[cluster]
        while above is not None and not kept(above):
            above = parent_of[above]
        inside = () if above is None else members(above)
        result.append((min(height(cluster), max_levels), members(cluster), inside))
    return sorted(result)


def listed(modules):
    members = [tuple(modules.members_of(number).tolist()) for number in range(len(modules.levels))]
    rows = zip(modules.levels.tolist(), members, modules.parents.tolist(), strict=True)
    return [(level, own, () if parent < 0 else members[parent]) for level, own, parent in rows]


@st.composite
def forests(draw):
    """Parents of clusters, any order of numbers, and the leaf in which each entity is."""
    clusters = draw(st.integers(1, 14))
    above = [draw(st.none() | st.integers(0, number - 1)) if number else None for number in range(clusters)]
    names = draw(st.permutations(range(clusters)))
    parent_of = {
        names[number]: None if parent is None else names[parent] for number, parent in enumerate(above)
    }
    leaves = sorted(set(range(clusters)) - set(parent_of.values()))
    homes = leaves + draw(st.lists(st.sampled_from(leaves), max_size=10))
    return parent_of, dict(enumerate(draw(st.permutations(homes))))


@given(forests(), st.integers(1, 5))
def test_levels_are_heights_in_the_tree(forest, max_levels):
    parent_of, home_of = forest
    parents = np.array([-1 if parent_of[c] is None else parent_of[c] for c in range(len(parent_of))])
    homes = np.array([home_of[entity] for entity in range(len(home_of))])
    modules = level_modules(parents, homes, max_levels)
    # A cluster of one child has the same members as it: nothing else tells the two apart.
    assert sorted(listed(modules)) == naive_modules(parent_of, home_of, max_levels)
    order = [(level, own[0]) for level, own, _ in listed(modules)]
    assert order == sorted(set(order))
    for entity, home in enumerate(modules.homes.tolist()):
        assert modules.levels[home] == 1
        assert entity in modules.members_of(home)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 90), st.integers(0, 200), st.integers(1, 3))
def test_modules_of_graphs(seed, entities, edges, max_levels):
    random = np.random.default_rng(seed)
    sources, targets = random.integers(0, entities, (2, edges))
    weights = random.integers(1, 4, edges).astype(np.float64)
    modules = find_modules(sources, targets, weights, entities, max_levels=max_levels, seed=7)

    graph = networkx.Graph()
    graph.add_nodes_from(range(entities))
    for source, target, weight in zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True):
        if source != target:
            before = graph.get_edge_data(source, target, {"weight": 0.0})["weight"]
            graph.add_edge(source, target, weight=before + weight)
    pairs = sorted((min(s, t), max(s, t), w) for s, t, w in graph.edges(data="weight"))
    entries = (
        hierarchical_leiden([(str(s), str(t), w) for s, t, w in pairs], max_cluster_size=10, seed=7)
        if pairs
        else []
    )
    parent_of = {entry.cluster: entry.parent_cluster for entry in entries}
    home_of = {int(entry.node): entry.cluster for entry in entries if entry.is_final_cluster}
    for entity in set(range(entities)) - set(home_of):
        parent_of[-1 - entity], home_of[entity] = None, -1 - entity
    assert sorted(listed(modules)) == naive_modules(parent_of, home_of, max_levels)
    for _, members, _ in listed(modules):
        assert networkx.is_connected(graph.subgraph(members))
