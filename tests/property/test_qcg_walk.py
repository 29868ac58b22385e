"""Query nodes, hops and chunk scores agree with the paper's formulas written out as loops over sets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aitia.methods.qcg.build import both_ways
from aitia.methods.qcg.config import QuerySettings
from aitia.methods.qcg.walk import walk_graph
from aitia.retrieval.doc2query import best_share

EIGHTHS = [Fraction(n, 8) for n in range(-3, 9)]
"""Few values, so that ties abound, and exact as float32."""


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 14))
    cosines = draw(st.lists(st.sampled_from(EIGHTHS), min_size=size, max_size=size))
    chunk_of = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    width = draw(st.integers(1, 3))
    rows = [
        draw(
            st.lists(
                st.integers(0, size - 1).filter(lambda other, own=own: other != own),
                max_size=width,
                unique=True,
            )
        )
        if size > 1
        else []
        for own in range(size)
    ]
    settings = QuerySettings(
        gamma=draw(st.sampled_from([0.0, 0.875, 1.0, 1.25, 1.5, 2.0])),
        nodes=draw(st.integers(1, 8)),
        hops=draw(st.integers(0, 3)),
        score=draw(st.sampled_from(["mean", "sum", "max", "topm"])),
        top_m=draw(st.integers(1, 3)),
    )
    return cosines, chunk_of, rows, width, settings


def table(rows, width):
    return np.array([row + [-1] * (width - len(row)) for row in rows], np.int64).reshape(len(rows), width)


def naive_walk(cosines, chunk_of, rows, settings):
    near = [node for node in range(len(cosines)) if cosines[node] + 1 >= settings.gamma]
    near = sorted(near, key=lambda node: (-cosines[node], node))[: settings.nodes]
    reached, frontier = set(near), set(near)
    for _ in range(settings.hops):
        frontier = {other for node in frontier for other in rows[node]}
        reached |= frontier
    scores = {}
    for chunk in {chunk_of[node] for node in reached}:
        values = sorted((cosines[node] for node in reached if chunk_of[node] == chunk), reverse=True)
        scores[chunk] = {
            "mean": sum(values) / len(values),
            "sum": sum(values),
            "max": values[0],
            "topm": sum(values[: settings.top_m]),
        }[settings.score]
    return reached, sorted(scores.items(), key=lambda item: (-np.float32(float(item[1])), item[0]))


@given(graphs())
def test_walk(case):
    cosines, chunk_of, rows, width, settings = case
    walk = walk_graph(
        np.array([float(value) for value in cosines], np.float32),
        table(rows, width),
        np.array(chunk_of),
        settings,
    )
    reached, chunks = naive_walk(cosines, chunk_of, rows, settings)
    assert set(walk.nodes.tolist()) == reached
    assert walk.chunks.tolist() == [chunk for chunk, _ in chunks]
    assert np.allclose(walk.scores, [float(score) for _, score in chunks])


@given(graphs())
def test_edges_both_ways(case):
    _, _, rows, width, _ = case
    edges = {(node, other) for node, row in enumerate(rows) for other in row}
    found = both_ways(table(rows, width))
    assert len(found) == len(rows)
    for node, row in enumerate(found.tolist()):
        expected = sorted({b for a, b in edges if a == node} | {a for a, b in edges if b == node})
        assert [other for other in row if other >= 0] == expected


@given(
    st.lists(st.tuples(st.sampled_from(EIGHTHS), st.integers(0, 3)), max_size=20),
    st.sampled_from([Fraction(1, 5), Fraction(1, 2), Fraction(4, 5), Fraction(1)]),
)
def test_best_share(items, share):
    kept = best_share(
        np.array([float(score) for score, _ in items], np.float32), np.array([group for _, group in items], np.int64),
        float(share),
    )  # fmt: skip
    for group in range(4):
        members = [place for place, (_, own) in enumerate(items) if own == group]
        quota = -(-share.numerator * len(members) // share.denominator)
        best = sorted(members, key=lambda place: (-items[place][0], place))[:quota]
        assert [place for place in members if kept[place]] == sorted(best)
