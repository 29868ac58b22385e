"""The phrases of an argument: members of a series, and which noun of each is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Lexicon
from aitia.analyst.rules.patterns import HEADS, INNER, ITEMS
from aitia.analyst.rules.shape import shape_of


class Choice(Enum):
    """Which noun of a phrase with complements is meant, and how much of a series.

    ``ROOT`` the first noun; ``SINGULAR`` so too, and of a series the first member only; ``OBJECT`` and
    ``AGENT`` the first noun behind a cue; ``NEAR`` the last that is no complement of "of"; ``EFFECT`` and
    ``LAST_EFFECT`` the first or last that names an effect, else the nearest; ``LAST`` the nearest;
    ``NEAR_SINGULAR`` and ``NEAR_PLURAL`` the last of that number; ``MEANS`` the first, as what is used.
    """

    OBJECT = 0
    ROOT = 1
    SINGULAR = 2
    NEAR = 3
    EFFECT = 4
    LAST_EFFECT = 5
    LAST = 6
    AGENT = 7
    NEAR_SINGULAR = 8
    NEAR_PLURAL = 9
    MEANS = 10


WHOLE_SERIES = (Choice.EFFECT, Choice.LAST_EFFECT, Choice.AGENT)
"""Where "spasms of arms and legs" may be two: "spasms of arms and cramps caused by"."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Tokens ``first`` to ``last`` and the head noun among them."""

    first: int
    last: int
    head: int


class Phrases:
    """The shape of one sentence, and the phrases in a range of its units."""

    def __init__(self, sentence: Sentence, words: Lexicon) -> None:
        shape = shape_of(sentence, words)
        self.tokens = sentence.tokens
        self.units = shape.units
        self.symbols = shape.symbols
        self.words = words

    def lemma(self, at: int) -> str:
        """The lemma of a unit's first word."""
        return self.tokens[self.units[at].first].lemma

    def series(self, first: int, end: int, choice: Choice = Choice.ROOT) -> list[Argument]:
        """The members of a series of phrases; only the first where a singular verb says so."""
        text = self.symbols[first:end]
        members = [(first + found.start(1), first + found.end(1)) for found in HEADS.finditer(text)]
        if choice not in WHOLE_SERIES and INNER.fullmatch(text):
            members = members[:1]
        if len(members) > 1 and self.is_pronoun(members[-1][0]):
            members = members[-1:]
        if choice is Choice.SINGULAR and "h" not in text:
            members = members[:1]
        return [self.argument(*member, choice) for member in members]

    def items(self, first: int, end: int) -> list[Argument]:
        """Phrases side by side, with or without commas."""
        return [self.argument(*item.span()) for item in ITEMS.finditer(self.symbols, first, end)]

    def argument(self, first: int, end: int, choice: Choice = Choice.ROOT) -> Argument:
        """A phrase with its complements; nouns like "risk of" give way to what they stand for."""
        position = first
        while position + 1 < end and self._transparent(position):
            position += 1 + (self.symbols[position + 1] == "o")
        heads = [
            at
            for at in range(position, end)
            if self.symbols[at] in "NH" or (self.symbols[at] == "G" and self.symbols[at + 1 : end][:1] != "N")
        ]
        effects = [at for at in heads if self.words.is_effect(self.tokens[self.units[at].head].lemma)]
        head = heads[0]
        if effects and choice in (Choice.EFFECT, Choice.LAST_EFFECT):
            head = effects[0] if choice is Choice.EFFECT else effects[-1]
        elif choice in (Choice.NEAR_SINGULAR, Choice.NEAR_PLURAL):
            head = self._agreeing(heads, choice is Choice.NEAR_PLURAL)
        elif choice in (Choice.NEAR, Choice.EFFECT, Choice.LAST):
            head = self._nearest(heads)
        begin = position if head == heads[0] else head
        return Argument(self.units[begin].first, self.units[end - 1].last, self.units[head].head)

    def _nearest(self, heads: Sequence[int]) -> int:
        """The last noun that is no complement of "of"."""
        return next((at for at in reversed(heads) if self.symbols[at - 1] != "o" or at == heads[0]), heads[0])

    def _agreeing(self, heads: Sequence[int], plural: bool) -> int:
        """The last noun of a number, else the nearest."""
        of_number = [at for at in heads if (self.tokens[self.units[at].head].fine == "NN2") == plural]
        return of_number[-1] if of_number else self._nearest(heads)

    def is_pronoun(self, position: int) -> bool:
        """Whether a unit is a pronoun."""
        return self.tokens[self.units[position].head].tag is Tag.PRONOUN

    def _transparent(self, position: int) -> bool:
        if self.symbols[position : position + 2] not in ("No", "HN", "HG", "HH"):
            return False
        token = self.tokens[self.units[position].head]
        return self.words.has("transparent", token.lemma) or self.words.has("transparent", token.text.lower())
