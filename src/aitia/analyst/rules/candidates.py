"""Which metrics a corpus gives: states of entities, entities of entities, and attributes.

An attribute is a noun that the word lists know as one, or that the corpus uses like one; where a noun says
little by itself ("factor", "result"), it counts with the word before it ("risk factor", "test result").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p

from aitia.analyst.rules.attributes import Survey
from aitia.analyst.rules.classes import SMALL
from aitia.analyst.rules.hypernyms import class_statements
from aitia.analyst.rules.terms import Key, Terminology, key_of
from aitia.analyst.rules.wordlists import word_lists
from aitia.spec.model import ANY, Dimension

RELATION = "relation"
"""The category of a metric between entities of two dimensions."""

_RELATION_SUPPORT = 10_000
_MIN_PAIRS = 10
_MIN_DISTINCT_PAIRS = 4
_MIN_TOTAL = 4
_COMPOUND_SHARE = 0.3
_COMPOUND_TOTAL = 10
_OF_SHARE = 0.4
_UNSTATED = 0.75
_TERMINAL = 2
_NEAR = 0.15
_DAMPING = 0.3
_MIN_OWNER = 1.0
_WIDE = 0.4
_SECOND = 0.3
_MIN_SECOND = 5
_MIN_VALUES = 3
_STEM = 4
_RESULTS = ("outcome", "manifestation", "cause")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A metric before it has a description; ``key`` is its attribute's words."""

    name: str
    signature: tuple[str, ...]
    category: str
    support: int
    key: Key


def camel(words: str) -> str:
    """``side effect`` as ``SideEffect``."""
    return "".join(word[:1].upper() + word[1:] for word in words.replace("-", " ").replace("/", " ").split())


def relation_candidates(found: Survey) -> Iterator[Candidate]:
    """Metrics such as ``DiseaseTreatment(disease, treatment)``, where the text binds the two often.

    Of the two ways round only the more frequent one is taken.
    """
    for (owner, owned), pairs in sorted(found.pairs.items()):
        back = found.pairs.get((owned, owner), Counter())
        usual = (pairs.total(), owner) > (back.total(), owned)
        if owned == word_lists().subject:
            continue
        if usual and pairs.total() >= _MIN_PAIRS and len(pairs) >= _MIN_DISTINCT_PAIRS:
            support = _RELATION_SUPPORT + pairs.total()
            name = camel(f"{owner} {owned}")
            yield Candidate(name, (owner, owned), RELATION, support, key_of(owned))


def attribute_candidates(
    terms: Terminology, found: Survey, dimensions: Sequence[Dimension]
) -> list[Candidate]:
    """Metrics such as ``Stage(disease)``, best supported first, no two of one name."""
    totals = _own_totals(terms, found, dimensions)
    values = _values(terms, dimensions)
    candidates: dict[str, Candidate] = {}
    for key in sorted(totals):
        for candidate in _of_attribute(terms, found, (key, totals[key]), values.get(key, Counter())):
            candidates.setdefault(candidate.name, candidate)
    ranked = sorted(candidates.values(), key=lambda one: (-one.support, one.name))
    return [one for place, one in enumerate(ranked) if not any(_is_variant(one, e) for e in ranked[:place])]


def _own_totals(terms: Terminology, found: Survey, dimensions: Sequence[Dimension]) -> dict[Key, int]:
    """Mentions of each attribute, without those of its compounds that are attributes themselves."""
    lists = word_lists()
    axes = {key_of(dimension.name) for dimension in dimensions}
    nouns = {axis[-1] for axis in axes if len(axis[-1]) >= _STEM}
    entities = {key_of(name) for d in dimensions for name in (*d.entities, *d.aliases)} - axes
    totals: dict[Key, int] = {}
    inside: Counter[Key] = Counter()
    for key, count in sorted(found.total.items()):
        head = key[-1]
        if key in axes or key in entities or head in lists.empty or head in lists.persons:
            continue
        if any(head.startswith(noun) for noun in nouns):
            continue
        if len(key) > 1:
            part = key[2:] if key[1] == "of" else key[:-1]
            if part in entities | axes or not _is_compound(terms, found, key):
                continue
            inside[key[:1] if key[1] == "of" else key[-1:]] += count
        totals[key] = count
    own = {key: count - inside[key] for key, count in totals.items()}
    least = _MIN_TOTAL if len(terms.counts) >= SMALL else _MIN_TOTAL - 1
    return {key: count for key, count in own.items() if count >= least}


def _is_compound(terms: Terminology, found: Survey, key: Key) -> bool:
    """Whether two words are an attribute of their own: often enough one with the other."""
    attributes = word_lists().attributes
    if key[1] == "of":
        return key[0] in attributes and found.total[key] >= _OF_SHARE * found.total[key[:1]]
    wide = key[0] in terms.adjectives or key[0].endswith(("ed", "ing"))
    share = found.total[key] / found.total[key[-1:]]
    frequent = found.total[key] >= _COMPOUND_TOTAL and not wide
    return key[-1] in attributes and (frequent or share >= _COMPOUND_SHARE)


