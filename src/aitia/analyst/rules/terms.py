"""Terms: noun phrases in the form in which they are counted, compared and shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from aitia.analyst.rules.folding import fold
from aitia.analyst.rules.forms import Forms
from aitia.analyst.rules.language import TOKEN, Sentence, Tag, Token
from aitia.analyst.rules.wordlists import word_lists

Key = tuple[str, ...]
"""Folded words, the form in which terms compare; not for show."""

NOMINAL = (Tag.NOUN, Tag.PROPER)
_NUMERAL = re.compile(r"(?:\d{1,2}|[ivx]{1,4})[a-d]?$")
_JOINERS = (("and",), ("&",))
_GERUND_SHARE = 0.25
_VERB_SHARE = 0.35
_AT_TIMES_VERB = 0.15


def key_of(name: str) -> Key:
    """The key of a name as it is written."""
    return tuple(fold(match.group()) for match in TOKEN.finditer(name))


def is_numeral(word: str) -> bool:
    """Whether a folded word numbers the one before it, as in "stage iii"."""
    return bool(_NUMERAL.match(word))


def head_of(key: Key) -> str:
    """The word that says what a term is: the last, or the one that a final numeral numbers."""
    return key[-2] if len(key) > 1 and is_numeral(key[-1]) else key[-1]


@dataclass(frozen=True, slots=True)
class Term:
    """A noun phrase without empty modifiers: tokens ``first`` to ``last`` of its sentence, inclusive."""

    first: int
    last: int
    key: Key

    @property
    def head(self) -> str:
        """The word that says what the term is."""
        return head_of(self.key)


@dataclass(frozen=True, slots=True)
class TermSentence:
    """A sentence, its folded words and its terms in order."""

    sentence: Sentence
    words: tuple[str, ...]
    terms: tuple[Term, ...]

    def between(self, left: Term, right: Term) -> tuple[str, ...]:
        """The folded words between two terms."""
        return self.words[left.last + 1 : right.first]


@dataclass(frozen=True)
class Terminology:
    """All terms of a corpus: its sentences, counts by key, and how each key is written.

    ``adjectives`` are the words that mostly are adjectives, ``verbs`` those that at times are verbs.
    """

    sentences: tuple[TermSentence, ...]
    counts: Counter[Key]
    names: Mapping[Key, str]
    adjectives: frozenset[str]
    verbs: frozenset[str]

    @cached_property
    def distinct(self) -> tuple[TermSentence, ...]:
        """The sentences without repeats, so that boilerplate does not vote many times."""
        return tuple({read.sentence.text: read for read in reversed(self.sentences)}.values())[::-1]

    def name(self, key: Key) -> str:
        """A key as the corpus writes it, its last word in the singular where that is attested."""
        words = self.names.get(key, "").split()
        if len(words) != len(key):
            words = [self.names.get((word,), word) for word in key]
        if words[-1].islower():
            words[-1] = self.names.get(key[-1:], words[-1])
        return " ".join(words)


def read_terms(sentences: Iterable[Sentence]) -> Terminology:
    """The terms of the sentences."""
    words = _Words(list(sentences))
    read = [
        TermSentence(sentence, folded, tuple(words.terms(sentence, folded))) for sentence, folded in words
    ]
    read = _join_ellipses(read)
    counts: Counter[Key] = Counter()
    forms = Forms(words.common)
    for one in read:
        for term in one.terms:
            counts[term.key] += 1
            forms.add(term.key, one.sentence.tokens, term.first, term.last)
    return Terminology(tuple(read), counts, forms.names(), words.adjectives, words.at_times_verbal)


class _Words:
    """How the words of a corpus are used: decides which may begin or end a term."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self._sentences = sentences
        self._folded = [tuple(fold(token.text) for token in sentence.tokens) for sentence in sentences]
        uses: Counter[str] = Counter()
        verbs: Counter[str] = Counter()
        nouns: Counter[str] = Counter()
        adjectives: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for sentence, folded in self:
            for position, token in enumerate(sentence.tokens):
                word = folded[position]
                uses[word] += 1
                verbs[word] += token.tag is Tag.VERB
                nouns[word] += token.tag in NOMINAL
                adjectives[word] += token.tag is Tag.ADJECTIVE
                if token.fine == "VVN" and position + 1 < len(folded):
                    pairs[word, folded[position + 1]] += 1
        self._verbal = frozenset(word for word, count in verbs.items() if count > _VERB_SHARE * uses[word])
        self.at_times_verbal = frozenset(
            word for word, count in verbs.items() if count > _AT_TIMES_VERB * uses[word]
        )
        self._nominal = frozenset(
            word
            for word, count in nouns.items()
            if count > uses[word] * (_GERUND_SHARE if word.endswith("ing") else 0.5)
        )
        self.common = frozenset(
            token.text for sentence in sentences for token in sentence.tokens if token.text.islower()
        )
        self.adjectives = frozenset(word for word, count in adjectives.items() if count * 2 > uses[word])
        self._bonds = frozenset(
            pair for pair, count in pairs.items() if count >= 4 and count >= 0.25 * uses[pair[0]]
        )

    def __iter__(self) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
        return iter(zip(self._sentences, self._folded, strict=True))

    def terms(self, sentence: Sentence, folded: tuple[str, ...]) -> Iterator[Term]:
        """The terms of one sentence, in order."""
        vague = word_lists().vague | word_lists().empty
        for phrase in sentence.phrases:
            first, last = phrase.first, phrase.last
            for split in range(first, last - 1):
                clause = sentence.tokens[split].fine == "NN2" and folded[split + 1] in self.at_times_verbal
                numbered = is_numeral(folded[split + 1]) and folded[split] not in vague
                if clause or (numbered and sentence.tokens[split].tag in NOMINAL):
                    yield from self._trimmed(sentence, folded, first, split)
                    first = split + 2
            yield from self._trimmed(sentence, folded, first, last)

    def _trimmed(self, sentence: Sentence, folded: tuple[str, ...], first: int, last: int) -> Iterator[Term]:
        for position in range(first, last):
            if (
                folded[position] in self._verbal
                and (folded[position], folded[position + 1]) not in self._bonds
            ):
                first = position + 1
        while first < last and self._is_empty_modifier(
            sentence.tokens[first], folded[first], folded[first + 1]
        ):
            first += 1
        head = folded[last]
        named = sentence.tokens[last].tag in NOMINAL and (head in self._nominal or first < last)
        if not named or len(head) < 2 or not head[0].isalpha() or "." in head or head in word_lists().empty:
            return
        if last + 1 < len(folded) and is_numeral(folded[last + 1]):
            last += 1
        yield Term(first, last, folded[first : last + 1])

    def _is_empty_modifier(self, token: Token, word: str, following: str) -> bool:
        lists = word_lists()
        if word in lists.modifiers or not word[0].isalpha():
            return True
        if token.fine == "VVN":
            return (word, following) not in self._bonds
        return token.fine in ("AJC", "AJS", "ORD", "VVG", "CRD")


