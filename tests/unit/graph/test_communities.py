import subprocess
import sys
from itertools import combinations, permutations

import numpy as np
import pytest

from aitia.graph.communities import find_modules, level_modules, max_module_levels, pair_weights


def find(edges, entities, **settings):
    table = np.array(edges, np.float64).reshape(-1, 3)
    sources, targets = table[:, :2].T.astype(np.int64)
    return find_modules(sources, targets, table[:, 2], entities, **settings)


def clique(nodes):
    return [(first, second, 1) for first, second in combinations(nodes, 2)]


def described(modules):
    return [
        (int(level), int(parent), modules.members_of(number).tolist())
        for number, (level, parent) in enumerate(zip(modules.levels, modules.parents, strict=True))
    ]


# Finding


def test_two_triangles_and_an_entity_by_itself():
    edges = [*clique([0, 2, 4]), *clique([1, 3, 5]), (0, 1, 0.1)]
    modules = find(edges, 7)
    assert described(modules) == [(1, -1, [0, 2, 4]), (1, -1, [1, 3, 5]), (1, -1, [6])]
    assert modules.homes.tolist() == [0, 1, 0, 1, 0, 1, 2]


def test_without_edges_each_entity_is_a_module():
    for edges in ([], [(1, 1, 5)], [(0, 1, 0)]):
        assert described(find(edges, 2)) == [(1, -1, [0]), (1, -1, [1])]
    assert described(find([], 0)) == []


def test_a_clique_is_not_divided():
    assert described(find(clique(range(15)), 15)) == [(1, -1, list(range(15)))]


def ring_of_cliques(cliques, size):
    """Leiden joins neighbouring cliques first and divides them again, where there are enough of them."""
    edges = [edge for c in range(cliques) for edge in clique(range(c * size, (c + 1) * size))]
    return edges + [(c * size, (c + 1) % cliques * size + 1, 1) for c in range(cliques)]


def test_large_modules_have_modules_inside():
    modules = find(ring_of_cliques(60, 4), 240)
    sizes = np.diff(modules.indptr)
    assert set(modules.levels.tolist()) == {1, 2}
    assert sizes[modules.levels == 1].max() <= 10
    assert sizes[modules.levels == 2].min() > 10
    assert sorted(modules.members[: modules.indptr[int((modules.levels == 1).sum())]]) == list(range(240))


def test_order_direction_and_repeats_of_edges_do_not_matter():
    random = np.random.default_rng(5)
    edges = np.array(ring_of_cliques(40, 5), np.float64)
    edges[:, 2] = random.random(len(edges))
    expected = described(find(edges, 200, max_levels=3))
    turned = edges[random.permutation(len(edges))]
    turned[::2, :2] = turned[::2, 1::-1]
    assert described(find(turned, 200, max_levels=3)) == expected
    halves = np.concatenate([turned, turned[::-1]]) * [1, 1, 0.5]
    assert described(find(halves, 200, max_levels=3)) == expected


def test_a_sum_of_weights_does_not_depend_on_their_order():
    sources, targets = np.array([2, 1, 2, 5, 0, 1]), np.array([1, 2, 1, 5, 3, 0])
    totals = set()
    for some in permutations([0.1, 0.2, 0.3]):
        low, high, total = pair_weights(sources, targets, np.array([*some, 9.0, -1.0, 4.0]))
        assert (low.tolist(), high.tolist(), total[0]) == ([0, 1], [1, 2], 4.0)
        totals.add(float(total[1]))
    assert len(totals) == 1
    assert totals.pop() == pytest.approx(0.6)


def test_another_process_finds_the_same():
    program = (
        "import numpy as np; from aitia.graph.communities import find_modules; "
        "r = np.random.default_rng(1); s, t = r.integers(0, 300, (2, 900)); "
        "m = find_modules(s, t, r.random(900), 300, max_levels=3); "
        "print(m.levels.tolist(), m.parents.tolist(), m.members.tolist())"
    )
    replies = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout for _ in "ab"
    }
    assert len(replies) == 1


@pytest.mark.parametrize(("documents", "levels"), [(1, 2), (9_999, 2), (10_000, 3)])
def test_levels_by_size_of_corpus(documents, levels):
    assert max_module_levels(documents) == levels


# Levels: cluster 0 holds 1 and 2; 2 holds 3 and 4; 4 holds 5 and 6; cluster 7 stands alone.

PARENTS = np.array([-1, 0, 0, 2, 2, 4, 4, -1])
HOMES = np.array([7, 1, 3, 5, 6, 1])


def test_levels_count_from_the_leaves():
    modules = level_modules(PARENTS, HOMES, 9)
    assert described(modules) == [
        (1, -1, [0]),
        (1, 7, [1, 5]),
        (1, 6, [2]),
        (1, 5, [3]),
        (1, 5, [4]),
        (2, 6, [3, 4]),
        (3, 7, [2, 3, 4]),
        (4, -1, [1, 2, 3, 4, 5]),
    ]
    assert modules.homes.tolist() == [0, 1, 2, 3, 4, 1]


def test_a_high_tree_keeps_its_root_and_its_lowest_levels():
    lowest = [(1, -1, [0]), (1, 6, [1, 5]), (1, 6, [2]), (1, 5, [3]), (1, 5, [4])]
    top = [1, 2, 3, 4, 5]
    assert described(level_modules(PARENTS, HOMES, 3)) == [*lowest, (2, 6, [3, 4]), (3, -1, top)]
    flat = [(level, -1 if parent < 0 else 5, members) for level, parent, members in lowest]
    assert described(level_modules(PARENTS, HOMES, 2)) == [*flat, (2, -1, top)]
    alone = [(level, -1, members) for level, _, members in lowest]
    assert described(level_modules(PARENTS, HOMES, 1)) == alone
