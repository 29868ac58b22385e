"""Everything that is said of bench folders in one comparison: pairs, judges, flags, frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aitia.errors import UsageError
from aitia.evaluation.statistics.agreement import Agreement, Flag, judges_agreement, match_flags
from aitia.evaluation.statistics.comparisons import ComparedPair, Family, compare_systems, pair_systems
from aitia.evaluation.statistics.frontier import Standing
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, read_bench_scores
from aitia.evaluation.statistics.slices import ALL, choose, slices

CORRECTNESS = "answer_correctness"
COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to compare: no baseline means all pairs, no metrics all, no judge the first that was asked."""

    baseline: str | None = None
    metrics: tuple[str, ...] = ()
    judge: str | None = None
    slices: tuple[str, ...] = (ALL,)
    family: Family = "metric"


@dataclass(frozen=True, slots=True)
class ComparisonTables:
    """The comparisons by ``judge`` (empty where no model judged), and how the other judges see them.

    ``standings`` are the systems whose correctness, coverage and nodes are all known. ``left_out`` are measures
    on which no pair has enough differing questions, where no metric was wished for and others have.
    """

    bench: BenchScores
    judge: str
    pairs: tuple[ComparedPair, ...]
    agreements: tuple[Agreement, ...]
    flags: Mapping[str, tuple[Flag, ...]]
    standings: Mapping[str, Standing]
    left_out: tuple[Measure, ...] = ()


def compare_folders(folders: Sequence[Path], wish: Wish) -> ComparisonTables:
    """Compare the systems of bench folders.

    Raises:
        UsageError: an unknown baseline, metric, judge or slice, or nothing to compare.
        CorpusError: a folder that cannot be used.

    """
    bench = read_bench_scores(folders)
    pairs = pair_systems(tuple(bench.systems), wish.baseline)
    judge = _choose_judge(bench, wish.judge)
    measures = _choose_measures(bench, judge, wish.metrics)
    parts = choose(slices(bench.questions), wish.slices)
    compared = compare_systems(bench, pairs, measures, parts, wish.family)
    tested = {pair.measure for pair in compared if pair.verdict != "too few"}
    left_out = tuple(measure for measure in measures if tested and not wish.metrics and measure not in tested)
    measures = [measure for measure in measures if measure not in left_out]
    compared = tuple(pair for pair in compared if pair.measure not in left_out)
    agreements, flags = [], {}
    for other in bench.judges():
        judged = [m.metric for m in measures if m.judge and Measure(m.metric, other) in bench.measures()]
        if other == judge or not judged:
            continue
        again = compare_systems(
            bench, pairs, [Measure(metric, other) for metric in judged], parts, wish.family
        )
        agreements += [judges_agreement(bench, metric, judge, other) for metric in judged]
        flags[other] = match_flags([pair for pair in compared if pair.measure.judge], again)
    standings = stand(bench, judge)
    return ComparisonTables(bench, judge, compared, tuple(agreements), flags, standings, left_out)


def stand(bench: BenchScores, judge: str) -> dict[str, Standing]:
    """Where the systems stand by a judge, each metric a mean over the questions that all of them have."""
    measures = (Measure(CORRECTNESS, judge), Measure(COVERAGE, judge))
    placed = {
        name: (system.nodes, [system.scores[measure] for measure in measures])
        for name, system in bench.systems.items()
        if system.nodes is not None and all(system.scores.get(measure) for measure in measures)
    }
    common = [
        sorted(set(bench.questions).intersection(*(scores[number] for _, scores in placed.values())))
        for number in range(len(measures))
    ]
    if not placed or not all(common):
        return {}
    return {
        name: Standing(
            correctness=_mean(correctness, common[0]), coverage=_mean(coverage, common[1]), nodes=nodes
        )
        for name, (nodes, (correctness, coverage)) in placed.items()
    }


def _mean(scores: Mapping[str, float], ids: Sequence[str]) -> float:
    return sum(scores[id] for id in ids) / len(ids)


def _choose_judge(bench: BenchScores, judge: str | None) -> str:
    judges = bench.judges()
    if judge is None:
        return judges[0] if judges else ""
    if judge not in judges:
        raise UsageError(f"no scores by judge {judge!r}; found {', '.join(judges) or 'model-free ones only'}")
    return judge


def _choose_measures(bench: BenchScores, judge: str, metrics: Sequence[str]) -> list[Measure]:
    """The measures of some metrics, in that order, by a judge or by none."""
    known = [measure for measure in bench.measures() if measure.judge in ("", judge)]
    names = tuple(dict.fromkeys(measure.metric for measure in known))
    for metric in metrics:
        if metric not in names:
            raise UsageError(f"no scores of metric {metric!r}; expected of {', '.join(names)}")
    wanted = dict.fromkeys(metrics or names)
    return [measure for metric in wanted for measure in known if measure.metric == metric]
