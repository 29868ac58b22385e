"""Dimensions: classes of entities that the corpus itself names.

A class is a common noun that heads compounds ("lung cancer", "skin cancer") or that the text gives as
the class of others ("treatments such as surgery", "melanoma is a type of skin cancer": Hearst 1992).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.terms import Key, read_terms
from aitia.analyst.rules.wordlists import word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig

MAX_CLASSES = 24
MAX_ENTITIES = 200


def sentences_of(windows: Sequence[ReadingWindow]) -> Iterator[Sentence]:
    """All sentences of the windows, in order."""
    for window in windows:
        for chunk in window.chunks:
            yield from read_sentences(chunk)


def find_dimensions(windows: Sequence[ReadingWindow], outcomes: OutcomeConfig) -> list[DimensionClaim]:
    """The classes of the corpus with their entities, best supported first."""
    counts: Counter[Key] = Counter()
    classes: dict[str, Counter[Key]] = defaultdict(Counter)
    terms = read_terms(sentences_of(windows))
    counts.update(terms.counts)
    for read in terms.sentences:
        for statement in class_statements(read):
            classes[statement.general[-1]][statement.member] += 3
    for key, count in counts.items():
        if len(key) > 1 and count > 1:
            classes[key[-1]][key] += 1
    return _claims(classes, counts)


def consolidate_dimensions(claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
    """One claim a name, best supported first."""
    first: dict[str, DimensionClaim] = {}
    for claim in claims:
        first.setdefault(claim.name, claim)
    return sorted(first.values(), key=lambda claim: (-claim.support, claim.name))


def _claims(classes: dict[str, Counter[Key]], counts: Counter[Key]) -> list[DimensionClaim]:
    lists = word_lists()
    claims: list[DimensionClaim] = []
    taken: set[Key] = set()
    ranked = sorted(classes, key=lambda name: (-len(classes[name]), name))
    for name in ranked:
        if len(name) < 3 or name in lists.persons or (name in lists.attributes and name != "treatment"):
            continue
        members = sorted(
            (key for key in classes[name] if key not in taken), key=lambda key: (-counts[key], key)
        )
        members = members[:MAX_ENTITIES]
        if len(members) < 3:
            continue
        taken.update(members)
        entities = tuple(EntityClaim(name=" ".join(key), mentions=counts[key]) for key in members)
        support = sum(entity.mentions for entity in entities)
        claims.append(DimensionClaim(name=name, entities=entities, support=support))
        if len(claims) == MAX_CLASSES:
            break
    return claims
