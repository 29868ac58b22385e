"""Entities: which terms of a corpus belong to which dimension, under which names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from aitia.analyst.rules.aliases import find_aliases
from aitia.analyst.rules.classes import SMALL, TermClasses, class_word
from aitia.analyst.rules.groups import ClassGroup
from aitia.analyst.rules.terms import Key, Terminology, head_of
from aitia.analyst.rules.wordlists import word_lists
from aitia.spec.claims import EntityClaim

_STATED = 0.25
_INFERRED = 0.27
_IS_A = 0.25
_SAID = 2
_SHARED = 0.12
_BREADTH = 4
_GENERIC = 4
_PARAPHRASES = 2
_ESTABLISHED = 8
_TIMES = 5
_NAMES_CAUSES = ("cause", "outcome", "manifestation")


def find_entities(
    terms: Terminology, classes: TermClasses, groups: Sequence[ClassGroup], chosen: Sequence[ClassGroup]
) -> dict[Key, list[EntityClaim]]:
    """The entities of each chosen group by its name, most mentioned first; aliases are merged.

    A group also has those of worse chosen groups of its kind, for the case that a tier cuts them off.
    """
    if not chosen:
        return {}
    home = _homes(terms, classes, groups, chosen)
    filters = _Filters(terms, home)
    home = {key: group for key, group in home.items() if not filters.is_composed(key, group)}
    aliases = find_aliases(terms)
    mentions: dict[Key, Counter[Key]] = defaultdict(Counter)
    others: dict[Key, set[str]] = defaultdict(set)
    for key in home:
        known = aliases.get(key, key)
        known = known if known in home else key
        mentions[home[known].name][known] += terms.counts[key]
        if known != key:
            others[known].add(terms.name(key))
    entities = {
        group.name: [
            EntityClaim(
                name=terms.name(key),
                aliases=tuple(sorted(others[key] - {terms.name(key)})),
                mentions=count,
            )
            for key, count in mentions[group.name].items()
        ]
        for group in chosen
    }
    for rank in range(len(chosen) - 1, 0, -1):
        wider = _ways(classes, [chosen[rank]], chosen[:rank])[0]
        if wider is not None:
            name = chosen[rank].name
            kind = EntityClaim(name=terms.name(name), mentions=terms.counts[name])
            entities[chosen[wider].name] += [kind, *entities[name]]
    return {
        name: sorted(found, key=lambda one: (-one.mentions, one.name)) for name, found in entities.items()
    }


def _homes(
    terms: Terminology, classes: TermClasses, groups: Sequence[ClassGroup], chosen: Sequence[ClassGroup]
) -> dict[Key, ClassGroup]:
    """The chosen group of each term: the one that it is most a member of, if it is enough of one.

    In a small corpus, where few classes are known, only what is said counts.
    """
    ways = _ways(classes, groups, chosen)
    members = np.stack([group.member for group in groups], axis=1)
    said = np.stack(
        [
            classes.stated[:, [classes.words.index(word) for word in group.words]].sum(axis=1) >= 1
            for group in groups
        ],
        axis=1,
    )
    pinned = {word: index for index, group in enumerate(groups) for word in group.words}
    inferred = _INFERRED if len(terms.counts) >= SMALL else 1.0
    homes: dict[Key, ClassGroup] = {}
    for row, key in enumerate(classes.keys):
        nearest = pinned.get(key, int(np.argmax(members[row])))
        best = ways[nearest]
        stated = bool(said[row, nearest])
        enough = key in pinned or members[row, nearest] >= (_STATED if stated else inferred)
        if best is not None and enough and _is_entity(terms, key, chosen[best], stated):
            homes[key] = chosen[best]
    return homes


def _ways(
    classes: TermClasses, groups: Sequence[ClassGroup], chosen: Sequence[ClassGroup]
) -> list[int | None]:
    """For each group the position of the chosen one that its terms go to: itself, or what the text calls it."""
    index = {word: position for position, word in enumerate(classes.words)}
    parents, overlap = classes.parents * (classes.said >= _SAID), classes.overlap
    degree = (classes.stated > 0).sum(axis=0)
    rank = {group.name: position for position, group in enumerate(chosen)}
    ways: list[int | None] = []
    for group in groups:
        best: tuple[float, int] | None = None
        rows = [index[word] for word in group.words]
        for place, other in enumerate(chosen):
            columns = [index[word] for word in other.words]
            kinship = float(parents[np.ix_(rows, columns)].max())
            shared = float(overlap[np.ix_(rows, columns)].max())
            breadth = degree[columns].max() / degree[rows].max()
            near = shared >= _SHARED or breadth >= _BREADTH
            if kinship >= _IS_A and near and (best is None or kinship > best[0]):
                best = kinship, place
        ways.append(rank.get(group.name, best[1] if best else None))
    return ways


def _is_entity(terms: Terminology, key: Key, group: ClassGroup, stated: bool) -> bool:
    """Whether a term can be an entity of a group: not the group's own name, nor an empty or alien noun."""
    lists = word_lists()
    title = key[-1] in lists.honorifics and terms.name(key)[:1].isupper()
    if key == group.name or title or (len(key) == 1 and key[0] in lists.vague):
        return False
    if group.name in ((lists.person,), (lists.place,)):
        named = terms.name(key)[:1].isupper() and (stated or len(key) > 1 or group.name == (lists.place,))
        return named or (class_word(key) == group.name and len(key) > 1)
    head = head_of(key)
    if head in lists.persons:
        return False
    category, own = lists.attributes.get(head), lists.attributes.get(group.name[-1])
    if head in {word[-1] for word in group.words}:
        established = (head,) in group.close or terms.counts[key] >= _ESTABLISHED
        return category in (None, own) and established
    return category is None or (stated and own in _NAMES_CAUSES)


