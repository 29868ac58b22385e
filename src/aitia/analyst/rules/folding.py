"""Folding: one form for all forms of a noun, so that words compare."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")


@cache
def vocabulary(language: str = "english") -> dict[str, Any]:
    """The raw word lists of a language, ``vocabulary/<language>.toml``."""
    path = files("aitia.analyst.rules").joinpath("vocabulary", f"{language}.toml")
    return tomllib.loads(path.read_text("utf-8"))


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word in lower case, without possessive or plural ending.

    The same for every form of a noun, whatever its tag, but not always a word: both "diagnosis" and
    "diagnoses" give "diagnos".
    """
    word = _POSSESSIVE.sub("", word.lower())
    irregular = vocabulary()["singular"].get(word)
    if irregular is not None or len(word) < 4:
        return irregular or word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if (len(word) > 4 and word.endswith(("che", "she", "xe"))) or (len(word) > 5 and word.endswith("se")):
        return word[:-1]
    if len(word) > 5 and word.endswith(("ses", "sis")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def unpossessed(word: str) -> str:
    """A word as written, without a possessive ending."""
    return _POSSESSIVE.sub("", word)
