from __future__ import annotations

import numpy as np

from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, GraphArrays
from aitia.spec.model import Metric, Variable


def metric(name, role="intermediate"):
    return Metric(name=name, signature=("who",), description="", category="", graph_role=role)


def evidence(chunk, quote=""):
    return EdgeEvidence(chunk, 0, 5, quote, "quote" if quote else "cosine")


GRAPH = CausalGraph(
    (metric("Dose"), metric("Level", "outcome"), metric("Risk", "terminal")),
    (
        Variable(metric="Level", entities=("a",)),
        Variable(metric="Dose", entities=("a",)),
        Variable(metric="Level", entities=("b",)),
    ),
    (),
    (
        CausalEdge(0, 2, "denied", 0.5, "none", (evidence(9, "never"),)),
        CausalEdge(1, 0, "raises", 0.9, "positive", (evidence(7, "said"), evidence(4))),
        CausalEdge(1, 2, "", 0.1, "unclear", (evidence(4),)),
        CausalEdge(2, 0, "lowers", 0.2, "negative"),
    ),
)


def test_non_effects_are_not_walked():
    arrays = GRAPH.arrays()
    assert arrays.nodes == 3
    assert arrays.sources.tolist() == [1, 1, 2]
    assert arrays.targets.tolist() == [0, 2, 0]
    assert arrays.metric_of.tolist() == [1, 0, 1]
    assert arrays.roles.tolist() == [0, 1, 2]
    assert arrays.edge_of.tolist() == [0, 0, 1]
    assert arrays.chunk_of.tolist() == [7, 4, 4]


def test_outcomes_are_the_variables_of_outcome_and_terminal_metrics():
    arrays = GRAPH.arrays()
    assert arrays.is_outcome.tolist() == [True, False, True]
    assert arrays.outcomes.metrics.tolist() == [1]
    assert arrays.outcomes.variables.tolist() == [0, 2]
    assert arrays.outcome_group.tolist() == [0, -1, 0]


def test_variables_by_metric():
    rows = GRAPH.arrays().by_metric
    assert rows.metrics.tolist() == [0, 1]  # Risk has no variables
    assert (rows.starts.tolist(), rows.sizes.tolist()) == ([0, 1], [1, 2])
    assert rows.of(0).tolist() == [1]
    assert rows.of(1).tolist() == [0, 2]


def test_evidence_by_chunk_holds_both_ends_of_its_edges():
    found = GRAPH.arrays().evidence_by_chunk
    assert found.chunks.tolist() == [4, 7]
    assert found.starts.tolist() == [0, 2]
    assert found.sources.tolist() == [1, 1, 1]
    assert found.targets.tolist() == [0, 2, 0]


def test_both_adjacencies():
    arrays = GRAPH.arrays()
    assert arrays.forward.indptr.tolist() == [0, 0, 2, 3]
    assert arrays.backward.neighbours.tolist() == [1, 2, 1]


def test_nothing_at_all():
    arrays = CausalGraph((), (), (), ()).arrays()
    assert arrays.nodes == 0
    assert {array.dtype for array in vars(arrays).values()} == {np.dtype(np.int64)}
    assert arrays.is_outcome.tolist() == arrays.outcome_group.tolist() == []
    assert arrays.outcomes.metrics.tolist() == arrays.evidence_by_chunk.chunks.tolist() == []


def test_arrays_that_may_not_be_written_are_enough():
    arrays = GRAPH.arrays()
    frozen = {name: array.copy() for name, array in vars(arrays).items() if isinstance(array, np.ndarray)}
    for array in frozen.values():
        array.flags.writeable = False
    graph = GraphArrays(**frozen)
    assert graph.forward.edges.tolist() == [0, 1, 2]
    assert graph.evidence_by_chunk.chunks.tolist() == [4, 7]


def test_rows_by_key():
    assert GRAPH.row_of == {"Level(a)": 0, "Dose(a)": 1, "Level(b)": 2}


def test_networkx_has_every_variable_and_edge():
    graph = GRAPH.to_networkx()
    assert graph.nodes["Level(b)"] == {"metric": "Level", "entities": ["b"], "graph_role": "outcome"}
    assert set(graph.edges) == {
        ("Level(a)", "Level(b)"), ("Dose(a)", "Level(a)"), ("Dose(a)", "Level(b)"), ("Level(b)", "Level(a)")
    }  # fmt: skip
    assert graph.edges["Dose(a)", "Level(a)"] == {
        "mechanism": "raises", "confidence": 0.9, "polarity": "positive", "quotes": ["said"]
    }  # fmt: skip
