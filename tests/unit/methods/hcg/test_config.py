from __future__ import annotations

import pytest
from pydantic import ValidationError

from aitia.methods.hcg.config import Ablation, BuildSettings, QuerySettings


def test_the_published_defaults():
    build, query = BuildSettings(), QuerySettings()
    assert (build.pairs_per_call, build.prefix_characters, build.semantic_chunks) == (40, 200, 2)
    assert (build.similar_metrics, build.summary_quotes, build.exhaustive, build.link_all) == (
        20,
        5,
        False,
        False,
    )
    assert (query.metrics, query.beta, query.per_metric, query.max_hops, query.max_cones) == (
        5,
        0.20,
        3,
        4,
        6,
    )
    assert query.tau_min is None  # calibrated for the embedder; 0.35 is text-embedding-3-small's
    published = Ablation()
    assert (published.cones, published.edges, published.band) == (True, "induced", "min")
    assert (published.stop_at_outcomes, published.order) == (False, "cones")


def test_at_most_twelve_settings_of_a_kind():
    assert max(len(kind.model_fields) for kind in (BuildSettings, QuerySettings, Ablation)) <= 12


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (QuerySettings, {"metrics": 0}),
        (QuerySettings, {"tau_min": 1.01}),
        (QuerySettings, {"beta": -0.1}),
        (QuerySettings, {"max_hops": -1}),
        (QuerySettings, {"max_cones": 0}),
        (QuerySettings, {"graph_weight": -0.1}),
        (BuildSettings, {"prefix_characters": 19}),
        (BuildSettings, {"max_variables": 0}),
        (Ablation, {"order": "random"}),
        (Ablation, {"unknown": 1}),
    ],
)
def test_values_out_of_range(kind, values):
    with pytest.raises(ValidationError):
        kind(**values)
