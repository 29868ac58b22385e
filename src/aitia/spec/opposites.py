"""What the opposites file says: which words are never spellings of each other.

``opposites.toml`` is data, so that a domain adds its own look-alikes without code.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from rapidfuzz import fuzz

SAME_WORD = 80.0
"""Least ``fuzz.ratio`` of two words that may be spellings of one ("fibre", "fiber": 80)."""


@dataclass(frozen=True, slots=True)
class Opposites:
    """The file's tables; its comments say what each one means."""

    words: tuple[tuple[str, str], ...]
    prefixes: tuple[tuple[str, str], ...]
    suffixes: tuple[tuple[str, str], ...]
    numbered: frozenset[str]
    empty: frozenset[str]
    directed: frozenset[str]


@cache
def opposites() -> Opposites:
    """The tables, read once."""
    table = tomllib.loads(files("aitia.spec").joinpath("opposites.toml").read_text("utf-8"))
    return Opposites(
        words=tuple((one, other) for one, other in table["words"]),
        prefixes=tuple((one, other) for one, other in table["prefixes"]),
        suffixes=tuple((one, other) for one, other in table["suffixes"]),
        numbered=frozenset(table["numbered"]),
        empty=frozenset(table["empty"]),
        directed=frozenset(table["directed"]),
    )


@lru_cache(maxsize=65_536)
def are_variants(one: str, other: str) -> bool:
    """Whether two lower-case words may be spellings of one. Symmetric."""
    return fuzz.ratio(one, other) >= SAME_WORD and not (_opposite(one, other) or _opposite(other, one))


def _opposite(one: str, other: str) -> bool:
    return (
        any(one.startswith(first) and other.startswith(second) for first, second in opposites().words)
        or any(_opposite_prefix(one, other, first, second) for first, second in opposites().prefixes)
        or any(_opposite_suffix(one, other, first, second) for first, second in opposites().suffixes)
    )


def _opposite_prefix(one: str, other: str, first: str, second: str) -> bool:
    if not (one.startswith(first) and other.startswith(second)):
        return False
    stem, rest = one[len(first) :], other[len(second) :]
    return stem != "" and (stem == rest or (second != "" and fuzz.ratio(stem, rest) >= SAME_WORD))


def _opposite_suffix(one: str, other: str, first: str, second: str) -> bool:
    if not (one.endswith(first) and other.endswith(second)):
        return False
    return one.removesuffix(first) == other.removesuffix(second) != ""
