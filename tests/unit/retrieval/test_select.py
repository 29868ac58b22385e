from __future__ import annotations

import numpy as np
import pytest

from aitia.retrieval.select import Context, Units, select_contexts

# Two chunks; windows of 60 words every 30, as in an index: 0 to 3 in the first, 4 in the second.
UNITS = Units(np.array([0, 0, 0, 0, 1]), np.array([0, 30, 60, 90, 0]), np.array([60, 90, 120, 130, 20]))


@pytest.mark.parametrize(
    ("order", "budget", "contexts"),
    [
        ([3, 4, 0], 999, [(0, 90, 130, 3), (1, 0, 20, 4), (0, 0, 60, 0)]),
        ([0, 1], 999, [(0, 0, 90, 0)]),  # overlap
        ([0, 4, 2], 999, [(0, 0, 120, 0), (1, 0, 20, 4)]),  # touch: one, where the best of them stands
        ([4, 2, 0], 999, [(1, 0, 20, 4), (0, 0, 120, 2)]),
        ([0, 2, 1], 999, [(0, 0, 120, 0)]),  # the last is shown already
        ([0, 0], 999, [(0, 0, 60, 0)]),
        ([0], 45, [(0, 0, 45, 0)]),  # cut
        ([0, 1], 70, [(0, 0, 70, 0)]),  # only new words count: 60, then 10 of the next 30
        ([1, 0], 70, [(0, 30, 90, 1), (0, 0, 10, 0)]),  # cut from its end, so not joined
        ([0, 4], 60, [(0, 0, 60, 0)]),
        ([0, 4], 61, [(0, 0, 60, 0), (1, 0, 1, 4)]),
        ([0], 0, []),
        ([], 100, []),
    ],
)
def test_contexts(order, budget, contexts):
    assert select_contexts(order, UNITS, budget) == [Context(*each) for each in contexts]


def test_a_cut_unit_runs_over_what_is_shown_already():
    units = Units(np.zeros(2, np.int64), np.array([4, 0]), np.array([6, 10]))
    assert select_contexts([0, 1], units, 7) == [Context(0, 0, 7, 0)]
    assert select_contexts([0, 1], units, 5) == [Context(0, 4, 6, 0), Context(0, 0, 3, 1)]


def test_an_order_of_numpy_integers_gives_plain_ones():
    (context,) = select_contexts(np.array([4]), UNITS, 9)
    assert all(type(value) is int for value in (context.chunk, context.first, context.last, context.unit))
