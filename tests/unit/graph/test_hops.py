import numpy as np
import pytest

from aitia.graph.hops import expand_hops

# 0 -> 1, 2; 1 -> 2, 3; 2 -> 0; 3 -> 4; 4 has none; 5 -> 0.
TABLE = np.array([[1, 2], [2, 3], [0, -1], [4, -1], [-1, -1], [0, -1]])


@pytest.mark.parametrize(
    ("seeds", "hops", "nodes", "reached"),
    [
        ([0], 0, [0], [0]),
        ([0], 1, [0, 1, 2], [0, 1, 1]),
        ([0], 2, [0, 1, 2, 3], [0, 1, 1, 2]),
        ([0], 9, [0, 1, 2, 3, 4], [0, 1, 1, 2, 3]),
        ([5, 2], 1, [2, 5, 0], [0, 0, 1]),
        ([1, 0, 1], 1, [0, 1, 2, 3], [0, 0, 1, 1]),
        ([4], 2, [4], [0]),
        ([], 2, [], []),
    ],
)
def test_hops(seeds, hops, nodes, reached):
    found = expand_hops(TABLE, np.array(seeds, np.int64), hops)
    assert found.nodes.tolist() == nodes
    assert found.hops.tolist() == reached
