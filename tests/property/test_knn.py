"""Nearest neighbours agree with exact sums over every pair, however the rows are cut."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from aitia.graph.knn import knn_graph


def naive_neighbours(rows, k, groups):
    """Ids and cosines by rational arithmetic, rounded once."""
    exact = [[Fraction(float(value)) for value in row] for row in rows]
    table = []
    for node, row in enumerate(exact):
        others = []
        for other, column in enumerate(exact):
            if other == node or (groups is not None and groups[other] == groups[node]):
                continue
            cosine = np.float32(float(sum(a * b for a, b in zip(row, column, strict=True))))
            others.append((-cosine, other))
        best = sorted(others)[:k]
        ids = [other for _, other in best] + [-1] * (k - len(best))
        table.append((ids, [-loss for loss, _ in best] + [0.0] * (k - len(best))))
    return [ids for ids, _ in table], [cosines for _, cosines in table]


# Coarse grids give ties by the dozen, fine numbers none.
coarse = st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0])
fine = st.floats(-1, 1, width=32, allow_subnormal=False)


@st.composite
def cases(draw):
    shape = draw(st.integers(1, 24)), draw(st.integers(1, 5))
    rows = draw(arrays(np.float32, shape, elements=draw(st.sampled_from([coarse, fine]))))
    groups = draw(st.none() | arrays(np.int64, shape[0], elements=st.integers(0, 3)))
    return rows, draw(st.integers(1, 6)), groups


@settings(deadline=None, max_examples=60)
@given(case=cases(), block=st.integers(1, 30))
def test_neighbours_are_those_of_exact_sums(case, block):
    rows, k, groups = case
    found = knn_graph(rows, k, groups=groups, block=block)
    ids, cosines = naive_neighbours(rows, k, groups)
    assert found.ids.tolist() == ids
    assert found.cosines.tolist() == cosines


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 99), block=st.integers(1, 130), copies=st.integers(1, 12))
def test_blocks_change_nothing(seed, block, copies):
    """With near and equal rows in plenty, so that candidates alone would not do."""
    random = np.random.default_rng(seed)
    rows = np.repeat(random.standard_normal((10, 32)), copies, axis=0)
    rows += random.choice([0, 1e-6], (len(rows), 1)) * random.standard_normal(rows.shape)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    whole, cut = knn_graph(rows, 3, block=2048), knn_graph(rows, 3, block=block)
    assert whole.ids.tolist() == cut.ids.tolist()
    assert whole.cosines.tolist() == cut.cosines.tolist()
