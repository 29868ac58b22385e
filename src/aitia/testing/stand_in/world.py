"""What the stand-in knows without any prompt: its lexicon, read once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_ADJECTIVE = re.compile(r"\w{3,}(?:al|ic|ous|ive|ary|ar|oid|ular)")
_ATTRIBUTE = re.compile(r"\w{4,}(?:tion|sion|ment|ness|ity|ance|ence)")
_UNCOUNTED = re.compile(r".*(?:ss|us|is|as)|.{1,3}")

OTHER = "subject"
"""The axis of what is named often and is of no known kind."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A kind of things; ``default`` is what is said of them where the text names no attribute."""

    name: str
    description: str
    default: str


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that state an effect: its sign, and whether the cause stands behind them."""

    words: tuple[str, ...]
    polarity: str
    reverse: bool


@dataclass(frozen=True)
class World:
    """The lexicon by word. Words are lower case and, but for cues, singular."""

    axes: Mapping[str, Axis]
    heads: Mapping[str, str]
    suffixes: tuple[tuple[str, str], ...]
    attributes: Mapping[str, str]
    cues: Mapping[str, tuple[Cue, ...]]
    hedges: frozenset[str]
    negations: frozenset[str]
    modifiers: frozenset[str]
    stop: frozenset[str]


@cache
def world() -> World:
    """The lexicon."""
    table = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    axes = [Axis(one["name"], one["description"], one["default"]) for one in table["axes"]]
    axes.append(Axis(OTHER, "What else the text speaks of", "Amount"))
    words = {name: frozenset(text.split()) for name, text in table["words"].items()}
    return World(
        axes={axis.name: axis for axis in axes},
        heads={head: one["name"] for one in reversed(table["axes"]) for head in one["heads"].split()},
        suffixes=tuple((suffix, one["name"]) for one in table["axes"] for suffix in one["suffixes"]),
        attributes={word: kind for kind, text in table["attributes"].items() for word in text.split()},
        cues=_cues(table["signs"]),
        **words,
    )


def _cues(signs: Mapping[str, Any]) -> dict[str, tuple[Cue, ...]]:
    """By first word, longest first."""
    found: dict[str, list[Cue]] = {}
    for sign, text in signs.items():
        for words in (tuple(phrase.split()) for phrase in text.split(";") if phrase.strip()):
            polarity = "unclear" if sign == "reversed" else sign
            found.setdefault(words[0], []).append(Cue(words, polarity, sign == "reversed"))
    return {first: tuple(sorted(cues, key=lambda cue: -len(cue.words))) for first, cues in found.items()}


@lru_cache(maxsize=100_000)
def singular(word: str) -> str:
    """A word in lower case without the ending of a plural."""
    word = word.lower()
    if not word.endswith("s") or _UNCOUNTED.fullmatch(word):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


@lru_cache(maxsize=100_000)
def axis_of(word: str) -> str:
    """The kind of thing that a singular word names, or nothing."""
    known = world()
    if word in known.heads:
        return known.heads[word]
    if word in known.stop or word in known.attributes:
        return ""
    return next((axis for suffix, axis in known.suffixes if word.endswith(suffix) and word != suffix), "")


@lru_cache(maxsize=100_000)
def attribute_kind(word: str) -> str:
    """The category of what a singular word measures, or nothing."""
    known = world()
    if word in known.attributes:
        return known.attributes[word]
    open_class = _ATTRIBUTE.fullmatch(word) and word not in known.stop and not axis_of(word)
    return "property" if open_class else ""


@lru_cache(maxsize=100_000)
def modifies(word: str) -> bool:
    """Whether a word, in lower case, may stand in front of a name and belong to it."""
    known = world()
    return word in known.modifiers or (word not in known.stop and bool(_ADJECTIVE.fullmatch(word)))
