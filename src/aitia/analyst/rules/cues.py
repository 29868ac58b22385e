"""Finds the cues and function phrases that begin at a token."""

from __future__ import annotations

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import Cue, Lexicon
from aitia.analyst.rules.units import MODIFIERS, NOUNS, OPENERS, Unit

NOUN_FRAMES = ("noun", "reverse_noun", "influence")
VERB_FRAMES = ("verb", "reverse")

BEFORE_VERB = (*NOUNS, Tag.PRONOUN, Tag.MODAL, Tag.ADVERB, Tag.DETERMINER)


class CueReader:
    """Reads cues from the tokens of one sentence."""

    def __init__(self, sentence: Sentence, words: Lexicon) -> None:
        self.tokens = sentence.tokens
        self.words = words
        self.lower = tuple(token.text.lower() for token in sentence.tokens)

    def phrase(self, at: int, group: str) -> int:
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

    def cue(self, at: int) -> Cue | None:
        """The longest cue that begins at a token and agrees with its word class."""
        for key in dict.fromkeys((self.tokens[at].lemma, self.lower[at])):
            for cue in self.words.cues.get(key, ()):
                if self.end(at, cue) and self._class_fits(at, cue):
                    return cue
        return None

    def end(self, at: int, cue: Cue) -> int:
        """Where a cue that begins at a token ends, or 0; adverbs may stand behind a verb ("spread often to").

        A capital within begins a heading or its text and ends the cue ("blood tests For a biopsy").
        """
        place = at + 1
        for word in cue.words[1:]:
            while cue.frame in VERB_FRAMES and place < min(at + 3, len(self.tokens) - 1):
                if self.tokens[place].tag is not Tag.ADVERB or self.lower[place] == word:
                    break
                place += 1
            if place >= len(self.tokens) or word not in (self.lower[place], self.tokens[place].lemma):
                return 0
            if self.tokens[place].text.istitle() and self.tokens[place - 1].text.islower():
                return 0
            place += 1
        return place

    def unit(self, at: int, cue: Cue) -> tuple[Unit, int]:
        """The unit of a cue that is no noun, with its agent's preposition, and where the next begins."""
        last = self.end(at, cue) - 1
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
        if self.tokens[at].fine not in ("VVN", "VVG", "VVD"):
            return False
        following = self.tokens[at + 1].tag if at + 1 < len(self.tokens) else Tag.OTHER
        if at == 0:
            return self.tokens[at].fine == "VVN" and following in NOUNS
        before = self.tokens[at - 1].tag
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
