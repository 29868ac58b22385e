from __future__ import annotations

import pytest

from aitia.cli.options import parse_settings
from aitia.errors import UsageError


def test_values_are_typed_as_in_toml():
    pairs = [
        "max_hops=2",
        "tau_min = 0.5",
        "cones=false",
        'order="nearest"',
        "edges=traversed",
        "node=query+answer",
        "chunks=none",
        "list=[1, 2]",
    ]
    assert parse_settings(pairs) == {
        "max_hops": 2,
        "tau_min": 0.5,
        "cones": False,
        "order": "nearest",
        "edges": "traversed",
        "node": "query+answer",
        "chunks": "none",
        "list": [1, 2],
    }


@pytest.mark.parametrize("pair", ["", "=1", "max_hops", "a b=1", "a.b=1", "1a=1", "max-hops=1"])
def test_a_setting_is_key_and_value(pair):
    with pytest.raises(UsageError, match="expected KEY=VALUE"):
        parse_settings([pair])


@pytest.mark.parametrize("value", ["", "1\nother = 2", "two words", "[1", '"open', "[" * 5000, "\x1b[31m"])
def test_a_value_that_is_none(value):
    with pytest.raises(UsageError, match="--set key: found"):
        parse_settings([f"key={value}"])


def test_a_key_is_given_once():
    with pytest.raises(UsageError, match="max_hops is given twice"):
        parse_settings(["max_hops=1", "max_hops=2"])
