from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.statistics.agreement import correlate, judges_agreement, match_flags
from aitia.evaluation.statistics.comparisons import compare_systems
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, SystemScores
from aitia.evaluation.statistics.slices import AskedQuestion

FIRST, SECOND = Measure("coverage", "one"), Measure("coverage", "two")
IDS = [f"q{number}" for number in range(8)]


def bench(**systems: tuple[list[float], list[float]]) -> BenchScores:
    """Each system's scores by the first and by the second judge."""
    scored = {
        name: SystemScores(
            {
                FIRST: dict(zip(IDS, one, strict=False)),
                SECOND: dict(zip(IDS, two, strict=False)),
            },
            nan={},
            failed={},
        )
        for name, (one, two) in systems.items()
    }
    return BenchScores("tiny", {id: AskedQuestion("all") for id in IDS}, scored)


def test_correlations_worked_by_hand():
    # Ranks 1234 and 1342: d = 0, 1, 1, -2, so rho = 1 - 6 * 6 / (4 * 15) = 0.4; of six pairs four agree
    # and two do not: tau = 2 / 6.
    found = correlate([(1, 10), (2, 30), (3, 40), (4, 20)])
    assert found.n == 4
    assert found.spearman == pytest.approx(0.4)
    assert found.kendall == pytest.approx(1 / 3)


def test_kendall_with_shared_ranks():
    # tau-b: of six pairs three agree, one does not, one is shared by each side:
    # 2 / sqrt((6 - 1) * (6 - 1)) = 0.4.
    found = correlate([(1, 1), (1, 2), (2, 3), (3, 2)])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    rows = [(1, 1), (1, 2), (2, 3), (3, 2)]
    signs = [(rows[j][0] - rows[i][0]) * (rows[j][1] - rows[i][1]) for i, j in pairs]
    assert sum(sign > 0 for sign in signs) - sum(sign < 0 for sign in signs) == 2
    assert found.kendall == pytest.approx(0.4)


@pytest.mark.parametrize("pairs", [[], [(1, 2)], [(1, 2), (1, 3)], [(0.5, 0.5), (1, 0.5)]])
def test_without_spread_there_is_no_correlation(pairs):
    found = correlate(pairs)
    assert (found.n, found.spearman, found.kendall) == (len(pairs), None, None)


def test_judges_that_turn_the_ranking_round():
    found = judges_agreement(
        bench(a=([0.1], [0.9]), b=([0.4], [0.5]), c=([0.7], [0.1])), "coverage", "one", "two"
    )
    assert (found.systems.n, found.systems.spearman, found.systems.kendall) == (3, -1, -1)
    assert found.shift == pytest.approx((0.8 + 0.1 - 0.6) / 3)


def test_means_are_over_the_questions_that_both_judged():
    # By all its scores a would lead with the first judge (0.75 to 0.5); of those both judged it trails.
    tiny = bench(a=([0.25, 0.25, 1.0, 1.0, 1.0, 1.0], [0.0, 0.25]), b=([0.5, 0.5], [0.5, 0.75]))
    found = judges_agreement(tiny, "coverage", "one", "two")
    assert (found.systems.spearman, found.questions.n) == (pytest.approx(1), 4)
    assert found.shift == (-0.25 + 0 + 0 + 0.25) / 4


def test_no_question_judged_by_both():
    with pytest.raises(UsageError, match="no question was scored by both judges, 'one' and 'two'"):
        judges_agreement(bench(a=([0.1], [])), "coverage", "one", "two")


def test_too_few_questions_for_both_judges_are_no_verdict():
    tiny = bench(base=([0.25] * 5, [0.25] * 5), other=([0.5] * 5, [0.0] * 5))
    one, other = (
        compare_systems(tiny, [("base", "other")], [each], {"all": frozenset(IDS)})
        for each in (FIRST, SECOND)
    )
    assert match_flags(one, other) == ()


def test_flags_that_survive_and_those_that_do_not():
    low, high, mixed = [0.25] * 8, [0.5] * 8, [0.0, 0.5] * 4
    tiny = bench(
        base=(low, low), kept=(high, high), lost=(high, mixed), found=(mixed, low), turned=(high, [0.0] * 8)
    )
    pairs = [("base", name) for name in ("kept", "lost", "found", "turned")]
    everything = {"all": frozenset(IDS)}
    first = compare_systems(tiny, pairs, [FIRST], everything)
    second = compare_systems(tiny, pairs, [SECOND], everything)
    flags = {flag.first.system: flag for flag in match_flags(first, second[::-1])}
    assert {name: (flag.significant, flag.survives) for name, flag in flags.items()} == {
        "kept": (True, True),
        "lost": (True, False),
        "found": (False, True),
        "turned": (True, False),
    }
    assert (flags["found"].first.verdict, flags["found"].second.verdict) == ("not significant", "too few")
    assert (flags["turned"].first.verdict, flags["turned"].second.verdict) == ("better", "worse")