def is_thing(terms: Terminology, key: Key) -> bool:
    """Whether a term names a thing by itself: not a person's part, an attribute or an empty noun."""
    lists = word_lists()
    head = head_of(key)
    title = head in lists.honorifics and terms.name(key)[:1].isupper()
    alien = head in lists.persons or head in lists.attributes or title
    return not (alien or (len(key) == 1 and (head in lists.vague or head in lists.wide)))


class _Filters:
    """Tells terms that name a thing from those that say something about one."""

    def __init__(self, terms: Terminology, homes: Mapping[Key, ClassGroup]) -> None:
        self._homes = homes
        self._counts = terms.counts
        self._verbs = terms.verbs
        self._adjectives = terms.adjectives
        self._heads: dict[str, set[str]] = defaultdict(set)
        for key in terms.counts:
            if len(key) > 1:
                self._heads[key[0]].add(key[-1])
        self._paraphrases: Counter[tuple[str, Key]] = Counter()
        for read in terms.distinct:
            for left, right in pairwise(read.terms):
                if read.between(left, right)[:1] in (("of",), ("for",)):
                    self._paraphrases[left.key[-1], right.key] += 1

    def is_composed(self, key: Key, group: ClassGroup) -> bool:
        """Whether a term is better read as an attribute, an owner or a quality beside a shorter term.

        So are "cancer stage" (the stage of a cancer), "cancer treatment" (also "treatment for cancer"),
        "aggressive treatment" (an adjective that many nouns have, and the dimension's own name); "plan treatment"
        begins with a verb.
        """
        lists = word_lists()
        own = {word[-1] for word in group.words}
        if key[0] in self._verbs and self._counts[key[1:]] >= _TIMES * self._counts[key]:
            return True
        for cut in range(1, len(key)):
            owner, rest = self._homes.get(key[:cut]), key[cut:]
            if owner is None:
                continue
            attribute = " ".join(rest) in lists.attributes and rest[-1] not in lists.loose
            if attribute and rest[-1] not in own:
                return True
            paraphrased = self._paraphrases[rest[-1], key[:cut]] >= _PARAPHRASES
            if rest[-1] in own and owner is not group and paraphrased:
                return True
        generic = all(word in self._adjectives and len(self._heads[word]) >= _GENERIC for word in key[:-1])
        return len(key) > 1 and key[-1:] == group.name and generic
