"""The opposites guard: names that look alike and mean different things.

"stage I" and "stage II", "hypo-" and "hyperthyroidism", "HER2+" and "HER2-" are closer in spelling and in
embeddings than many true synonyms; whatever merges names asks here first.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from aitia.spec.names import Folded
from aitia.spec.tables import word_pairs

_FILE = "opposites.toml"


def opposed(one: Folded, other: Folded) -> bool:
    """Whether two names differ in something that makes them different things. Symmetric.

    A number, Roman numeral, single letter, sign, acronym or word of up to three letters that only one of
    them has, or a word of one against its opposite in the other.
    """
    left, right = differing(one, other)
    if not one.strict.isdisjoint(left) or not other.strict.isdisjoint(right):
        return True
    return any(are_opposites(word, known) for word in left for known in right)


def differing(one: Folded, other: Folded) -> tuple[list[str], list[str]]:
    """The words that only the one and only the other has, sorted."""
    here, there = Counter(one.words), Counter(other.words)
    return sorted((here - there).elements()), sorted((there - here).elements())


@lru_cache(maxsize=65_536)
def are_opposites(one: str, other: str) -> bool:
    """Whether the file sets two lower-case words against each other. Symmetric."""
    return _against(one, other) or _against(other, one)


def _against(one: str, other: str) -> bool:
    return (
        any(
            one.startswith(first) and other.startswith(second) for first, second in word_pairs(_FILE, "words")
        )
        or any(
            one.startswith(first)
            and other.startswith(second)
            and one[len(first) :] == other[len(second) :] != ""
            for first, second in word_pairs(_FILE, "prefixes")
        )
        or any(
            one.endswith(first)
            and other.endswith(second)
            and one.removesuffix(first) == other.removesuffix(second) != ""
            for first, second in word_pairs(_FILE, "suffixes")
        )
    )
