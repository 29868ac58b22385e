"""A graph in tables, worked by hand."""

from __future__ import annotations

import pytest

from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.spec.model import Metric, Variable
from aitia.workflows.graph_tables import EdgeFilter, GraphTables


def metric(name: str) -> Metric:
    return Metric(name=name, signature=("d",), description="", category="c")


def found(chunk: int, kind: str) -> EdgeEvidence:
    return EdgeEvidence(chunk, 10 * chunk, 10 * chunk + 5, "", kind)  # type: ignore[arg-type]


@pytest.fixture
def tables() -> GraphTables:
    """A(x) and A(y) raise B(z), A(x) lowers A(y), B(z) does nothing to A(x); C has no variable."""
    variables = tuple(Variable(metric=name, entities=(entity,)) for name, entity in ("Ax", "Ay", "Bz"))
    edges = (
        CausalEdge(0, 1, "Lowers it", 0.5, "negative", ()),
        CausalEdge(0, 2, "raises", 0.9, "positive", (found(3, "quote"), found(4, "cosine"))),
        CausalEdge(1, 2, "raises", 0.8, "positive", (found(4, "mention"), found(4, "chunk"))),
        CausalEdge(2, 0, "nothing", 0.9, "none", (found(3, "quote"),)),
    )
    templates = (Template("A", "B", "as a rule", 0.7), Template("B", "C", "never seen", 0.2))
    return GraphTables(CausalGraph(tuple(map(metric, "ABC")), variables, templates, edges))


def test_metrics_count_both_ends(tables):
    assert [(row["name"], row["variables"], row["out"], row["in"]) for row in tables.metrics()] == [
        ("A", 2, 3, 2),
        ("B", 1, 1, 2),
        ("C", 0, 0, 0),
    ]


def test_links_are_ordered_pairs(tables):
    rows = tables.links()
    assert [(row["source"], row["target"], row["edges"]) for row in rows] == [
        ("A", "A", 1),
        ("A", "B", 2),
        ("B", "A", 1),
    ]
    assert rows[1] == {
        "source": "A",
        "target": "B",
        "edges": 2,
        "positive": 2,
        "negative": 0,
        "unclear": 0,
        "none": 0,
        "quoted": 1,
        "confidence": 0.9,
        "mean_confidence": 0.85,
        "mechanism": "as a rule",
        "template_confidence": 0.7,
    }
    assert (rows[0]["mechanism"], rows[0]["template_confidence"], rows[0]["negative"]) == ("", None, 1)


def test_variables_by_their_edges(tables):
    assert [(row["key"], row["out"], row["in"]) for row in tables.variables()] == [
        ("A(x)", 2, 1),
        ("B(z)", 1, 2),
        ("A(y)", 1, 1),
    ]
    assert [row["key"] for row in tables.variables("A")] == ["A(x)", "A(y)"]
    assert tables.variables("C") == tables.variables("Z") == []


@pytest.mark.parametrize(
    ("fits", "rows"),
    [
        ({}, [1, 2, 3, 0]),
        ({"source_metric": "A"}, [1, 2, 0]),
        ({"target_metric": "A"}, [3, 0]),
        ({"metric": "B"}, [1, 2, 3]),
        ({"variable": "A(y)"}, [2, 0]),
        ({"polarity": "none"}, [3]),
        ({"min_confidence": 0.9}, [1, 3]),
        ({"max_confidence": 0.5}, [0]),
        ({"evidence": "quote"}, [1, 3]),
        ({"evidence": "other"}, [2]),
        ({"evidence": "none"}, [0]),
        ({"text": "LOWERS"}, [0]),
        ({"text": "b(z)", "polarity": "positive"}, [1, 2]),
        ({"metric": "Z"}, []),
    ],
)
def test_edges_that_fit_best_supported_first(tables, fits, rows):
    assert tables.find_edges(EdgeFilter(**fits)).tolist() == rows


def test_an_edge_by_its_ends(tables):
    assert tables.edge("A(x)", "B(z)") is tables.graph.edges[1]
    assert tables.edge("B(z)", "A(y)") is None
    assert tables.edge("A(x)", "nothing") is None
    assert tables.edge_row(2) == {
        "source": "A(y)",
        "target": "B(z)",
        "polarity": "positive",
        "confidence": 0.8,
        "evidence": 2,
        "quoted": 0,
        "mechanism": "raises",
    }


def test_edges_of_a_chunk(tables):
    assert tables.resting_on(3) == [(1, 30, 35), (3, 30, 35)]
    assert tables.resting_on(4) == [(1, 40, 45), (2, 40, 45), (2, 40, 45)]
    assert tables.resting_on(0) == []


def test_an_empty_graph():
    tables = GraphTables(CausalGraph((), (), (), ()))
    assert tables.metrics() == tables.links() == tables.variables() == []
    assert tables.find_edges(EdgeFilter(text="x", metric="A")).tolist() == []
