"""Each pair of systems on each metric and slice: difference, interval, p, q and one word.

The table of HCG-RAG (Table 12) with what it leaves out: n beside every difference, how many questions and
scores were dropped, and q within the family.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from aitia.errors import UsageError
from aitia.evaluation.statistics.compare import Comparison, compare
from aitia.evaluation.statistics.families import adjust
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, SystemScores

Verdict = Literal["better", "worse", "not significant", "too few"]
Family = Literal["metric", "slice", "all", "none"]

LEVEL = 0.05
FEWEST = 6
"""Differing questions under which nothing is tested: the exact sign test of five that all point one way gives
2/32 > 0.05. Questions with equal scores do not count: k differing ones among many have p near 2 exp(-k), the
share of resamples that hold none of them, twice."""


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """``system`` against ``baseline`` on one measure and slice.

    ``dropped`` questions of the slice were to be scored for one of the two and have no score of both; ``nan``
    scores and ``failed`` answers are counted over all runs, the baseline's first. ``result`` is None where
    no question is common; ``q`` is None under `FEWEST` questions whose scores differ.
    """

    measure: Measure
    slice: str
    baseline: str
    system: str
    dropped: int
    nan: tuple[int, int]
    failed: tuple[int, int]
    result: Comparison | None
    q: float | None = None

    @property
    def n(self) -> int:
        """Questions that both have a score of."""
        return self.result.n if self.result else 0

    @property
    def differing(self) -> int:
        """Those of them on which the two scores are not the same."""
        return self.result.differing if self.result else 0

    @property
    def verdict(self) -> Verdict:
        """What q says of the system; "not significant" is no finding that the two do as well."""
        if self.result is None or self.q is None:
            return "too few"
        if self.q > LEVEL:
            return "not significant"
        return "better" if self.result.delta > 0 else "worse"


def pair_systems(names: Sequence[str], baseline: str | None = None) -> tuple[tuple[str, str], ...]:
    """Each other system against the baseline; without one, all pairs.

    Raises:
        UsageError: fewer than two systems, or a baseline that is none of them.

    """
    if len(names) < 2:
        raise UsageError(f"nothing to compare: expected two scored systems or more, found {', '.join(names)}")
    if baseline is None:
        return tuple(combinations(names, 2))
    if baseline not in names:
        raise UsageError(f"baseline {baseline!r} has no scores; expected one of {', '.join(names)}")
    return tuple((baseline, name) for name in names if name != baseline)


def compare_systems(
    bench: BenchScores,
    pairs: Sequence[tuple[str, str]],
    measures: Sequence[Measure],
    slices: Mapping[str, Collection[str]],
    family: Family = "metric",
) -> tuple[ComparedPair, ...]:
    """Every pair (baseline, system) on every measure and slice, in the order given.

    A ``family`` within which q is adjusted is all comparisons of a measure, of a measure on a slice, or all;
    with ``none`` q is p. Raises UsageError where no two systems have a scored question in common.
    """
    compared = [
        _compare_pair(bench, pair, measure, (name, slices[name]))
        for measure in measures
        for name in slices
        for pair in pairs
    ]
    if not any(pair.n for pair in compared):
        metrics = ", ".join(dict.fromkeys(measure.metric for measure in measures))
        raise UsageError(
            f"nothing to compare: no two systems have a question in common that is scored by {metrics}"
        )
    return _adjusted(compared, family)


def _compare_pair(
    bench: BenchScores, names: tuple[str, str], measure: Measure, part: tuple[str, Collection[str]]
) -> ComparedPair:
    name, ids = part
    systems = (bench.systems[names[0]], bench.systems[names[1]])
    before, after = (
        {id: score for id, score in system.scores.get(measure, {}).items() if id in ids} for system in systems
    )
    common = before.keys() & after.keys()
    wanted = [_wanted(system, measure) & set(ids) for system in systems]
    return ComparedPair(
        measure=measure,
        slice=name,
        baseline=names[0],
        system=names[1],
        dropped=len((wanted[0] | wanted[1]) - common),
        nan=(_count(systems[0].nan.get(measure, {}), ids), _count(systems[1].nan.get(measure, {}), ids)),
        failed=(_count(systems[0].failed, ids), _count(systems[1].failed, ids)),
        result=compare(before, after) if common else None,
    )


def _wanted(system: SystemScores, measure: Measure) -> set[str]:
    """The questions that were to be scored, whether that failed or not."""
    return system.scores.get(measure, {}).keys() | system.nan.get(measure, {}).keys()


def _count(counts: Mapping[str, int], ids: Collection[str]) -> int:
    return sum(count for id, count in counts.items() if id in ids)


def _adjusted(compared: Sequence[ComparedPair], family: Family) -> tuple[ComparedPair, ...]:
    tested = [number for number, pair in enumerate(compared) if pair.differing >= FEWEST]
    members = [_family_of(compared[number], number, family) for number in tested]
    q = adjust([_p(compared[number]) for number in tested], members)
    by_number = dict(zip(tested, q.tolist(), strict=True))
    return tuple(replace(pair, q=by_number.get(number)) for number, pair in enumerate(compared))


def _p(pair: ComparedPair) -> float:
    return pair.result.p if pair.result else 1.0


def _family_of(pair: ComparedPair, number: int, family: Family) -> object:
    families: dict[Family, object] = {
        "metric": pair.measure,
        "slice": (pair.measure, pair.slice),
        "all": None,
        "none": number,
    }
    return families[family]
