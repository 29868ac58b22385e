from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aitia.evaluation.statistics.frontier import undominated

LEVELS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def dominates(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True)) and one != other


@given(st.lists(st.tuples(LEVELS, LEVELS, st.integers(-5, 0).map(float)), min_size=1, max_size=25))
def test_as_every_pair_looked_at(points):
    expected = [not any(dominates(other, point) for other in points) for point in points]
    assert undominated(points).tolist() == expected
    assert any(expected)
    assert undominated(points[::-1]).tolist() == expected[::-1]