def _join_ellipses(read: list[TermSentence]) -> list[TermSentence]:
    """Make one term of "head and neck cancer", where "neck cancer" hardly ever stands without "head and"."""
    counts: Counter[Key] = Counter(term.key for one in read for term in one.terms)
    joined: Counter[tuple[Key, Key]] = Counter()
    for one in read:
        for left, right in pairwise(one.terms):
            adjacent = one.between(left, right) in _JOINERS
            if (
                adjacent
                and one.sentence.tokens[left.last].fine != "NN2"
                and len(left.key) == 1
                and len(right.key) > 1
            ):
                joined[left.key, right.key] += 1
    ellipses = {pair for pair, count in joined.items() if count >= 3 and count * 2 > counts[pair[1]]}
    return [_joined(one, ellipses) for one in read] if ellipses else read


def _joined(one: TermSentence, ellipses: set[tuple[Key, Key]]) -> TermSentence:
    terms: list[Term] = []
    for term in one.terms:
        left = terms[-1] if terms else None
        if left is not None and (left.key, term.key) in ellipses and left.last + 2 == term.first:
            terms[-1] = Term(left.first, term.last, one.words[left.first : term.last + 1])
        else:
            terms.append(term)
    return TermSentence(one.sentence, one.words, tuple(terms))
