from __future__ import annotations

from aitia.graph.best_first import EdgeType


def test_every_kind_of_edge_is_in_one_index(nodes):
    edges = list(zip(nodes.sources.tolist(), nodes.targets.tolist(), nodes.types.tolist(), strict=True))
    structural = [(0, 1), (1, 2), (3, 4), (4, 5)]
    assert edges == [
        *((*ends, EdgeType.STRUCTURAL) for ends in structural),
        *((row, 6 if row < 3 else 7, EdgeType.HIERARCHICAL) for row in range(6)),
        (6, 7, EdgeType.CAUSAL),
    ]
    assert nodes.stated.tolist() == [False, False, False, True] + [False] * 7
    assert nodes.records.tolist() == [0, 1, 2, 3] + [-1] * 6 + [1]
    assert nodes.confidences.tolist() == [0.5, 0.5, 0.5, 0.9] + [1.0] * 6 + [0.75]


def test_a_denied_link_is_never_walked(nodes):
    assert (3, 5) not in set(zip(nodes.sources.tolist(), nodes.targets.tolist(), strict=True))


def test_levels_places_and_both_ways(nodes):
    assert nodes.levels.tolist() == [0] * 6 + [1, 1]
    assert nodes.entities == 6
    assert nodes.places.toarray()[3].tolist() == [1, 0, 0, 1, 0, 0]
    both = nodes.both_ways
    assert both.neighbours[both.indptr[6] : both.indptr[7]].tolist() == [7, 0, 1, 2]
    assert both.edges[both.indptr[6] : both.indptr[7]].tolist() == [10, 15, 16, 17]
