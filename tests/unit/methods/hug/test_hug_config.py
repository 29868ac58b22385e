from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.methods.hug.config import (
    BuildSettings,
    QuerySettings,
    build_warnings,
    query_settings,
    query_warnings,
)


def test_the_two_presets():
    assert (QuerySettings(preset="paper").weights, QuerySettings(preset="paper").fall) == (
        (0.8, 1.0, 1.2),
        0.7,
    )
    assert (QuerySettings(preset="skill").weights, QuerySettings(preset="skill").fall) == (
        (1.0, 1.2, 1.5),
        0.85,
    )


def test_what_is_given_stands_before_the_preset():
    settings = QuerySettings(preset="paper", causal=0.0, gamma=0.9)
    assert settings.weights == (0.8, 1.0, 0.0)
    assert settings.fall == 0.9


@pytest.mark.parametrize(("gamma", "warned"), [(0.69, True), (0.7, False), (0.95, False), (0.96, True)])
def test_gamma_out_of_the_safe_range_is_warned_of(gamma, warned):
    assert bool(query_warnings(QuerySettings(gamma=gamma))) is warned


def test_many_levels_and_many_documents_are_warned_of():
    assert build_warnings(BuildSettings(levels=4), 50_000) == []
    assert len(build_warnings(BuildSettings(levels=5), 50_001)) == 2


def test_settings_and_switches_come_from_one_set_of_values():
    settings, ablation = query_settings({"seeds": 5, "gates": False})
    assert (settings.seeds, ablation.gates, ablation.hierarchy) == (5, False, True)


@pytest.mark.parametrize("values", [{"cones": 1}, {"nodes": 0}, {"preset": "other"}])
def test_what_cannot_be_is_refused_in_one_line(values):
    with pytest.raises(UsageError) as caught:
        query_settings(values)
    assert "\n" not in str(caught.value)