def _of_attribute(
    terms: Terminology, found: Survey, counted: tuple[Key, int], values: Counter[str]
) -> Iterator[Candidate]:
    """The metric of an attribute on its main dimension, and on others that it is often said of."""
    key, total = counted
    stated = found.stated.get(key, {})
    owners = _owners(found, key)
    if not owners:
        return
    named = (
        max((found.total[key_of(owner) + key] for owner, _ in owners), default=0) >= _COMPOUND_SHARE * total
    )
    category, quality = _category(key, stated, named)
    if category is None:
        return
    lists = word_lists()
    name = terms.name(key)
    for place, (dimension, weight) in enumerate(owners):
        entities = stated.get(dimension, Counter())
        if place and (entities.total() < _MIN_SECOND or weight < _SECOND * owners[0][1]):
            break
        if place and dimension == lists.subject:
            continue
        if category in _RESULTS and lists.attributes.get(" ".join(key_of(dimension))) in _RESULTS:
            continue
        distinct = len(entities) - (ANY in entities)
        worth = 100 * quality * lists.weights.get(category, 1.0) * (1 if entities else _UNSTATED)
        worth *= _TERMINAL if " ".join(key) in lists.terminal else 1
        support = worth * log1p(total) * (1 + 0.5 * log1p(distinct)) * weight / owners[0][1]
        value = next(
            (d for d, count in values.most_common(1) if count >= _MIN_VALUES and d != dimension), None
        )
        loose = place > 0 or (len(key) == 1 and key[0] in lists.loose and dimension != lists.subject)
        yield Candidate(
            camel(f"{dimension} {name}" if loose else name),
            (dimension,) if value is None else (dimension, value),
            category,
            round(support),
            key,
        )


def _category(key: Key, stated: dict[str, Counter[str]], named: bool) -> tuple[str | None, float]:
    """The category of an attribute's metric and how good an attribute its noun is, in [0, 1].

    A loose noun counts if the text often names it with its dimension ("treatment plan").
    """
    lists = word_lists()
    distinct = max((len(entities) for entities in stated.values()), default=0)
    listed = lists.attributes.get(" ".join(key))
    if listed is not None:
        if key[-1] not in lists.loose or len(key) > 1:
            return listed, 1.0
        return (listed, 0.8) if named else (listed, 0.3) if distinct > 1 else (None, 0)
    if key[-1] in lists.attributes:
        return lists.attributes[key[-1]], 0.8
    if key[1:2] == ("of",):
        return lists.attributes.get(key[0]), 1.0
    if distinct > 1 and key[-1] not in lists.vague:
        for ending, category in lists.endings:
            if key[-1].endswith(ending) and len(key[-1]) > len(ending) + 2:
                return category, 0.3
    return None, 0


def _owners(found: Survey, key: Key) -> list[tuple[str, float]]:
    """Dimensions that an attribute is said of, best first: stated uses, and a share of its company.

    The dimension of all that has no class word counts less than any other. What a causal chain ends in
    always has an owner: the most mentioned dimension, if nothing tells.
    """
    mentions = found.mentions
    usual = sum(mentions.values()) / max(len(mentions), 1)
    weights: Counter[str] = Counter()
    for dimension, entities in found.stated.get(key, {}).items():
        weights[dimension] += entities.total()
    result = {dimension: count if count > 1 else 0.5 for dimension, count in weights.items()}
    for dimension, count in found.near.get(key, Counter()).items():
        result[dimension] = (
            result.get(dimension, 0) + _NEAR * count * min(1, usual / mentions[dimension]) ** _DAMPING
        )
    for dimension in mentions:
        named = found.total[key_of(dimension) + key]
        if named:
            result[dimension] = result.get(dimension, 0) + named
    if " ".join(key) in word_lists().terminal and mentions:
        result.setdefault(min(mentions, key=lambda axis: (-mentions[axis], axis)), _MIN_OWNER)
    owners = [
        (dimension, weight * (_WIDE if dimension == word_lists().subject else 1))
        for dimension, weight in result.items()
        if weight >= _MIN_OWNER
    ]
    return sorted(owners, key=lambda pair: (-pair[1], pair[0]))


def _values(terms: Terminology, dimensions: Sequence[Dimension]) -> dict[Key, Counter[str]]:
    """Dimensions whose entities are listed as values of an attribute ("side effects include nausea")."""
    axis = {key_of(name): d.name for d in dimensions for name in (*d.entities, *d.aliases)}
    listed: dict[Key, dict[str, set[Key]]] = defaultdict(lambda: defaultdict(set))
    for read in terms.distinct:
        for statement in class_statements(read):
            if statement.member in axis:
                for length in (1, 2):
                    listed[statement.general[-length:]][axis[statement.member]].add(statement.member)
    return {
        key: Counter({dimension: len(members) for dimension, members in found.items()})
        for key, found in listed.items()
    }


def _is_variant(one: Candidate, other: Candidate) -> bool:
    """Whether two attributes are forms of one word ("exam", "examination")."""
    if one.key[:-1] != other.key[:-1] or one.key == other.key:
        return False
    short, long = sorted((one.key[-1], other.key[-1]), key=len)
    return len(short) >= _STEM and long.startswith(short)
