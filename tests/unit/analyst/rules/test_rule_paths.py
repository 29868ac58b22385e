from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import PathRequest
from aitia.analyst.rules.paths import refine_paths


@pytest.mark.parametrize(
    ("types", "verdict", "confidence"),
    [
        (["causal"], "causal", 1.0),
        (["causal", "structural", "causal"], "causal", 0.9),
        (["hierarchical", "gate", "hierarchical"], "causal", 0.81),
        (["structural", "hierarchical"], "spurious", 0.81),
        (["causal", "causal, against"], "spurious", 1.0),
        (["gate, against", "causal"], "spurious", 1.0),
        (["causal", "negated"], "spurious", 0.9),
        (["causal", "hierarchical", "hierarchical"], "spurious", 0.81),
        (["hierarchical", "hierarchical", "causal"], "spurious", 0.81),
    ],
)
def test_a_path_is_causal_if_its_causal_edges_point_along_and_none_is_denied(types, verdict, confidence):
    nodes = tuple("abcd"[: len(types) + 1])
    (found,) = refine_paths("why?", [PathRequest(7, nodes, tuple(types), ("x",) * len(types))])
    assert (found.number, found.verdict, found.confidence) == (7, verdict, confidence)
    assert found.reason.endswith(".")


def test_a_path_is_as_sure_as_its_least_sure_edge():
    path = PathRequest(1, ("a", "b", "c"), ("causal", "structural"), ("x", "y"), (), (0.614, 0.9))
    assert refine_paths("why?", [path])[0].confidence == 0.553  # 0.614 * 0.9
