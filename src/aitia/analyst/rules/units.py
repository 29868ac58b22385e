"""The units that a sentence's shape is made of."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.analyst.rules.language import Tag
from aitia.analyst.rules.lexicon import Cue

NOUNS = (Tag.NOUN, Tag.PROPER)
MODIFIERS = (Tag.ADJECTIVE, Tag.NUMBER)
OPENERS = (Tag.DETERMINER, Tag.PRONOUN)


@dataclass(frozen=True, slots=True)
class Unit:
    """Tokens ``first`` to ``last`` under one letter; ``start`` also counts a determiner.

    ``head`` is the noun that a phrase is about. ``cue`` is the cue that a unit is or ends in, and
    ``passive`` says that it is a participle with its agent's preposition ("caused by").
    """

    symbol: str
    start: int
    first: int
    last: int
    head: int
    cue: Cue | None = None
    passive: bool = False
