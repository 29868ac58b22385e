"""Terms: noun phrases in the form in which they are counted and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aitia.analyst.rules.language import TOKEN, NounPhrase, Sentence, Tag, Token
from aitia.analyst.rules.wordlists import word_lists

Key = tuple[str, ...]
"""Folded words, the form in which terms compare."""

_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Term:
    """A noun phrase without empty modifiers: tokens ``first`` to ``last`` of its sentence, inclusive."""

    first: int
    last: int
    key: Key

    @property
    def head(self) -> str:
        """The folded last word."""
        return self.key[-1]


def fold(token: Token) -> str:
    """A word in lower case, without possessive; a noun in the singular."""
    word = _POSSESSIVE.sub("", token.text.lower())
    if token.tag in (Tag.NOUN, Tag.PROPER) or token.fine == "VVZ":
        lemma = _POSSESSIVE.sub("", token.lemma)
        return lemma if lemma and lemma[0] == word[:1] else word
    return word


def key_of(text: str) -> Key:
    """The key of a name that is already in the singular."""
    return tuple(_POSSESSIVE.sub("", match.group().lower()) for match in TOKEN.finditer(text))


def terms_of(sentence: Sentence) -> Iterator[Term]:
    """The terms of a sentence, in order; phrases headed by an empty noun are left out."""
    for phrase in sentence.phrases:
        term = term_of(sentence, phrase)
        if term is not None:
            yield term


def term_of(sentence: Sentence, phrase: NounPhrase) -> Term | None:
    """A phrase as a term, or nothing if it names nothing."""
    lists = word_lists()
    keys = [fold(token) for token in sentence.tokens[phrase.first : phrase.last + 1]]
    if keys[-1] in lists.empty or not keys[-1][:1].isalpha() or len(keys[-1]) < 2:
        return None
    skip = 0
    while skip < len(keys) - 1 and (keys[skip] in lists.modifiers or keys[skip].isdigit()):
        skip += 1
    return Term(phrase.first + skip, phrase.last, tuple(keys[skip:]))
