"""The word lists beside this file: data, so that a domain or a language is added without code."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_set(file: str, key: str) -> frozenset[str]:
    """A list of words in a TOML file of this package."""
    return frozenset(_table(file)[key])


@cache
def word_pairs(file: str, key: str) -> tuple[tuple[str, str], ...]:
    """A list of pairs in a TOML file of this package, in its order."""
    return tuple((one, other) for one, other in _table(file)[key])


@cache
def _table(file: str) -> dict[str, Any]:
    return tomllib.loads(files("aitia.spec").joinpath(file).read_text("utf-8"))
