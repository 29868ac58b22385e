"""Stated causes and effects within a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from aitia.analyst.rules import patterns
from aitia.analyst.rules.arguments import Arguments, arguments_of
from aitia.analyst.rules.cues import NOUN_FRAMES
from aitia.analyst.rules.heads import Argument
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue
from aitia.analyst.rules.units import Unit
from aitia.spec.model import Polarity

Span = tuple[int, int]
REVERSED = ("reverse", "reverse_noun", "influence", "behind")
"""Frames whose effect stands first."""


@dataclass(frozen=True, slots=True)
class CausalLink:
    """Cause and effect as token spans ``(first, last)``, both inclusive, and the head noun of each.

    ``polarity`` is ``none`` for a stated non-effect; ``confidence`` is in (0, 1).
    """

    cause: Span
    effect: Span
    polarity: Polarity
    confidence: float
    cue: Cue
    cue_span: Span
    cause_head: int
    effect_head: int


@lru_cache(maxsize=65536)
def causal_links(sentence: Sentence) -> tuple[CausalLink, ...]:
    """The links that the cues of a sentence state, in the order of the cues."""
    arguments = arguments_of(sentence)
    finder = _Finder(arguments)
    found = {
        (link.cause_head, link.effect_head): link
        for at, unit in reversed(list(enumerate(arguments.units)))
        if unit.cue is not None
        for link in finder.links(at, unit, unit.cue)
    }
    for link in finder.attributive_links():
        found.setdefault((link.cause_head, link.effect_head), link)
    return tuple(sorted(found.values(), key=lambda link: (link.cue_span, link.cause, link.effect)))


class _Finder:
    """Finds the arguments of one sentence's cues."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.tokens = arguments.tokens
        self.units = arguments.units
        self.symbols = arguments.symbols
        self.words = arguments.words

    def links(self, at: int, unit: Unit, cue: Cue) -> Iterator[CausalLink]:
        """The links of the cue at a unit."""
        for cause, effect in self._pairs(at, unit, cue):
            links = (self._link(at, each, cause, effect) for each in self.words.readings(cue))
            if (link := next((link for link in links if link is not None), None)) is not None:
                yield link

    def attributive_links(self) -> Iterator[CausalLink]:
        """Links inside a noun phrase: "drug-induced hepatitis", "cancer-causing chemicals"."""
        for unit in self.units:
            for at in range(unit.first, unit.head) if unit.symbol == "N" else ():
                stem, hyphen, affix = self.tokens[at].text.lower().rpartition("-")
                cue = self.words.affixes.get(affix)
                if cue is None or not (stem and hyphen):
                    continue
                ends = [((at, at), at), ((at + 1, unit.last), unit.head)]
                (cause, cause_head), (effect, effect_head) = ends if cue.frame == "suffix" else ends[::-1]
                yield CausalLink(
                    cause, effect, cue.polarity, cue.confidence, cue, (at, at), cause_head, effect_head
                )

    def _pairs(self, at: int, unit: Unit, cue: Cue) -> Iterator[tuple[Argument, Argument]]:
        if cue.frame in NOUN_FRAMES:
            left, right = self.arguments.of_noun(at, cue.frame == "influence")
        elif cue.frame == "before":
            left, right = self.arguments.clauses_around(at)
        else:
            left, right = self._around(at, unit, cue)
        if unit.passive != (cue.frame in REVERSED):
            left, right = right, left
        for cause in map(self.arguments.referent, left):
            for effect in map(self.arguments.referent, right):
                yield cause, effect

    def _around(self, at: int, unit: Unit, cue: Cue) -> tuple[list[Argument], list[Argument]]:
        if self._agentless(at, unit, cue):
            return [], []
        left, right = self.arguments.before(at, unit), self.arguments.after(at)
        if right and not left and cue.frame == "behind":
            return self.arguments.ahead(at), right
        if not right and not unit.passive:
            return self.arguments.object_relative(at)
        return left, right

    def _link(self, at: int, cue: Cue, cause: Argument, effect: Argument) -> CausalLink | None:
        if cause.head == effect.head or not self._passes_gate(cue, cause, effect):
            return None
        negated, hedged = self._mood(at)
        if negated and self.words.has("observing", cue.words[0]):
            return None
        confidence = cue.confidence * (0.8 if hedged else 1.0)
        return CausalLink(
            (cause.first, cause.last),
            (effect.first, effect.last),
            "none" if negated else cue.polarity,
            round(confidence, 3),
            cue,
            (self.units[at].first, self.units[at].last),
            cause.head,
            effect.head,
        )

    def _passes_gate(self, cue: Cue, cause: Argument, effect: Argument) -> bool:
        if not cue.gated:
            return True
        source, result = self.tokens[cause.head].lemma, self.tokens[effect.head].lemma
        if cue.frame == "for":
            return self.words.is_remedy(source)
        return self.words.is_effect(result) and not self.words.has("times", source)

    def _agentless(self, at: int, unit: Unit, cue: Cue) -> bool:
        """A passive that does not say by what: "the tumor was found"."""
        if unit.passive or cue.frame != "verb" or (len(cue.words) > 1 and not cue.active):
            return False
        group = self.symbols[:at][-4:]
        passive = "B" in group[len(group.rstrip("ABt")) :]
        return passive and self.tokens[unit.first].fine in ("VVN", "VVD", "AJ0")

    def _mood(self, at: int) -> tuple[bool, bool]:
        """Whether the words of the cue's verb group and of its object's determiner negate it, or hedge it."""
        first = at
        group_symbols = "ABtV" if self.units[at].symbol == "H" else "ABt"
        while first > 0 and self.symbols[first - 1] in group_symbols:
            first -= 1
        start, end = self.units[first].start, self.units[at].last + 2
        tokens = self.tokens[start:end]
        group = [word for token in tokens for word in (token.lemma, token.text.lower())]
        negated = any(token.tag is Tag.NEGATION for token in tokens) or any(
            self.words.has("negations", word) for word in group
        )
        negated = (
            negated or self.words.has("denying", self._opening_word(first)) or self._shares_denial(first)
        )
        return negated and "only" not in group, any(self.words.has("hedges", word) for word in group)

    def _shares_denial(self, first: int) -> bool:
        """Whether "or" joins a verb group to a denied one: "it does not raise or lower the yield"."""
        if (
            first < 2
            or self.symbols[first - 1] != "c"
            or not self.words.has("alternatives", self._lower(first - 1))
        ):
            return False
        verb = patterns.SHARED.search(self.symbols, 0, first)
        return verb is not None and self._mood(verb.start())[0]

    def _lower(self, at: int) -> str:
        return self.tokens[self.units[at].first].text.lower()

    def _opening_word(self, at: int) -> str:
        """The first word of the clause whose verb is at a unit: "neither rain nor wind causes"."""
        start = max(self.symbols.rfind(symbol, 0, at) for symbol in ";VKB,") + 1
        opening = self.units[start]
        return self.tokens[opening.start].text.lower() if start < at else ""
