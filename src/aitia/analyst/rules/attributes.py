"""Attributes of entities: "the stage of melanoma", "melanoma stage", "the melanoma's stage".

A survey counts which nouns say something about which dimension's entities, and which dimensions' entities
belong to each other ("surgery for lung cancer").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from aitia.analyst.rules.language import NounPhrase, Sentence, Tag
from aitia.analyst.rules.phrases import EntitySpan, entity_spans, entity_table
from aitia.analyst.rules.terms import NOMINAL, Key, Terminology, TermSentence
from aitia.analyst.rules.wordlists import word_lists
from aitia.spec.model import Dimension

Pair = tuple[str, str]

LINKS = frozenset({"of", "for", "in", "from", "to", "on", "with", "by", "after", "during"})
FILLERS = frozenset(
    {"the", "a", "an", "your", "this", "that", "these", "any", "some", "his", "her", "their", "its"}
)


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """Tokens ``first`` to ``last`` say something about the entity of a span."""

    first: int
    last: int
    about: EntitySpan


@dataclass
class Survey:
    """Counts over a corpus.

    ``stated`` by attribute and dimension counts the entities it is said of; ``near`` counts dimensions in
    whose company an attribute stands; ``total`` counts the attribute alone; ``pairs`` by owner and owned
    dimension counts pairs of entities.
    """

    stated: dict[Key, dict[str, Counter[str]]] = field(default_factory=dict)
    near: dict[Key, Counter[str]] = field(default_factory=dict)
    total: Counter[Key] = field(default_factory=Counter)
    pairs: dict[Pair, Counter[Pair]] = field(default_factory=dict)
    mentions: Counter[str] = field(default_factory=Counter)


def survey(terms: Terminology, dimensions: Sequence[Dimension]) -> Survey:
    """What the corpus says of its entities."""
    table = entity_table(dimensions)
    stated: dict[Key, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    near: dict[Key, Counter[str]] = defaultdict(Counter)
    pairs: dict[Pair, Counter[Pair]] = defaultdict(Counter)
    total: Counter[Key] = Counter()
    mentions: Counter[str] = Counter()
    for read in terms.sentences:
        spans = list(entity_spans(table, read.sentence, read.words))
        mentions.update(span.dimension for span in spans)
        for use in attribute_uses(read.sentence, read.words, spans):
            for key in attribute_keys(read.sentence, read.words, use.first, use.last):
                stated[key][use.about.dimension][use.about.entity] += 1
        for owner, owned in owned_entities(read.sentence, read.words, spans):
            pairs[owner.dimension, owned.dimension][owner.entity, owned.entity] += 1
        for key in _free_attributes(read, spans):
            total[key] += 1
            near[key].update({span.dimension for span in spans})
    return Survey(dict(stated), dict(near), total, dict(pairs), mentions)


def _free_attributes(read: TermSentence, spans: Sequence[EntitySpan]) -> Iterator[Key]:
    taken = {position for span in spans for position in range(span.first, span.last + 1)}
    starts = {term.first: term for term in read.terms}
    for term in read.terms:
        if term.last in taken:
            continue
        yield from attribute_keys(read.sentence, read.words, term.first, term.last)
        following = starts.get(term.last + 2)
        if following is not None and read.words[term.last + 1] == "of" and len(following.key) == 1:
            yield (read.words[term.last], "of", *following.key)


def attribute_uses(
    sentence: Sentence, words: Sequence[str], spans: Sequence[EntitySpan]
) -> Iterator[AttributeUse]:
    """The attributes that a sentence gives to its entities, with their modifiers."""
    for span in spans:
        inside = _phrase_of(sentence, span)
        if inside is None:
            continue
        if span.last < inside.last:
            yield AttributeUse(span.last + 1, inside.last, span)
        else:
            before = _governor(sentence, words, inside)
            if before is not None:
                yield AttributeUse(before.first, before.last, span)


def _phrase_of(sentence: Sentence, span: EntitySpan) -> NounPhrase | None:
    return next((p for p in sentence.phrases if p.first <= span.first and span.last <= p.last), None)


def _governor(sentence: Sentence, words: Sequence[str], phrase: NounPhrase) -> NounPhrase | None:
    """The phrase that a preposition joins to this one: "stage of" before "the melanoma"."""
    position = phrase.first - 1
    while position >= 0 and sentence.tokens[position].tag in (Tag.DETERMINER, Tag.PRONOUN):
        position -= 1
    if position < 1 or words[position] not in LINKS:
        return None
    return next((other for other in sentence.phrases if other.last == position - 1), None)


def attribute_keys(sentence: Sentence, words: Sequence[str], first: int, last: int) -> list[Key]:
    """The noun that ends a stretch of words, and that noun with the word before it."""
    keys: list[Key] = [(words[last],)]
    if last > first:
        token = sentence.tokens[last - 1]
        if token.tag in (*NOMINAL, Tag.ADJECTIVE) and words[last - 1] not in word_lists().modifiers:
            keys.append((words[last - 1], words[last]))
    return keys


def owned_entities(
    sentence: Sentence, words: Sequence[str], spans: Sequence[EntitySpan]
) -> Iterator[tuple[EntitySpan, EntitySpan]]:
    """Pairs of owner and owned: ("lung cancer", "surgery") of "lung cancer surgery" and "surgery for lung cancer"."""
    for left, right in pairwise(spans):
        if left.dimension == right.dimension:
            continue
        between = words[left.last + 1 : right.first]
        if not between:
            inside = _phrase_of(sentence, left)
            if inside is not None and right.last <= inside.last:
                yield left, right
        elif between[0] in LINKS and FILLERS.issuperset(between[1:]):
            yield right, left
