"""The shape of a sentence: one letter for each phrase, so that arguments are found by patterns.

    N noun phrase (or pronoun)   H noun that is a cue, with its preposition   G gerund   E participle
    K cue (verb or connective)   V other verb   B form of "be"   A auxiliary, modal, adverb, carrier
    o "of"   p other preposition   t "to" before a verb   c "and", "or"   r relative pronoun
    h "such as"   s subordinating conjunction   , comma   J predicative adjective   ; anything else

What stands in brackets is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aitia.analyst.rules.cues import NOUN_FRAMES, CueReader
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Lexicon
from aitia.analyst.rules.nominals import NominalReader
from aitia.analyst.rules.units import NOUNS, Unit

CLOSERS = {"(": ")", "[": "]"}
QUOTATION_MARKS = "\"'“”‘’"
SYMBOLS = {
    Tag.MODAL: "A",
    Tag.ADVERB: "A",
    Tag.NEGATION: "A",
    Tag.ADJECTIVE: "J",
    Tag.CONJUNCTION: "s",
}
PHRASES = (("exemplifiers", "h"), ("coordinators", "c"), ("carriers", "A"))
"""Word lists whose phrases are one unit, with its letter."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The units of a sentence and their symbols as one string, position for position."""

    units: tuple[Unit, ...]
    symbols: str


def shape_of(sentence: Sentence, words: Lexicon) -> Shape:
    """The shape of a tagged sentence."""
    reader = _Reader(sentence, words)
    units: list[Unit] = []
    position = 0
    while position < len(sentence.tokens):
        if reader.breaks(position):
            units.append(Unit(";", position, position, position, position))
        unit, position = reader.read(position)
        if unit is not None:
            units.append(unit)
    for before, unit in enumerate(units[1:]):
        if units[before].symbol == "K" and unit.symbol == "K" and not units[before].passive:
            units[before] = replace(units[before], symbol="A", cue=None)
        if unit.symbol in "NGH" and words.has("contrasts", reader.lower[units[before].first]):
            units[before] = replace(units[before], symbol="s")
    return Shape(tuple(units), "".join(unit.symbol for unit in units))


class _Reader:
    """Reads one unit at a time from the tokens of one sentence."""

    def __init__(self, sentence: Sentence, words: Lexicon) -> None:
        self.tokens = sentence.tokens
        self.words = words
        self.cues = CueReader(sentence, words)
        self.nominals = NominalReader(sentence, self.cues)
        self.lower = self.cues.lower
        self.last_closer = {word: at for at, word in enumerate(self.lower) if word in CLOSERS.values()}

    def read(self, at: int) -> tuple[Unit | None, int]:
        """The unit that begins at a token, and where the next one does."""
        closer = CLOSERS.get(self.lower[at])
        if closer is not None and self.last_closer.get(closer, -1) > at:
            return None, self.lower.index(closer, at) + 1
        if self.lower[at] in QUOTATION_MARKS or not self.lower[at].strip():
            return None, at + 1
        cue = self.cues.cue(at)
        if cue is not None and cue.frame not in NOUN_FRAMES:
            return self.cues.unit(at, cue)
        for group, symbol in PHRASES:
            if length := self.cues.phrase(at, group):
                return Unit(symbol, at, at, at + length - 1, at), at + length
        return self.nominals.read(at) or self._word(at)

    def breaks(self, at: int) -> bool:
        """Whether a heading or list item without a full stop ends before a token: by its capital."""
        if at == 0 or not self.tokens[at].text[0].isupper() or not self.lower[at - 1][-1].isalnum():
            return False
        if at in self.nominals.glued:
            return True
        cue = self.cues.cue(at)
        verb = self.tokens[at].tag not in NOUNS or (cue is not None and cue.frame not in NOUN_FRAMES)
        return verb and self.tokens[at].text[1:].islower()

    def _word(self, at: int) -> tuple[Unit, int]:
        return Unit(self._symbol(at), at, at, at, at), at + 1

    def _symbol(self, at: int) -> str:
        token, word = self.tokens[at], self.lower[at]
        if word == ",":
            return ","
        if self.words.has("relatives", word):
            return "r"
        if self.words.has("prepositions", word):
            return "p"
        if token.tag is Tag.VERB:
            return self._verb_symbol(at)
        if token.tag is Tag.PREPOSITION:
            return "o" if self.words.has("of", word) else "t" if token.fine == "TO0" else "p"
        return SYMBOLS.get(token.tag, ";")

    def _verb_symbol(self, at: int) -> str:
        token = self.tokens[at]
        if self.words.has("be", token.lemma):
            return "B"
        if self.words.has("auxiliaries", token.lemma):
            rest = (t for t in self.tokens[at + 1 :] if t.tag not in (Tag.ADVERB, Tag.NEGATION))
            following = next(rest, None)
            return "A" if following is not None and following.tag is Tag.VERB else "V"
        if token.fine == "VVG":
            return "G"
        before = at - 1
        while before > 0 and self.tokens[before].tag is Tag.ADVERB:
            before -= 1
        return "E" if token.fine == "VVN" and at and self.tokens[before].tag in NOUNS else "V"
