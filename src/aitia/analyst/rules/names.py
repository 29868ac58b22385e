"""Names of persons and places, told by the words around them: titles, speech, "the city of"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from aitia.analyst.rules.language import Tag
from aitia.analyst.rules.terms import Key, Term, Terminology, TermSentence
from aitia.analyst.rules.wordlists import word_lists


def named_persons(terms: Terminology) -> Counter[Key]:
    """Proper names with a title, as a speaker's label, or as the subject of saying."""
    return Counter(
        term.key
        for read in terms.sentences
        for term in _proper(read)
        if _is_titled(read, term) or _speaks(read, term)
    )


def named_places(terms: Terminology) -> Counter[Key]:
    """Proper names that "the city of" introduces."""
    places = word_lists().places
    return Counter(
        term.key
        for read in terms.sentences
        for term in _proper(read)
        if term.first > 1 and read.words[term.first - 1] == "of" and read.words[term.first - 2] in places
    )


def _proper(read: TermSentence) -> Iterator[Term]:
    for term in read.terms:
        tokens = read.sentence.tokens[term.first : term.last + 1]
        if all(token.tag is Tag.PROPER and token.text[0].isupper() for token in tokens):
            yield term


def _is_titled(read: TermSentence, term: Term) -> bool:
    titles = word_lists().honorifics
    if term.key[0] in titles:
        return len(term.key) > 1
    before = [word for word in read.words[max(term.first - 2, 0) : term.first] if word != "."]
    return bool(before) and before[-1] in titles


def _speaks(read: TermSentence, term: Term) -> bool:
    tokens = read.sentence.tokens
    if term.first == 0 and read.words[term.last + 1 : term.last + 2] == (":",):
        return True
    beside = [position for position in (term.first - 1, term.last + 1) if 0 <= position < len(tokens)]
    return any(
        tokens[position].tag is Tag.VERB and tokens[position].lemma in word_lists().speech
        for position in beside
    )
