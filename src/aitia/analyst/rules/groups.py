"""Groups of class words that mean one kind of thing: surgery and therapy are treatments.

Three signs join two class words: the text calls the one a kind of the other, they hold the same terms, or
they are forms of one word ("test", "testing").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aitia.analyst.rules.classes import Matrix, TermClasses
from aitia.analyst.rules.terms import Key
from aitia.analyst.rules.wordlists import word_lists

_SAID = 3.0
_IS_A = 0.25
_CLEARLY_IS_A = 0.5
_SAME_TERMS = 0.14
_SOME_TERMS = 0.1
_STEM = 4
_ESTABLISHED = 10
_COMMON = 2.5
_CLOSE = 0.2
_COMPOUND = 0.1


@dataclass(frozen=True)
class ClassGroup:
    """Class words of one kind; ``name`` is the one that names it, ``member`` has a value for each term.

    ``close`` are the words whose compounds surely belong: not those that came by a weak link.
    """

    name: Key
    words: tuple[Key, ...]
    close: tuple[Key, ...]
    member: Matrix


def group_classes(classes: TermClasses) -> list[ClassGroup]:
    """The groups, in the order of their names."""
    root = _join(classes)
    groups: dict[int, list[int]] = {}
    for word in range(len(classes.words)):
        groups.setdefault(_root(root, word), []).append(word)
    degree = (classes.stated > 0).sum(axis=0)
    parents, overlap = classes.parents, classes.overlap
    found = []
    for words in groups.values():
        name = _naming_word(classes, words, degree, parents)
        close = _close_to(name, words, parents, overlap, classes)
        found.append(
            ClassGroup(
                classes.words[name],
                tuple(classes.words[word] for word in words),
                tuple(classes.words[word] for word in close),
                np.minimum(classes.member[:, words].sum(axis=1), 1),
            )
        )
    return sorted(found, key=lambda group: group.name)


def _join(classes: TermClasses) -> list[int]:
    """For each word the one that it is joined to, itself if none."""
    parents, overlap = classes.parents, classes.overlap
    degree = (classes.stated > 0).sum(axis=0)
    row = {key: position for position, key in enumerate(classes.keys)}
    size = len(classes.words)
    said = classes.said
    established = degree >= _ESTABLISHED
    rival = np.where(established[None, :], overlap - np.eye(size) * 2, 0)
    best = rival.max(axis=1, initial=0)
    links: list[tuple[float, int, int]] = []
    for child in range(size):
        for parent in range(size):
            if child == parent:
                continue
            shared = overlap[child, parent] + _compound_bonus(classes, row, child, parent)
            larger = degree[parent] > degree[child] or (degree[parent] == degree[child] and parent < child)
            if _is_a(parents[child, parent], said[child, parent], degree[parent] / degree[child], shared):
                links.append((1 + parents[child, parent], child, parent))
            elif (
                larger
                and established[child]
                and shared >= max(_SAME_TERMS, min(best[child], best[parent]))
                and (overlap[child, parent] >= _SOME_TERMS)
            ):
                links.append((shared, child, parent))
            elif larger and _same_stem(classes, child, parent):
                links.append((0.5 + shared, child, parent))
    root = list(range(size))
    for _, child, parent in sorted(links, key=lambda link: (-link[0], link[1], link[2])):
        if root[child] == child and _root(root, parent) != child:
            root[child] = parent
    return root


def _is_a(membership: float, said: float, breadth: float, shared: float) -> bool:
    """Whether the text makes one class word a kind of another.

    Little is asked of the statements if the parent is much wider and holds some of the same terms, more if
    it is not.
    """
    if membership >= _CLEARLY_IS_A and said >= _SAID:
        return True
    if membership < _IS_A:
        return False
    return (said >= _SAID and breadth >= 0.6) or (said >= 2 and breadth >= 2 and shared >= _SOME_TERMS)


def _compound_bonus(classes: TermClasses, row: dict[Key, int], child: int, parent: int) -> float:
    """A sign that two words that share terms are one class: the text often names both ("imaging test")."""
    compound = row.get((*classes.words[child], *classes.words[parent]))
    return _COMPOUND if compound is not None and classes.counts[compound] >= _ESTABLISHED else 0.0


def _same_stem(classes: TermClasses, one: int, other: int) -> bool:
    short, long = sorted((classes.words[one][-1], classes.words[other][-1]), key=len)
    return len(short) >= _STEM and long.startswith(short)


def _root(root: list[int], word: int) -> int:
    while root[word] != word:
        word = root[word]
    return word


def _close_to(
    name: int, words: list[int], parents: Matrix, overlap: Matrix, classes: TermClasses
) -> list[int]:
    """The words that share many terms with the name, or are kinds of it, directly or by others."""
    close = [name]
    for known in close:
        for word in words:
            kin = overlap[word, known] >= _CLOSE or max(parents[word, known], parents[known, word]) >= _IS_A
            if word not in close and (kin or _same_stem(classes, word, known)):
                close.append(word)
    return close


def _naming_word(classes: TermClasses, words: list[int], degree: Matrix, parents: Matrix) -> int:
    """The widest word: of the common ones the first that names a thing, or what the text calls it."""
    lists = word_lists()
    ranked = sorted(words, key=lambda word: (-degree[word], classes.words[word]))
    common = [word for word in ranked if degree[word] * _COMMON >= degree[ranked[0]]]
    name = min(
        common,
        key=lambda word: (
            classes.words[word][-1] in lists.attributes,
            classes.words[word][-1] in lists.vague,
            ranked.index(word),
        ),
    )
    for _ in words:
        wider = [word for word in words if parents[name, word] >= _IS_A]
        if not wider:
            break
        name = max(wider, key=lambda word: (parents[name, word], -word))
    return name
