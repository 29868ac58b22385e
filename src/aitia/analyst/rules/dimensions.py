"""Dimensions: the axes of a domain with their entities, from what the corpus itself calls its things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from aitia.analyst.rules.aliases import find_aliases
from aitia.analyst.rules.classes import Matrix, TermClasses, class_word, classify
from aitia.analyst.rules.groups import ClassGroup, group_classes
from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.terms import Key, Terminology, head_of, read_terms
from aitia.analyst.rules.wordlists import article, word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import DimensionClaim, EntityClaim
from aitia.spec.model import OutcomeConfig, Quote

_MAX_DIMENSIONS = 12
_MIN_GAIN = 8.0
_STATED = 0.3
_INFERRED = 0.45


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
    if not classes.words:
        return []
    groups = group_classes(classes)
    chosen = _choose(terms, classes, groups)
    names = {group.name: _dimension_name(terms, group) for group, _ in chosen}
    entities = _entities(terms, classes, groups, [group for group, _ in chosen])
    claims = [
        _claim(terms, group, names[group.name], entities[group.name], gain)
        for group, gain in chosen
        if entities[group.name]
    ]
    return sorted(claims, key=lambda claim: (-claim.support, claim.name))


def consolidate_dimensions(claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
    """One claim a name, best supported first."""
    first: dict[str, DimensionClaim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.support, claim.name)):
        first.setdefault(claim.name, claim)
    return list(first.values())


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
        return 2.5 * float(mass[own].sum()) / float(mass.sum())
    return 1.0 if category in (None, "intervention") else 0.0


def _entities(
    terms: Terminology, classes: TermClasses, groups: Sequence[ClassGroup], chosen: Sequence[ClassGroup]
) -> dict[Key, list[EntityClaim]]:
    """The entities of each chosen group: a term belongs to the group it is most a member of."""
    aliases = find_aliases(terms)
    members = np.stack([group.member for group in groups], axis=1)
    said = np.stack([_stated(classes, group) for group in groups], axis=1)
    ways = _ways(classes, groups, chosen)
    pinned = {word: index for index, group in enumerate(groups) for word in group.words}
    home: dict[Key, Key] = {}
    for row, key in enumerate(classes.keys):
        nearest = pinned.get(key, int(np.argmax(members[row])))
        best = ways[nearest]
        if best is None:
            continue
        stated = bool(said[row, nearest])
        least = _STATED if stated else _INFERRED
        if members[row, nearest] >= least and _is_entity(terms, key, groups[best], stated):
            home[key] = groups[best].name
    grouped: dict[Key, Counter[Key]] = defaultdict(Counter)
    names: dict[Key, list[Key]] = defaultdict(list)
    for key in home:
        known = aliases.get(key, key)
        if known != key and known in home:
            names[known].append(key)
        grouped[home[known if known in home else key]][known if known in home else key] += terms.counts[key]
    return {
        group.name: [
            EntityClaim(
                name=terms.name(key),
                aliases=tuple(sorted({terms.name(other) for other in names[key]} - {terms.name(key)})),
                mentions=count,
            )
            for key, count in sorted(grouped[group.name].items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        for group in chosen
    }


def _ways(
    classes: TermClasses, groups: Sequence[ClassGroup], chosen: Sequence[ClassGroup]
) -> list[int | None]:
    """For each group the chosen one that its terms go to: itself, or what the text calls its words."""
    index = {word: position for position, word in enumerate(classes.words)}
    parents = classes.parents()
    kept = [position for position, group in enumerate(groups) if any(group is one for one in chosen)]
    ways: list[int | None] = []
    for position, group in enumerate(groups):
        if position in kept:
            ways.append(position)
            continue
        rows = [index[word] for word in group.words]
        wider = {
            other: max(float(parents[rows, index[word]].max()) for word in groups[other].words)
            for other in kept
        }
        best = max(kept, key=lambda other: wider[other])
        ways.append(best if wider[best] >= _STATED else None)
    return ways


def _stated(classes: TermClasses, group: ClassGroup) -> Matrix:
    columns = [classes.words.index(word) for word in group.words]
    return classes.stated[:, columns].sum(axis=1) > 0


def _is_entity(terms: Terminology, key: Key, group: ClassGroup, stated: bool) -> bool:
    """Whether a term can be an entity of a group: not the group's own name, nor an empty or alien noun."""
    lists = word_lists()
    name = terms.name(key)
    if key == group.name or (len(key) == 1 and key[0] in lists.vague):
        return False
    if group.name in ((lists.person,), (lists.place,)):
        return name[:1].isupper() or class_word(key) == group.name
    head = head_of(key)
    if head in lists.persons:
        return False
    return head not in lists.attributes or stated or head in {word[-1] for word in group.words}


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
    lists = word_lists()
    head = group.name[-1]
    if head not in lists.vague:
        return terms.name(group.name).lower()
    pairs = Counter[Key]()
    for key, count in terms.counts.items():
        if key[-1] == head and len(key) > 1:
            pairs[key[-2:]] += count
    total = pairs.total() + terms.counts[(head,)]
    pair, count = min(pairs.items(), key=lambda item: (-item[1], item[0]), default=(group.name, 0))
    return terms.name(pair if count * 2.5 >= total else group.name).lower()


def _quote(terms: Terminology, group: ClassGroup) -> Quote | None:
    """The first sentence that names a member of the group's class."""
    for read in terms.distinct:
        if any(class_word(statement.general) in group.words for statement in class_statements(read)):
            return Quote(text=read.sentence.text, chunk_id=read.sentence.chunk_id)
    return None
