"""Options of a model, as Python gives them: a wrong type is told in one line."""

from __future__ import annotations

import math

import pytest

from aitia.errors import UsageError
from aitia.workflows.analysts import llm_settings, recorded_settings


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "needs a model"),
        ({"model": "m", "max_calls": "3"}, "--max-calls 3"),
        ({"model": "m", "max_calls": -1}, "--max-calls -1"),
        ({"model": "m", "max_calls": True}, "--max-calls True"),
        ({"model": "m", "max_cost": math.nan}, "--max-cost nan"),
        ({"model": "m", "max_cost": math.inf}, "--max-cost inf"),
        ({"model": "m", "llm": "x"}, "expected settings by name"),
        ({"model": "m", "llm": {"base_url": "u"}}, "unknown setting --llm base_url"),
        ({"model": "m", "api_key": 7}, "API key is of type int"),
        ({"model": "m", "base_url": 5}, "--base-url: found 5"),
        ({"model": "m", "jobs": 0}, "--jobs: found 0"),
        ({"model": "m", "llm": {"temperature": math.nan}}, "--llm temperature"),
        ({"model": "m", "llm": {"timeout_s": math.inf}}, "--llm timeout_s"),
    ],
)
def test_what_cannot_be(options, words):
    with pytest.raises(UsageError, match=words.replace("(", r"\(")):
        llm_settings(options)


def test_options_stand_before_what_an_index_recorded():
    recorded = {"model": "then", "context_tokens": 1000, "run": 2, "prompts": "0123"}
    settings = llm_settings({"model": "now", "llm": {"run": 3}}, recorded)
    assert (settings.model, settings.context_tokens, settings.run) == ("now", 1000, 3)


def test_an_address_is_never_recorded():
    settings = llm_settings({"model": "m", "base_url": "http://u:p@host/v1", "llm": {"price_in": 1}})
    assert recorded_settings(settings) == {
        "model": "m",
        "context_tokens": 128_000,
        "max_output_tokens": 16_384,
        "temperature": 0.0,
        "run": 0,
        "price_in": 1.0,
    }
