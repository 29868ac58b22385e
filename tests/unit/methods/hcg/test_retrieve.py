from __future__ import annotations

import numpy as np
import pytest

from aitia.errors import UsageError
from aitia.methods.hcg.config import Ablation, QuerySettings
from aitia.methods.hcg.retrieve import query_settings


def order_of(ranked):
    return np.asarray(ranked.order).tolist()


def test_graph_gives_the_chunks_of_the_walk(retriever, ask):
    ranked = retriever.rank(ask(), "graph")
    assert order_of(ranked) == [2, 0, 1]
    assert ranked.graph_matched
    assert ranked.units.last.tolist() == [3, 3, 6, 1]
    assert ranked.scores.tolist() == pytest.approx([0.1, 0.9, 0.3, 0.05])
    assert dict(ranked.trace()) == {}


def test_graph_falls_back_to_cosine_and_says_so(retriever, ask):
    ranked = retriever.rank(ask(tau_min=0.9), "graph")
    assert order_of(ranked) == [1, 2, 0, 3]
    assert not ranked.graph_matched


def test_fused_adds_the_walk_to_the_hybrid_ranking(retriever, ask):
    ranked = retriever.rank(ask("mites", graph_weight=0.5), "fused")
    # By cosine 1, 2, 0, 3, by word only 3, each for the window and for its chunk; by the walk 2, 0, 1.
    expected = [2 / 23 + 0.5 / 22, 2 / 21 + 0.5 / 23, 2 / 22 + 0.5 / 21, 2 / 24 + 2 / 21]
    assert ranked.scores.tolist() == pytest.approx(expected)
    assert order_of(ranked) == [3, 1, 2, 0]
    assert ranked.graph_matched


def test_fused_without_a_match_is_hybrid(retriever, ask):
    unmatched = retriever.rank(ask("mites", tau_min=0.9), "fused")
    weightless = retriever.rank(ask("mites", graph_weight=0.0), "fused")
    assert unmatched.scores.tolist() == weightless.scores.tolist()
    assert not unmatched.graph_matched
    assert weightless.graph_matched


def test_the_threshold_is_the_index_own(retriever):
    assert retriever.tau_min == 0.35


def test_triples_nearest_to_a_match_first_within_the_budget(retriever, ask):
    graph = retriever.store.graph()
    lines = retriever.triples(ask(), graph, 999)
    assert lines == [
        "Dose(a) -> Level(a): more of it",
        "Dose(b) -> Risk(a): direct",
        "Level(a) -> Risk(a): via level",
    ]
    assert retriever.triples(ask(), graph, 10) == lines[:2]  # six words and four
    assert retriever.triples(ask(), graph, 9) == lines[:1]
    assert retriever.triples(ask(), graph, 5) == []
    assert retriever.triples(ask(tau_min=0.9), graph, 999) == []


def test_a_trace_says_why(retriever, ask):
    trace = retriever.rank(ask(explain=True), "graph").trace()
    assert trace["gate"] == [{"metric": "Dose", "sigma": 0.5, "tau": 0.35}]
    assert trace["matches"] == [
        {"variable": "Dose(a)", "cosine": 0.5},
        {"variable": "Dose(b)", "cosine": 0.45},
    ]
    assert trace["reach"] == {
        "variables": 4, "edges": 3, "share_by_hop": [0.8, 0.8, 0.8, 0.8], "isolated_matches": []
    }  # fmt: skip
    assert trace["cones"] == {
        "found": 2,
        "tied": 0,
        "kept": [
            {"outcome": "Risk", "convergence": 2, "nearness": 0.3917, "variables": 4},
            {"outcome": "Level", "convergence": 1, "nearness": 0.25, "variables": 2},
        ],
    }
    ids = [chunk.id for chunk in retriever.store.chunks()]
    assert trace["chunks"] == {
        ids[2]: {"cone_rank": 1, "hops": 1, "edges": ["Dose(b) -> Risk(a)", "Level(a) -> Risk(a)"]},
        ids[0]: {"cone_rank": 1, "hops": 1, "edges": ["Dose(a) -> Level(a)"]},
        ids[1]: {"cone_rank": 1, "hops": 2, "edges": ["Level(a) -> Risk(a)"]},
    }


def test_a_trace_of_nothing(retriever, ask):
    trace = retriever.rank(ask(explain=True, tau_min=0.9), "graph").trace()
    assert (trace["gate"], trace["matches"], trace["chunks"]) == ([], [], {})


def test_a_match_without_edges_says_so(retriever, ask):
    trace = retriever.rank(ask(explain=True, max_hops=0, metrics=1, per_metric=1), "graph").trace()
    assert trace["reach"]["isolated_matches"] == ["Dose(a)"]
    assert trace["cones"]["kept"][0]["outcome"] == "Level"  # LevelB, where the edge into it begins


def test_settings_by_name():
    settings, ablation = query_settings({"metrics": 2, "cones": False})
    assert settings == QuerySettings(metrics=2)
    assert ablation == Ablation(cones=False)
    assert query_settings({}) == (QuerySettings(), Ablation())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"metric": 2}, "unknown setting 'metric' of hcg; expected one of band, beta, "),
        ({"metrics": 0}, "setting metrics: found 0; input should be greater than or equal to 1"),
        ({"tau_min": "high"}, "setting tau_min: found 'high'; input should be a valid number"),
        ({"edges": "all"}, "setting edges: found 'all'; input should be 'induced' or 'traversed'"),
    ],
)
def test_settings_that_cannot_be_used(values, message):
    with pytest.raises(UsageError) as caught:
        query_settings(values)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
