"""Merging of names against a naive reference that looks at all pairs again after every merge."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.methods.hug.canonical import canonicalise

NAMES = [
    "adder",
    "beetle",
    "camel",
    "donkey",
    "eagle",
    "ferret",
    "gibbon",
    "decreased heat",
    "increased heat",
]


def naive(counts, vectors, least):
    """Greedy complete linkage: the nearest allowed pair of names in two groups joins them, if all pairs may.

    A pair whose vectors are equal is not allowed: the embedder cannot read it.
    """

    def opposite(one, other):
        return {one, other} == {"decreased heat", "increased heat"}

    def cosine(one, other):
        return round(float(vectors[one] @ vectors[other]), 4)

    groups = {name: {name} for name in counts}
    pairs = sorted((-cosine(one, other), one, other) for one in counts for other in counts if one < other)
    for _, one, other in pairs:
        union = groups[one] | groups[other]
        if groups[one] is groups[other]:
            continue
        if all(
            least < vectors[a] @ vectors[b] and cosine(a, b) < 0.9999 and not opposite(a, b)
            for a in groups[one]
            for b in groups[other]
        ):
            for name in union:
                groups[name] = union
    return {name: min(groups[name], key=lambda each: (-counts[each], each)) for name in counts}


@given(
    st.dictionaries(st.sampled_from(NAMES), st.tuples(st.integers(1, 3), st.integers(0, 60)), min_size=1),
)
def test_merging_equals_the_naive_reference(table):
    counts = {name: count for name, (count, _) in table.items()}
    vectors = {
        name: np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))], np.float32)
        for name, (_, angle) in table.items()
    }
    found = canonicalise(counts, lambda names: np.stack([vectors[name] for name in names]), 0.85)
    assert found.name_of == naive(counts, vectors, 0.85)
    assert all(
        merge.suggested or found.name_of[merge.merged] == found.name_of[merge.kept] for merge in found.merges
    )
