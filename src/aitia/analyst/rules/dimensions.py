"""Dimensions: classes of entities that the corpus itself names.

A class is a common noun that heads compounds ("lung cancer", "skin cancer") or that the text gives as
the class of others ("treatments such as surgery", "melanoma is a type of skin cancer": Hearst 1992).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.terms import Key, Term, fold, terms_of
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
    for sentence in sentences_of(windows):
        terms = list(terms_of(sentence))
        counts.update(term.key for term in terms)
        for name, member in class_members(sentence, terms):
            classes[name][member] += 3
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


def class_members(sentence: Sentence, terms: Sequence[Term]) -> Iterator[tuple[str, Key]]:
    """Pairs of a class noun and a member that a sentence states."""
    lists = word_lists()
    words = [token.text.lower() for token in sentence.tokens]
    for position, term in enumerate(terms):
        between = _words_after(words, term.last)
        if any(between[: len(cue)] == cue for cue in lists.class_first):
            for member in _enumeration(sentence, terms, position + 1):
                yield term.head, member.key


def _words_after(words: list[str], last: int) -> tuple[str, ...]:
    after = words[last + 1 : last + 5]
    return tuple(after[1:] if after[:1] == [","] else after)


def _enumeration(sentence: Sentence, terms: Sequence[Term], start: int) -> Iterator[Term]:
    for position in range(start, len(terms)):
        if position > start:
            between = {
                fold(token) for token in sentence.tokens[terms[position - 1].last + 1 : terms[position].first]
            }
            if not between <= {",", "and", "or", "the", "a", "an"}:
                return
        yield terms[position]


def _claims(classes: dict[str, Counter[Key]], counts: Counter[Key]) -> list[DimensionClaim]:
    lists = word_lists()
    claims: list[DimensionClaim] = []
    taken: set[Key] = set()
    ranked = sorted(classes, key=lambda name: (-len(classes[name]), name))
    for name in ranked:
        if len(name) < 3 or name in lists.persons or (name in lists.category and name != "treatment"):
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
