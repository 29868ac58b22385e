"""Classes of terms: what the corpus says its things are, spread to what is like them.

Class words are the nouns that the corpus uses as classes (`hypernyms`) or as heads of many compounds. A
term's statements are its seeds; label spreading over `similarity` (Zhou et al. 2004) gives classes to terms
about which no statement says anything. Class words that hold the same terms are one class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.names import named_persons, named_places
from aitia.analyst.rules.similarity import neighbours
from aitia.analyst.rules.terms import Key, Terminology, head_of
from aitia.analyst.rules.wordlists import word_lists

_MIN_COUNT = 2
_MIN_MEMBERS = 4
_MIN_MEMBERS_OF_SMALL = 2
SMALL = 2000
"""A corpus with fewer distinct terms is small: less evidence is asked for."""

_TWICE = 2.0
_OFTEN = 20
_FAINT = 0.2
_ROUNDS = 4
_SPREAD = 0.7
_FLOOR = 0.3
_DOUBT = 2.0

Matrix = NDArray[np.float64]
Votes = dict[Key, float]


@dataclass(frozen=True)
class TermClasses:
    """Membership of terms in class words.

    ``member`` has shape (keys, words) with rows summing to less than 1; ``stated`` holds the weights of the
    statements and compounds behind it; ``counts`` are the terms' mentions.
    """

    keys: tuple[Key, ...]
    words: tuple[Key, ...]
    member: Matrix
    stated: Matrix
    counts: Matrix

    @cached_property
    def parents(self) -> Matrix:
        """Membership of the class words themselves, shape (words, words), zero diagonal."""
        row = {key: position for position, key in enumerate(self.keys)}
        found = np.zeros((len(self.words), len(self.words)))
        for position, word in enumerate(self.words):
            if word in row:
                found[position] = self.member[row[word]]
        np.fill_diagonal(found, 0)
        return found

    @cached_property
    def said(self) -> Matrix:
        """The weight of statements that make one class word a kind of another, shape (words, words)."""
        row = {key: position for position, key in enumerate(self.keys)}
        found = np.zeros((len(self.words), len(self.words)))
        for position, word in enumerate(self.words):
            if word in row:
                found[position] = self.stated[row[word]]
        return found

    @cached_property
    def overlap(self) -> Matrix:
        """How much two class words hold the same terms: cosine, shape (words, words)."""
        columns = self.member * np.sqrt(np.log1p(self.counts))[:, None]
        columns = columns / (np.sqrt((columns**2).sum(axis=0)) + 1e-9)
        return np.asarray(columns.T @ columns)


def classify(terms: Terminology) -> TermClasses:
    """Class words and the membership of terms: those mentioned twice, in a small corpus all that a class has.

    There one weak statement about a term that is mentioned often counts little.
    """
    small = len(terms.counts) < SMALL
    least = _MIN_MEMBERS_OF_SMALL if small else _MIN_MEMBERS
    votes = _votes(terms, least, 1 if small else _MIN_COUNT)
    keys = tuple(sorted(key for key, found in votes.items() if found or terms.counts[key] >= _MIN_COUNT))
    degree = Counter(word for found in votes.values() for word in found)
    words = tuple(sorted(word for word, count in degree.items() if count >= least))
    index = {word: position for position, word in enumerate(words)}
    stated = np.zeros((len(keys), len(words)))
    for row, key in enumerate(keys):
        for word, weight in votes[key].items():
            if word in index:
                once = small and weight < _TWICE and terms.counts[key] >= _OFTEN and word[-1] != head_of(key)
                stated[row, index[word]] = weight * _FAINT if once else weight
    seeds = stated / (stated.sum(axis=1, keepdims=True) + _DOUBT)
    links = neighbours(terms, keys)
    member = seeds
    open_share = 1 - seeds.sum(axis=1, keepdims=True)
    for _ in range(_ROUNDS):
        member = seeds + _SPREAD * (links @ member) * open_share
    member = member / (member.sum(axis=1, keepdims=True) + _FLOOR)
    counts = np.array([terms.counts[key] for key in keys], dtype=float)
    return TermClasses(keys, words, member, stated, counts)


def _votes(terms: Terminology, least: int, mentions: int) -> dict[Key, Votes]:
    """Class words of the terms that have so many mentions, weighted by what states them.

    The head of at least ``least`` compounds that are mentioned twice is their class.
    """
    lists = word_lists()
    votes: dict[Key, Votes] = {
        key: defaultdict(float) for key, count in terms.counts.items() if count >= mentions
    }
    for read in terms.distinct:
        for statement in class_statements(read):
            word = class_word(statement.general)
            compound = (*statement.member, statement.general[-1])
            member = compound if compound in votes else statement.member
            if member in votes and word and word[-1] != head_of(statement.member):
                votes[member][word] += statement.weight
    compounds = [key for key in votes if len(key) > 1 and terms.counts[key] >= _MIN_COUNT]
    heads = Counter(head_of(key) for key in compounds)
    for key in compounds:
        if heads[head_of(key)] >= least and (word := class_word(key[-1:])):
            votes[key][word] += 1
    for name, found in ((lists.person, named_persons(terms)), (lists.place, named_places(terms))):
        for key, weight in found.items():
            if key in votes:
                votes[key][name,] += weight
    return votes


def class_word(general: Key) -> Key:
    """The class that a general term stands for, or nothing.

    "treatment options" stand for treatments, "side effects" for themselves; doctors for persons.
    """
    lists = word_lists()
    head = head_of(general)
    if head in lists.persons:
        return (lists.person,)
    if head in lists.places:
        return (lists.place,)
    if head in lists.carriers and len(general) > 1 and general[-1] == head:
        return general[-2:-1]
    return () if head in lists.wide or head in lists.empty else (head,)
