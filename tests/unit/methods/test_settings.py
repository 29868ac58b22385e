from __future__ import annotations

from math import inf, nan

import pytest

from aitia.errors import UsageError
from aitia.methods.hcg import config as hcg
from aitia.methods.hug import config as hug
from aitia.methods.qcg import config as qcg
from aitia.methods.settings import read_settings

MODELS = [hcg.BuildSettings, hcg.QuerySettings, hug.BuildSettings, hug.QuerySettings, qcg.BuildSettings,
          qcg.QuerySettings]  # fmt: skip
WEIGHTS = [
    (hcg.QuerySettings, "graph_weight"),
    (hug.QuerySettings, "graph_weight"),
    (hug.QuerySettings, "structural"),
    (hug.QuerySettings, "hierarchical"),
    (hug.QuerySettings, "causal"),
    (qcg.QuerySettings, "graph_weight"),
    (qcg.QuerySettings, "node_weight"),
]


def floats():
    return [
        (model, name)
        for model in MODELS
        for name, field in model.model_fields.items()
        if "float" in str(field.annotation)
    ]


@pytest.mark.parametrize("number", [inf, -inf, nan])
def test_no_setting_is_a_number_that_is_none(number):
    assert len(floats()) > 10
    for model, name in floats():
        with pytest.raises(UsageError, match=f"^setting {name}: found "):
            read_settings({name: number}, model)


@pytest.mark.parametrize(("model", "name"), WEIGHTS)
def test_a_weight_lies_between_0_and_1000(model, name):
    for number in (0, 1000):
        assert getattr(read_settings({name: number}, model), name) == number
    for number in (-1, 1e308):
        with pytest.raises(UsageError, match=f"^setting {name}: found "):
            read_settings({name: number}, model)


def test_none_undoes_a_setting_that_may_be_none_and_no_other():
    assert read_settings({"chunks": "none"}, qcg.QuerySettings).chunks is None
    assert read_settings({"gamma": "none"}, hug.QuerySettings).gamma is None
    assert read_settings({"max_pairs": "none"}, hcg.BuildSettings).max_pairs is None
    with pytest.raises(UsageError, match="setting nodes: found 'none'"):
        read_settings({"nodes": "none"}, qcg.QuerySettings)
