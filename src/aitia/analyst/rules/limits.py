"""What a link between two mentions may not cross, and which mentions are no argument of it."""

from __future__ import annotations

import re

from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.lexicon import lexicon
from aitia.analyst.rules.units import MODIFIERS, NOUNS, OPENERS

NOT_ABOUT_THE_WORLD = re.compile(
    r"\b(?:this|next|following|previous) (?:book|chapter|section|guide|page|table|figure|handout|booklet)s?\b"
    r"|\b(?:chapter|page|section|table|figure) \d",
    re.IGNORECASE,
)
BEFORE_ARGUMENT = (*MODIFIERS, *OPENERS, Tag.ADVERB)


def is_about_the_text(sentence: Sentence) -> bool:
    """Whether a sentence speaks of the book, chapter or page that it stands in."""
    return NOT_ABOUT_THE_WORLD.search(sentence.text) is not None


def is_set_apart(sentence: Sentence, first: int) -> bool:
    """Whether a preposition keeps the noun phrase at a token out: "beyond the dam", "other than rain"."""
    at = _before_phrase(sentence, first)
    if at > 0 and sentence.tokens[at].lemma == "of" and not _excludes(sentence, at):
        at = _before_phrase(sentence, at - 1)
    return at >= 0 and _excludes(sentence, at)


def _before_phrase(sentence: Sentence, first: int) -> int:
    """The token before the noun phrase at a token and its determiners, or -1."""
    phrase = next((p for p in sentence.phrases if p.first <= first <= p.last), None)
    at = (phrase.first if phrase else first) - 1
    while at >= 0 and sentence.tokens[at].tag in BEFORE_ARGUMENT and not _excludes(sentence, at):
        at -= 1
    return at


def crosses_heading(sentence: Sentence, first: int, last: int) -> bool:
    """Whether a capital without punctuation before it begins a clause between two tokens.

    So it is where a heading is glued to its text: "Blood tests For a biopsy, ...". A name has a capital too,
    so a noun counts only if it repeats the word before it ("Floods Floods are").
    """
    return any(_begins_clause(sentence, at) for at in range(first + 1, last + 1))


def _begins_clause(sentence: Sentence, at: int) -> bool:
    word, before = sentence.tokens[at], sentence.tokens[at - 1].text
    if not (word.text[0].isupper() and word.text[1:].islower() and before[-1].isalnum()):
        return False
    if word.tag in NOUNS:
        return before.lower() == word.text.lower()
    return word.tag not in MODIFIERS


def _excludes(sentence: Sentence, at: int) -> bool:
    words = [token.text.lower() for token in sentence.tokens[max(at - 1, 0) : at + 1]]
    return lexicon().has("outside", *words) or lexicon().has("outside", words[-1])
