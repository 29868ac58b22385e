"""Maximal marginal relevance agrees with its definition, evaluated anew at each choice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.retrieval.diversify import diversify

# Directions with exact cosines, so that ties are ties.
AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, 0)]


def naive_choice(ids, relevance, vectors, k, share):
    left, chosen = sorted(range(len(ids)), key=lambda place: ids[place]), []
    while left and len(chosen) < k:
        worth = []
        for place in left:
            cosines = [sum(a * b for a, b in zip(vectors[place], vectors[c], strict=True)) for c in chosen]
            worth.append(share * relevance[place] - (1 - share) * max(cosines, default=0.0))
        chosen.append(left.pop(worth.index(max(worth))))
    return [ids[place] for place in chosen]


@given(
    st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 8), st.sampled_from(AXES)),
        min_size=1,
        max_size=12,
        unique_by=lambda candidate: candidate[0],
    ),
    st.integers(0, 13),
    st.sampled_from([0.0, 0.25, 0.5, 0.7, 1.0]),
)
def test_choice_is_that_of_the_definition(candidates, k, share):
    ids, eighths, vectors = zip(*candidates, strict=True)
    relevance = [number / 8 for number in eighths]
    found = diversify(np.array(ids), np.array(relevance), np.array(vectors, np.float32), k, share)
    assert found.tolist() == naive_choice(ids, relevance, vectors, k, share)
