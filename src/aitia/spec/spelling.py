"""Spelling variants: whether two names are one name, written by different hands."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from aitia.spec.names import Folded
from aitia.spec.opposites import differing
from aitia.spec.tables import word_pairs

_FILE = "spelling.toml"
_LONG = 9
_DOUBLED = re.compile(r"(.)\1")


def respelled(one: Folded, other: Folded) -> bool:
    """Whether every word of the one is a word of the other, or a spelling of it. Symmetric.

    The order of words counts around a directed one ("glucose to insulin ratio"); acronyms, numbers and
    words of scripts without case have no variants.
    """
    left, right = differing(one, other)
    if len(left) != len(right) or not one.strict.isdisjoint(left) or not other.strict.isdisjoint(right):
        return False
    if not left:
        return one.words == other.words or not (one.directed or other.directed)
    return all(any(are_variants(word, known) for known in right) for word in left) and all(
        any(are_variants(known, word) for word in left) for known in right
    )


@lru_cache(maxsize=65_536)
def are_variants(one: str, other: str) -> bool:
    """Whether two lower-case, singular words are spellings of one. Symmetric.

    They are if they are equal by convention ("tumour", "tumor") or in an ending of the file, or if one
    letter of a word of at least nine is missing or swapped with its neighbour, but not the first. A
    replaced letter makes another word too often ("injection", "infection").
    """
    here, there = _conventional(one), _conventional(other)
    if here == there or _same_but_ending(one, other) or _same_but_ending(other, one):
        return True
    return _slip(one, other) or _slip(here, there)


def _slip(one: str, other: str) -> bool:
    if max(len(one), len(other)) < _LONG or one[0] != other[0] or OSA.distance(one, other) != 1:
        return False
    return len(one) != len(other) or sorted(one) == sorted(other)


def _conventional(word: str) -> str:
    for pattern, replacement in word_pairs(_FILE, "conventions"):
        word = re.sub(pattern, replacement, word)
    return _DOUBLED.sub(r"\1", word) if len(word) > 6 else word


def _same_but_ending(one: str, other: str) -> bool:
    return any(
        one.endswith(first)
        and other.endswith(second)
        and len(one) - len(first) > 2
        and one.removesuffix(first) == other.removesuffix(second)
        for first, second in word_pairs(_FILE, "endings")
    )
