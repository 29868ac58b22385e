"""One form for the forms of an English word, by its ending alone: enough for words to meet, not always a word."""

from __future__ import annotations

from functools import lru_cache

_ENDINGS = (("ing", ""), ("ies", "y"), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST = 3


@lru_cache(maxsize=262_144)
def stem(word: str) -> str:
    """A word in lower case without its ending: "plans", "planned" and "planning" give "plan"."""
    for ending, other in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending) + other
            break
    if len(word) > _SHORTEST and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > _SHORTEST + 1 and word[-1] == word[-2] else word
