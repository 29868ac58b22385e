"""The shape of a sentence: one letter for each phrase, so that arguments are found by patterns.

    N noun phrase (or pronoun)   H noun that is a cue, with its preposition   G gerund   E participle
    K cue (verb or connective)   V other verb   B form of "be"   A auxiliary, modal, adverb, carrier
    o "of"   p other preposition   t "to" before a verb   c "and", "or"   r relative pronoun
    h "such as"   s subordinating conjunction   , comma   J predicative adjective   ; anything else

What stands in brackets is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue, Lexicon

NOUNS = (Tag.NOUN, Tag.PROPER)
MODIFIERS = (Tag.ADJECTIVE, Tag.NUMBER)
OPENERS = (Tag.DETERMINER, Tag.PRONOUN)
NOUN_FRAMES = ("noun", "reverse_noun", "influence")
VERB_FRAMES = ("verb", "reverse")
BEFORE_VERB = (Tag.NOUN, Tag.PROPER, Tag.PRONOUN, Tag.MODAL, Tag.ADVERB, Tag.DETERMINER)
CLOSERS = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Unit:
    """Tokens ``first`` to ``last``; ``start`` also counts the determiner. ``passive`` is for cues."""

    symbol: str
    start: int
    first: int
    last: int
    head: int
    cue: Cue | None = None
    passive: bool = False


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
    return Shape(tuple(units), "".join(unit.symbol for unit in units))


class _Reader:
    """Reads one unit at a time from the tokens of one sentence."""

    def __init__(self, sentence: Sentence, words: Lexicon) -> None:
        self.tokens = sentence.tokens
        self.words = words
        self.lower = tuple(token.text.lower() for token in sentence.tokens)
        self.last_closer = {word: at for at, word in enumerate(self.lower) if word in CLOSERS.values()}
        self.glued = {
            after.first for before, after in pairwise(sentence.phrases) if before.last + 1 == after.first
        }

    def read(self, at: int) -> tuple[Unit | None, int]:
        """The unit that begins at a token, and where the next one does."""
        closer = CLOSERS.get(self.lower[at])
        if closer is not None and self.last_closer.get(closer, -1) > at:
            return None, self.lower.index(closer, at) + 1
        if self.lower[at] in "\"'“”‘’" or not self.lower[at].strip():
            return None, at + 1
        cue = self._cue(at)
        if cue is not None and cue.frame not in NOUN_FRAMES:
            return self._cue_unit(at, cue)
        for group, symbol in (("exemplifiers", "h"), ("coordinators", "c"), ("carriers", "A")):
            if length := self._phrase(at, group):
                return Unit(symbol, at, at, at + length - 1, at), at + length
        return self._noun_phrase(at) or self._word(at)

    def breaks(self, at: int) -> bool:
        """Whether a heading or list item without a full stop ends before a token: by its capital."""
        if at == 0 or not self.tokens[at].text[0].isupper() or not self.lower[at - 1][-1].isalnum():
            return False
        if at in self.glued:
            return True
        cue = self._cue(at)
        verb = self.tokens[at].tag not in NOUNS or (cue is not None and cue.frame not in NOUN_FRAMES)
        return verb and self.tokens[at].text[1:].islower()

    def _phrase(self, at: int, group: str) -> int:
        """How many tokens from here are a phrase of a word list, by lemma or by form."""
        if not any(self.words.opens(group, word) for word in (self.lower[at], self.tokens[at].lemma)):
            return 0
        for length in (3, 2, 1):
            span = range(at, min(at + length, len(self.tokens)))
            if any(
                self.words.has(group, *words)
                for words in (
                    tuple(self.lower[i] for i in span),
                    tuple(self.tokens[i].lemma if i == at else self.lower[i] for i in span),
                )
            ):
                return len(span)
        return 0

    def _cue(self, at: int) -> Cue | None:
        """The longest cue that begins at a token and agrees with its word class."""
        for key in dict.fromkeys((self.tokens[at].lemma, self.lower[at])):
            for cue in self.words.cues.get(key, ()):
                if self._end(at, cue) and self._class_fits(at, cue):
                    return cue
        return None

    def _end(self, at: int, cue: Cue) -> int:
        """Where a cue that begins at a token ends, or 0; adverbs may stand behind a verb ("spread often to")."""
        place = at + 1
        for word in cue.words[1:]:
            while cue.frame in VERB_FRAMES and place < min(at + 3, len(self.tokens) - 1):
                if self.tokens[place].tag is not Tag.ADVERB or self.lower[place] == word:
                    break
                place += 1
            if place >= len(self.tokens) or word not in (self.lower[place], self.tokens[place].lemma):
                return 0
            place += 1
        return place

    def _class_fits(self, at: int, cue: Cue) -> bool:
        token = self.tokens[at]
        if cue.frame in NOUN_FRAMES:
            return token.tag in NOUNS
        if cue.frame in ("behind", "before", "for"):
            return True
        if len(cue.words) > 1:
            return token.tag is not Tag.NOUN or (at > 0 and self.tokens[at - 1].tag in BEFORE_VERB)
        if token.tag is Tag.VERB:
            return not self._attributive(at)
        return token.tag is Tag.NOUN and self._stands_for_verb(at)

    def _attributive(self, at: int) -> bool:
        """A participle inside a noun phrase: "the removed tissue"."""
        if at == 0 or self.tokens[at].fine not in ("VVN", "VVG", "VVD"):
            return False
        before = self.tokens[at - 1].tag
        following = self.tokens[at + 1].tag if at + 1 < len(self.tokens) else Tag.OTHER
        opened = before in OPENERS or (before is Tag.PREPOSITION and self.tokens[at].fine == "VVN")
        return (opened and not self.words.has("relatives", self.lower[at - 1])) and following in (
            *NOUNS,
            *MODIFIERS,
        )

    def _stands_for_verb(self, at: int) -> bool:
        """A noun tag on a verb's form: behind a noun or relative, before what opens a noun phrase."""
        if at == 0 or at + 1 >= len(self.tokens):
            return False
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        opens = after.tag in (Tag.DETERMINER, Tag.ADJECTIVE, Tag.NOUN, Tag.PROPER)
        if (before.tag is Tag.NOUN or before.text == ",") and self.words.has("rarely_nouns", self.lower[at]):
            return opens
        return opens and (before.fine in ("NN2", "VM0", "TO0", "CJT", "DTQ", "PNQ"))

    def _cue_unit(self, at: int, cue: Cue) -> tuple[Unit, int]:
        last = self._end(at, cue) - 1
        if cue.frame in ("behind", "for") and len(cue.words) == 1:
            return Unit("p", at, at, last, last, cue), last + 1
        if cue.frame == "verb" and self.tokens[at].fine in ("VVN", "VVD", "AJ0"):
            agent = last + 1
            while agent < len(self.tokens) and self._before_agent(agent):
                agent += 1
            if agent < len(self.tokens) and self.lower[agent] in cue.agents:
                return Unit("K", at, at, agent, agent, cue, passive=True), agent + 1
        return Unit("K", at, at, last, last, cue), last + 1

    def _before_agent(self, at: int) -> bool:
        """Words that may stand between a participle and its "by"."""
        return self.tokens[at].tag is Tag.ADVERB or self.words.has("degrees", self.lower[at])

    def _noun_phrase(self, at: int) -> tuple[Unit, int] | None:
        first = at
        while first < len(self.tokens) and self._opens(first):
            first += 1
        position, last = first, -1
        while position < len(self.tokens) and (step := self._modifier(position, first, first > at)):
            if position in self.glued and last >= first:
                break
            cue = self._cue(position)
            if cue is not None and cue.frame in NOUN_FRAMES:
                end = self._end(position, cue) - 1
                head = end - 1 if len(cue.words) > 1 else end
                return Unit("H", at, first, end, head, cue), end + 1
            if cue is not None and (self.tokens[position].tag not in MODIFIERS):
                break
            if self.tokens[position].tag not in MODIFIERS or step == 1:
                last = position
            position += step
        return self._closed(at, first, last)

    def _closed(self, at: int, first: int, last: int) -> tuple[Unit, int] | None:
        """The phrase up to its last noun, a bare number, or a pronoun."""
        while last >= first and not self._may_head(last):
            last -= 1
        if last >= first:
            return Unit("N", at, first, last, last), last + 1
        if first < len(self.tokens) and self.tokens[first].tag is Tag.NUMBER:
            return Unit("N", at, first, first, first), first + 1
        if first == at:
            return None
        if first < len(self.tokens) and self.tokens[first].fine == "VVG":
            return Unit("N", at, first, first, first), first + 1
        floating = self.words.has("floating", self.lower[first - 1]) and (
            first < len(self.tokens)
            and (self.tokens[first].tag in (Tag.VERB, Tag.MODAL, Tag.ADVERB) or self._cue(first) is not None)
        )
        return Unit("A" if floating else "N", at, at, first - 1, first - 1), first

    def _may_head(self, at: int) -> bool:
        token = self.tokens[at]
        return token.tag in (*NOUNS, Tag.VERB) or (token.tag is Tag.OTHER and token.text[0].isalnum())

    def _opens(self, at: int) -> bool:
        token = self.tokens[at]
        if self.words.has("relatives", self.lower[at]) and (
            token.fine in ("CJT", "DTQ", "PNQ") or (at and self.tokens[at - 1].tag in NOUNS)
        ):
            return False
        return token.tag in OPENERS

    def _modifier(self, at: int, first: int, opened: bool) -> int:
        """How many tokens from here belong to a noun phrase that began at ``first``; 0 for none."""
        token = self.tokens[at]
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if token.tag in NOUNS or (token.fine in ("ZZ0", "UNC") and token.text[0].isalnum()):
            return 1
        if token.tag in MODIFIERS or self._participle(at, first):
            return 2 if self._coordinates(at + 1) else 1
        if self._mistagged(at, first):
            return 1
        if token.tag is Tag.ADVERB and opened and following is not None:
            return int(following.tag in MODIFIERS or following.fine in ("VVN", "VVG"))
        return int(token.text in "-–" and at > first)

    def _mistagged(self, at: int, first: int) -> bool:
        """A verb's base form where only a noun can stand.

        So it is behind a determiner, and before the end of a phrase also behind a singular noun, a
        preposition or a finite verb ("an oil spill", "from cough", "causes cough").
        """
        token = self.tokens[at]
        if token.fine not in ("VVI", "VVB") or at == 0:
            return False
        before, after = self.tokens[at - 1], self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if before.fine in ("AT0", "DPS"):
            return True
        if after is not None and after.tag in (*NOUNS, *MODIFIERS, *OPENERS):
            return False
        return before.fine in ("PRP", "PRF", "VVZ", "VVD") or (at > first and before.fine == "NN1")

    def _coordinates(self, at: int) -> bool:
        """A conjunction or comma between two adjectives of one phrase."""
        if at + 1 >= len(self.tokens) or not (self.lower[at] == "," or self._phrase(at, "coordinators") == 1):
            return False
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].tag in (*MODIFIERS, Tag.ADVERB):
            end += 1
        if end == at + 1 and (self.lower[at] == "," or at < 2 or self.tokens[at - 2].tag is Tag.VERB):
            return False
        return end < len(self.tokens) and (self.tokens[end].tag in NOUNS or self._coordinates(end))

    def _participle(self, at: int, first: int) -> bool:
        """A participle that modifies the noun behind it."""
        token = self.tokens[at]
        if token.fine not in ("VVN", "VVG") or at + 1 >= len(self.tokens):
            return False
        if at > first and self.tokens[at - 1].tag in NOUNS:
            return False
        opened = at > 0 and self.tokens[at - 1].tag in (*OPENERS, Tag.ADJECTIVE, Tag.ADVERB)
        return (token.fine == "VVN" or opened) and self.tokens[at + 1].tag in (*NOUNS, *MODIFIERS)

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
        by_tag = {
            Tag.MODAL: "A",
            Tag.ADVERB: "A",
            Tag.NEGATION: "A",
            Tag.ADJECTIVE: "J",
            Tag.CONJUNCTION: "s",
        }
        return by_tag.get(token.tag, ";")

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
