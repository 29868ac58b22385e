"""One name for each entity: equal spellings and near embeddings merge, opposites never (design 2.6)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from aitia.retrieval.dense import Vectors
from aitia.spec.names import Folded, fold
from aitia.spec.opposites import opposed

BLOCK = 1024
SAME = 0.9999
"""Cosine from which on an embedder sees one text: it drops accents, and takes all words it cannot read for one."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Two names that were found to mean one entity, or, ``suggested``, that a person may want to merge."""

    kept: str
    merged: str
    cosine: float
    by: Literal["spelling", "cosine", "person"]
    suggested: bool = False


@dataclass(frozen=True)
class Canonical:
    """The entity of each name, and every merge with its reason, so that each can be undone."""

    name_of: Mapping[str, str]
    merges: tuple[Merge, ...]


def canonicalise(
    counts: Mapping[str, int],
    embed: Callable[[Sequence[str]], Vectors],
    least_cosine: float,
    keep_apart: Collection[frozenset[str]] = (),
    together: Sequence[tuple[str, str]] = (),
) -> Canonical:
    """Merge the names of ``counts`` (mentions by name) that are spelled alike, then those near in meaning.

    Groups of names merge from the nearest on, two of them only if every name of the one exceeds
    ``least_cosine`` to every name of the other and none is its opposite. What the opposites guard blocks is
    suggested only. Pairs in ``keep_apart``, of canonical names, are not merged: so a merge is undone.
    Pairs in ``together`` are merged whatever speaks against it, under the first of the two names.
    """
    apart, wanted = frozenset(keep_apart), frozenset(map(frozenset, together))
    names, merges, name_of = _by_spelling(counts, apart)
    folded = [fold(name) for name in names]
    groups = {row: [row] for row in range(len(names))}
    home = list(range(len(names)))
    near = _near(names, embed(names), least_cosine) if len(names) > 1 else {}
    free = {pair for pair in near if _may_merge(pair, names, folded, apart)}
    for pair in sorted(near, key=lambda pair: (-near[pair], pair)):
        one, other = sorted(home[row] for row in pair)
        if pair not in free:
            if frozenset(names[row] for row in pair) not in {*apart, *wanted}:
                merges.append(_merge(pair, names, counts, near[pair], suggested=True))
        elif one != other and all((min(a, b), max(a, b)) in free for a in groups[one] for b in groups[other]):
            merges.append(_merge(pair, names, counts, near[pair], suggested=False))
            groups[one] += groups.pop(other)
            for row in groups[one]:
                home[row] = one
    chosen = {key: min((names[row] for row in rows), key=_rank(counts)) for key, rows in groups.items()}
    row_of = {name: row for row, name in enumerate(names)}
    for kept, merged in together:
        one, other = home[row_of[name_of[kept]]], home[row_of[name_of[merged]]]
        if one != other:
            ends = sorted((row_of[name_of[kept]], row_of[name_of[merged]]))
            merges.append(Merge(kept, merged, near.get((ends[0], ends[1]), 0.0), "person"))
            home = [one if at == other else at for at in home]
        chosen[one] = name_of[kept]
    entity_of = {name: chosen[home[row]] for row, name in enumerate(names)}
    return Canonical({name: entity_of[known] for name, known in name_of.items()}, tuple(merges))


def _rank(counts: Mapping[str, int]) -> Callable[[str], tuple[int, str]]:
    return lambda name: (-counts[name], name)


def _by_spelling(
    counts: Mapping[str, int], apart: frozenset[frozenset[str]]
) -> tuple[list[str], list[Merge], dict[str, str]]:
    """The best name of each spelling, sorted; names equal but for case, space, hyphens and plural are one."""
    same: dict[str, list[str]] = defaultdict(list)
    for name in sorted(counts, key=_rank(counts)):
        same[fold(name).singular].append(name)
    name_of = {}
    merges = []
    for known, *others in same.values():
        name_of[known] = known
        for other in others:
            kept = other if frozenset((known, other)) in apart else known
            name_of[other] = kept
            if kept == known:
                merges.append(Merge(known, other, 1.0, "spelling"))
    return sorted(set(name_of.values())), merges, name_of


def _near(names: Sequence[str], vectors: Vectors, least: float) -> dict[tuple[int, int], float]:
    """Pairs of rows, the smaller first, whose cosine exceeds ``least`` and tells something."""
    return {
        pair: cosine
        for pair, cosine in _near_by_block(vectors, least)
        if cosine < SAME or _unaccented(names[pair[0]]) == _unaccented(names[pair[1]])
    }


def _unaccented(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _near_by_block(vectors: Vectors, least: float) -> Iterator[tuple[tuple[int, int], float]]:
    for first in range(0, len(vectors), BLOCK):
        scores = vectors[first : first + BLOCK] @ vectors[first:].T
        rows, columns = np.nonzero(scores > least)
        keep = columns > rows
        rows, columns = rows[keep] + first, columns[keep] + first
        exact = np.einsum("ij,ij->i", vectors[rows], vectors[columns])
        for row, column, cosine in zip(rows.tolist(), columns.tolist(), exact.tolist(), strict=True):
            yield (row, column), round(cosine, 4)


def _may_merge(
    pair: tuple[int, int], names: Sequence[str], folded: Sequence[Folded], apart: frozenset[frozenset[str]]
) -> bool:
    one, other = pair
    return frozenset((names[one], names[other])) not in apart and not opposed(folded[one], folded[other])


def _merge(
    pair: tuple[int, int], names: Sequence[str], counts: Mapping[str, int], cosine: float, *, suggested: bool
) -> Merge:
    kept, merged = sorted((names[row] for row in pair), key=_rank(counts))
    return Merge(kept, merged, cosine, "cosine", suggested)
