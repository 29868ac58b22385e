"""Matching an analyst's words to a closed vocabulary (HCG-RAG, section 3: "fuzzy-match endpoint names").

Equal after folding, then an alias, then rapidfuzz's WRatio >= 90 with a lead of 5 over the runner-up,
never across the opposites guard, and only where the words are spellings of each other: WRatio alone
takes "cancer" for "lung cancer" (90) and "injection" for "infection". What is held back is out of the race
before the lead is taken: "type 2 diabetes melitus" is not ambiguous because type 1 exists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from rapidfuzz import fuzz, process

from aitia.spec.names import Folded, fold
from aitia.spec.opposites import opposed
from aitia.spec.spelling import respelled

THRESHOLD = 90.0
LEAD = 5.0
_NEAR = 80.0
_ROWS = 2_000

MatchKind = Literal["exact", "alias", "fuzzy", "ambiguous", "unknown"]


@dataclass(frozen=True, slots=True)
class Match:
    """What a name was taken for.

    ``value`` is None for ``ambiguous`` and ``unknown``. ``candidates`` are the names an ambiguous one
    might have meant, best first. ``guarded`` says that none of them may be taken for it: all (with a score
    of at least 85) differ in more than spelling, so that the name is rather a different thing.
    """

    kind: MatchKind
    value: str | None = None
    candidates: tuple[str, ...] = ()
    guarded: bool = False


def match(name: str, candidates: Iterable[str], aliases: Mapping[str, str] | None = None) -> Match:
    """One look-up; for several against the same names keep a `Vocabulary`."""
    return Vocabulary.of(candidates, aliases).match(name)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Names and aliases with their folded forms, made once and looked up often.

    ``aliases`` maps other forms to one of ``names``; one that maps elsewhere is ignored.
    """

    names: tuple[str, ...]
    aliases: Mapping[str, str]
    _exact: Mapping[str, tuple[str, ...]] = field(repr=False)
    _alias: Mapping[str, tuple[str, ...]] = field(repr=False)
    _forms: tuple[Folded, ...] = field(repr=False)
    _targets: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> Vocabulary:
        """A vocabulary; the order of the names does not matter."""
        known = tuple(sorted(set(names)))
        members = set(known)
        others = {form: name for form, name in sorted((aliases or {}).items()) if name in members}
        folded = {form: fold(form) for form in (*known, *others)}
        return cls(
            known,
            others,
            _index((name, folded[name], name) for name in known),
            _index((form, folded[form], name) for form, name in others.items()),
            tuple(folded[form] for form in (*known, *others)),
            (*known, *others.values()),
        )

    def match(self, name: str) -> Match:
        """What one name is taken for."""
        return self.match_all([name])[0]

    def match_all(self, names: Sequence[str]) -> list[Match]:
        """What each name is taken for, in order; repeats cost nothing."""
        found: dict[str, Match] = {}
        left: dict[str, Folded] = {}
        for name in names:
            if name not in found and name not in left:
                folded = fold(name)
                sure = self._look_up(name, folded)
                if sure:
                    found[name] = sure
                else:
                    left[name] = folded
        found.update(zip(left, self._fuzzy(list(left.values())), strict=True))
        return [found[name] for name in names]

    def _look_up(self, name: str, folded: Folded) -> Match | None:
        tables: tuple[tuple[MatchKind, Mapping[str, tuple[str, ...]]], ...] = (
            ("exact", self._exact),
            ("alias", self._alias),
        )
        for kind, table in tables:
            for form in (f"={name}", f"k{folded.key}", f"s{folded.singular}"):
                values = table.get(form, ())
                if len(values) == 1:
                    return Match(kind, values[0])
                if values:
                    return Match("ambiguous", None, values)
        return None

    def _fuzzy(self, queries: Sequence[Folded]) -> list[Match]:
        if not queries or not self._forms:
            return [Match("unknown")] * len(queries)
        texts = [form.text for form in self._forms]
        found = []
        for start in range(0, len(queries), _ROWS):
            block = queries[start : start + _ROWS]
            rows, columns = _near(block, self._forms)
            scores = process.cpdist(
                [block[row].text for row in rows],
                [texts[column] for column in columns],
                scorer=fuzz.WRatio,
                score_cutoff=THRESHOLD - LEAD,
                dtype=np.float64,
            )
            close: dict[int, list[tuple[float, int]]] = defaultdict(list)
            for place in np.flatnonzero(scores):
                close[int(rows[place])].append((float(scores[place]), int(columns[place])))
            found += [self._decide(query, close[row]) for row, query in enumerate(block)]
        return found

    def _decide(self, query: Folded, close: list[tuple[float, int]]) -> Match:
        open_scores: dict[str, float] = {}
        shut_scores: dict[str, float] = {}
        for score, column in close:
            form = self._forms[column]
            same = respelled(query, form) and not opposed(query, form)
            scores = open_scores if same else shut_scores
            target = self._targets[column]
            scores[target] = max(score, scores.get(target, 0.0))
        best = _ranked(open_scores)
        if best and open_scores[best[0]] >= THRESHOLD:
            if len(best) == 1 or open_scores[best[0]] - open_scores[best[1]] >= LEAD:
                return Match("fuzzy", best[0])
            top = open_scores[best[0]]
            return Match("ambiguous", None, tuple(name for name in best if top - open_scores[name] < LEAD))
        shut = tuple(_ranked(shut_scores))
        return Match("ambiguous", None, shut, guarded=True) if shut else Match("unknown")


def _index(rows: Iterable[tuple[str, Folded, str]]) -> dict[str, tuple[str, ...]]:
    """Names by their own spelling, their folded key and their folded singular."""
    table: dict[str, set[str]] = defaultdict(set)
    for form, folded, name in rows:
        for key in (f"={form}", f"k{folded.key}", f"s{folded.singular}"):
            table[key].add(name)
    return {key: tuple(sorted(values)) for key, values in table.items()}


def _near(queries: Sequence[Folded], forms: Sequence[Folded]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that may reach the threshold or come close enough to be named as held back.

    The bag of letters decides: sorting the letters of both makes ``ratio`` an upper bound of the
    ratio of any order of their words, at a hundredth of WRatio's cost.
    """
    rows, columns = np.nonzero(
        process.cdist(
            [_bag(query) for query in queries],
            [_bag(form) for form in forms],
            scorer=fuzz.ratio,
            score_cutoff=_NEAR,
            dtype=np.uint8,
        )
    )
    return rows, columns


def _bag(folded: Folded) -> str:
    return "".join(sorted("".join(folded.words) or folded.text))


def _ranked(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))
