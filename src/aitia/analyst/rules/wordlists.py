"""The word lists of a language, read from ``vocabulary/<language>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class WordLists:
    """What the schema rules know of a language: words, not rules."""

    empty: frozenset[str]
    persons: frozenset[str]
    modifiers: frozenset[str]
    class_first: tuple[tuple[str, ...], ...]
    class_last: tuple[tuple[str, ...], ...]
    class_of: frozenset[str]
    category: Mapping[str, str]


@cache
def word_lists(language: str = "english") -> WordLists:
    """The lists of a language, read once."""
    text = files("aitia.analyst.rules").joinpath("vocabulary", f"{language}.toml").read_text("utf-8")
    lists = tomllib.loads(text)
    return WordLists(
        empty=frozenset(lists["empty"].split()),
        persons=frozenset(lists["persons"].split()),
        modifiers=frozenset(lists["modifiers"].split()),
        class_first=tuple(tuple(words.split()) for words in lists["class_first"]),
        class_last=tuple(tuple(words.split()) for words in lists["class_last"]),
        class_of=frozenset(lists["class_of"]),
        category={noun: name for name, nouns in lists["attributes"].items() for noun in nouns.split()},
    )
