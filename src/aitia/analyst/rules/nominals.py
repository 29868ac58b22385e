"""Reads noun phrases: determiners, modifiers and a head, mending what the tagger gets wrong."""

from __future__ import annotations

from itertools import pairwise

from aitia.analyst.rules.cues import NOUN_FRAMES, CueReader
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.units import MODIFIERS, NOUNS, OPENERS, Unit


class NominalReader:
    """Reads noun phrases from the tokens of one sentence."""

    def __init__(self, sentence: Sentence, cues: CueReader) -> None:
        self.tokens = sentence.tokens
        self.lower = cues.lower
        self.words = cues.words
        self.cues = cues
        self.glued = {
            after.first for before, after in pairwise(sentence.phrases) if before.last + 1 == after.first
        }

    def read(self, at: int) -> tuple[Unit, int] | None:
        """The noun phrase that begins at a token, and where the next unit does.

        A noun that is a cue ends the phrase with its preposition (``H``).
        """
        first = at
        while first < len(self.tokens) and self._opens(first):
            first += 1
        position, last = first, -1
        while position < len(self.tokens) and (step := self._modifier(position, first, first > at)):
            if position in self.glued and last >= first:
                break
            cue = self.cues.cue(position)
            if cue is not None and cue.frame in NOUN_FRAMES:
                end = self.cues.end(position, cue) - 1
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
            and (
                self.tokens[first].tag in (Tag.VERB, Tag.MODAL, Tag.ADVERB)
                or self.cues.cue(first) is not None
            )
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
        if after is not None and after.tag in (*NOUNS, *MODIFIERS, *OPENERS, Tag.ADVERB):
            return False
        return before.fine in ("PRP", "PRF", "VVZ", "VVD") or (at > first and before.fine == "NN1")

    def _coordinates(self, at: int) -> bool:
        """A conjunction or comma between two adjectives of one phrase."""
        if at + 1 >= len(self.tokens) or not (
            self.lower[at] == "," or self.cues.phrase(at, "coordinators") == 1
        ):
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
