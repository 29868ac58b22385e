"""Dimensions: the axes of a domain with their entities, from what the corpus itself calls its things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p

import numpy as np

from aitia.analyst.rules.classes import SMALL, TermClasses, class_word, classify
from aitia.analyst.rules.entities import find_entities, is_thing
from aitia.analyst.rules.groups import ClassGroup, group_classes
from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.terms import Key, Terminology, head_of, read_terms
from aitia.analyst.rules.wordlists import article, word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig, Quote

_MAX_DIMENSIONS = 12
_MIN_GAIN = 4.0
_LEAST_MENTIONS = ((SMALL, 3), (200, 2), (0, 1))
"""A corpus of so many different terms must mention a thing so often: in a few pages once is enough."""
_REST = 0.5
_MAX_REST = 200
_MIN_ENTITIES = 3
_CAUSES = 4.0
_OUTCOMES = 2.5


def sentences_of(windows: Sequence[ReadingWindow]) -> Iterator[Sentence]:
    """All sentences of the windows, in order."""
    for window in windows:
        for chunk in window.chunks:
            yield from read_sentences(chunk)


def find_dimensions(windows: Sequence[ReadingWindow], outcomes: OutcomeConfig) -> list[DimensionClaim]:
    """The groups of class words that together cover the corpus's terms best, with their entities.

    ``support`` is the coverage that a dimension adds to the better ones, in log-mentions.
    """
    terms = read_terms(sentences_of(windows))
    classes = classify(terms)
    groups = group_classes(classes)
    chosen = _choose(terms, classes, groups)
    names = {group.name: _dimension_name(terms, group) for group, _ in chosen}
    entities = find_entities(terms, classes, groups, [group for group, _ in chosen])
    claims = [
        _claim(terms, group, names[group.name], entities[group.name], gain)
        for group, gain in chosen
        if len(entities[group.name]) >= _MIN_ENTITIES
    ]
    return _ranked([*claims, *_rest(terms, claims)])


def _ranked(claims: Sequence[DimensionClaim]) -> list[DimensionClaim]:
    return sorted(claims, key=lambda claim: (-claim.support, claim.name))


def _rest(terms: Terminology, claims: Sequence[DimensionClaim]) -> list[DimensionClaim]:
    """What the corpus often speaks of without giving it a class, as one dimension.

    It is wider than all worse ones and has their entities too, for the case that a tier cuts them off.
    Without it most stated causes and effects have no variable at one end: on the medical corpus it takes
    the graph from 940 edges to over 1,500.
    """
    least = next(least for size, least in _LEAST_MENTIONS if len(terms.counts) >= size)
    known = {name for claim in claims for entity in claim.entities for name in (entity.name, *entity.aliases)}
    free = [
        (key, count)
        for key, count in terms.counts.items()
        if count >= least and is_thing(terms, key) and terms.name(key) not in known
    ]
    free = sorted(free, key=lambda pair: (-pair[1], pair[0]))[:_MAX_REST]
    gain = _REST * sum(log1p(count) for _, count in free)
    worse = [claim for claim in claims if claim.support < gain]
    if gain < _MIN_GAIN:
        return []
    own = [EntityClaim(name=terms.name(key), mentions=count) for key, count in free]
    lent = [entity for claim in worse for entity in claim.entities]
    entities = {entity.name: entity for entity in sorted([*own, *lent], key=lambda e: (-e.mentions, e.name))}
    name = word_lists().subject
    examples = ", ".join(list(entities)[:6])
    return [
        DimensionClaim(
            name=name,
            description=f"What the text speaks of without a class word: {examples}.",
            entities=tuple(entities.values()),
            support=round(gain),
        )
    ]


def consolidate_dimensions(claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
    """One claim a name, best supported first; an entity stays in the narrowest claim within the limit."""
    first: dict[str, DimensionClaim] = {}
    for claim in _ranked(claims):
        first.setdefault(claim.name, claim)
    ranked = list(first.values())
    narrower: set[str] = set()
    for place in range(min(limit, len(ranked)) - 1, -1, -1):
        own = tuple(entity for entity in ranked[place].entities if entity.name not in narrower)
        narrower |= {entity.name for entity in own}
        ranked[place] = ranked[place].model_copy(update={"entities": own})
    return ranked


def _choose(
    terms: Terminology, classes: TermClasses, groups: Sequence[ClassGroup]
) -> list[tuple[ClassGroup, float]]:
    """Greedy choice of the group that covers most of what is not yet covered (facility location)."""
    weights = [_weight(terms, classes, group) for group in groups]
    mentions = np.log1p(classes.counts)
    covered = np.zeros(len(classes.keys))
    chosen: list[tuple[ClassGroup, float]] = []
    while len(chosen) < min(_MAX_DIMENSIONS, len(groups)):
        gains = [
            weight * float((np.maximum(group.member - covered, 0) * mentions).sum())
            for group, weight in zip(groups, weights, strict=True)
        ]
        best = int(np.argmax(gains))
        if gains[best] < _MIN_GAIN:
            break
        chosen.append((groups[best], gains[best]))
        covered = np.maximum(covered, groups[best].member)
    return chosen


def _weight(terms: Terminology, classes: TermClasses, group: ClassGroup) -> float:
    """How well a group serves as a dimension of a causal graph.

    Causes and outcomes count most, if they have names of their own (nausea is one, "model performance"
    is not); qualities and quantities are no dimensions; persons only if they are named.
    """
    lists = word_lists()
    mass = group.member * np.log1p(classes.counts)
    if group.name == (lists.person,):
        named = np.array([terms.name(key)[:1].isupper() for key in classes.keys])
        return 1.0 if float(mass[named].sum()) > 0.5 * float(mass.sum()) else 0.3
    category = lists.attributes.get(group.name[-1])
    if category in ("outcome", "cause", "manifestation"):
        words = {word[-1] for word in group.words}
        own = np.array([head_of(key) not in words for key in classes.keys])
        worth = _CAUSES if category == "cause" else _OUTCOMES
        return worth * float(mass[own].sum()) / float(mass.sum())
    return 1.0 if category in (None, "intervention") else 0.0


def _claim(
    terms: Terminology, group: ClassGroup, name: str, entities: list[EntityClaim], gain: float
) -> DimensionClaim:
    entities = [entity for entity in entities if entity.name.lower() != name]
    examples = ", ".join(entity.name for entity in entities[:6])
    words = [terms.name(word) for word in group.words if word != group.name]
    wider = f"; also spoken of as {', '.join(words)}" if words else ""
    return DimensionClaim(
        name=name,
        description=f"What the text calls {article(name)} {name}: {examples}{wider}.",
        entities=tuple(entities),
        support=max(1, round(gain)),
        quote=_quote(terms, group),
    )


def _dimension_name(terms: Terminology, group: ClassGroup) -> str:
    """The group's word, with the modifier that most often stands before it if it says little alone."""
    head = group.name[-1]
    single = terms.name(group.name).lower().removesuffix("s")
    plain = single if single == head else terms.name(group.name).lower()
    if head not in word_lists().vague:
        return plain
    pairs = Counter[Key]()
    for key, count in terms.counts.items():
        if key[-1] == head and len(key) > 1:
            pairs[key[-2:]] += count
    total = pairs.total() + terms.counts[(head,)]
    pair, count = min(pairs.items(), key=lambda item: (-item[1], item[0]), default=(group.name, 0))
    return terms.name(pair).lower() if count * 2.5 >= total and len(pair) > 1 else plain


def _quote(terms: Terminology, group: ClassGroup) -> Quote | None:
    """The first sentence that names a member of the group's class."""
    for read in terms.distinct:
        if any(class_word(statement.general) in group.words for statement in class_statements(read)):
            return Quote(text=read.sentence.text, chunk_id=read.sentence.chunk_id)
    return None
