from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.evaluation.statistics.compare import compare
from aitia.evaluation.statistics.comparisons import compare_systems, pair_systems
from aitia.evaluation.statistics.question_scores import BenchScores, Measure, SystemScores
from aitia.evaluation.statistics.slices import AskedQuestion

RECALL = Measure("evidence_recall")
COVERAGE = Measure("coverage", "judge")
IDS = [f"q{number}" for number in range(10)]
ALL = {"all": frozenset(IDS)}


def system(scores: dict[str, float], **more) -> SystemScores:
    fields = {"nan": {}, "failed": {}} | more
    return SystemScores(scores={RECALL: scores}, **fields)


def bench(**systems: SystemScores) -> BenchScores:
    return BenchScores("tiny", {id: AskedQuestion("all") for id in IDS}, systems)


LOW = dict.fromkeys(IDS, 0.25)
HIGH = dict.fromkeys(IDS, 0.5)
MIXED = {id: 0.25 + (0.25 if number % 2 else -0.25) for number, id in enumerate(IDS)}


def test_better_worse_and_not_significant():
    tiny = bench(low=system(LOW), high=system(HIGH), mixed=system(MIXED))
    found = compare_systems(tiny, pair_systems(["low", "high", "mixed"]), [RECALL], ALL)
    told = [(pair.baseline, pair.system, pair.result.delta, pair.verdict) for pair in found]
    assert told[:2] == [("low", "high", 0.25, "better"), ("low", "mixed", 0.0, "not significant")]
    backwards = compare_systems(tiny, [("high", "low")], [RECALL], ALL)
    assert (backwards[0].result.delta, backwards[0].verdict) == (-0.25, "worse")


def test_a_system_against_its_own_copy():
    (pair,) = compare_systems(bench(a=system(MIXED), b=system(dict(MIXED))), [("a", "b")], [RECALL], ALL)
    assert (pair.result.delta, pair.result.low, pair.result.high) == (0, 0, 0)
    assert (pair.n, pair.differing) == (10, 0)
    assert (pair.result.p, pair.q, pair.verdict) == (1, None, "too few")


def test_what_is_dropped_is_counted():
    # q0 is the baseline's alone, q1 failed in both of its runs, q2 in one of the system's three; q3 is outside.
    before = {id: 0.5 for id in IDS if id not in ("q1", "q9")}
    after = {id: 0.5 for id in IDS if id not in ("q0", "q9")}
    tiny = bench(
        a=system(before, nan={RECALL: {"q1": 2}}, failed={"q1": 2, "q3": 1}),
        b=system(after, nan={RECALL: {"q2": 1}}),
    )
    ids = frozenset(IDS) - {"q3"}
    (pair,) = compare_systems(tiny, [("a", "b")], [RECALL], {"some": ids})
    assert (pair.n, pair.dropped, pair.nan, pair.failed) == (6, 2, (2, 1), (2, 0))


def test_only_the_questions_of_the_slice_count():
    tiny = bench(a=system(LOW), b=system(MIXED))
    odd = frozenset(IDS[1::2])
    whole, part = compare_systems(tiny, [("a", "b")], [RECALL], {**ALL, "odd": odd})
    assert (whole.n, whole.result.delta) == (10, 0)
    assert (part.n, part.result.delta) == (5, 0.25)
    assert part.result == compare({id: LOW[id] for id in odd}, {id: MIXED[id] for id in odd})


@pytest.mark.parametrize(("questions", "verdict"), [(5, "too few"), (6, "better")])
def test_no_verdict_rests_on_fewer_than_six_questions(questions, verdict):
    # All questions point one way, so p is 0 for any n; by the sign test it is 2/32 with five, 2/64 with six.
    part = {"part": frozenset(IDS[:questions])}
    (pair,) = compare_systems(bench(a=system(LOW), b=system(HIGH)), [("a", "b")], [RECALL], part)
    assert (pair.result.p, pair.q is None, pair.verdict) == (0, questions < 6, verdict)


@pytest.mark.parametrize(
    ("questions", "differing", "verdict"),
    [(7, 4, "too few"), (100, 4, "too few"), (100, 5, "too few"), (100, 6, "better"), (100, 0, "too few")],
)
def test_questions_with_equal_scores_lend_no_weight(questions, differing, verdict):
    # The exact sign test of four that point one way is 2/16, however many more have equal scores.
    ids = [f"q{number}" for number in range(questions)]
    after = {id: float(number < differing) for number, id in enumerate(ids)}
    tiny = bench(a=system(dict.fromkeys(ids, 0.0)), b=system(after))
    (pair,) = compare_systems(tiny, [("a", "b")], [RECALL], {"all": ids})
    assert (pair.n, pair.differing, pair.q is None, pair.verdict) == (
        questions,
        differing,
        verdict == "too few",
        verdict,
    )
    if (questions, differing) == (100, 4):
        assert pair.result.p < 0.05  # 2 * (96/100)^100 = 0.034: it is still shown, and flags nothing


# p of this difference is near 0.02: seven of the ten questions are 0.25 better, three 0.125 worse.
SOME = {id: 0.5 if number < 7 else 0.125 for number, id in enumerate(IDS)}


def test_families():
    p = compare(LOW, SOME).p
    assert 0.005 < p < 0.05
    fields = {"nan": {}, "failed": {}}
    tiny = bench(
        a=SystemScores({RECALL: LOW, COVERAGE: LOW}, **fields),
        b=SystemScores({RECALL: SOME, COVERAGE: MIXED}, **fields),
    )
    parts = {**ALL, "half": frozenset(IDS[:6])}

    def q(family):
        found = compare_systems(tiny, [("a", "b")], [RECALL, COVERAGE], parts, family)
        return [pair.q for pair in found]

    # p of recall: p over all ten, 0 over the first six; of coverage: 1 and 1.
    assert q("none") == [p, 0, 1, 1]
    assert q("slice") == [p, 0, 1, 1]
    assert q("metric") == [pytest.approx(p), 0, 1, 1]
    assert q("all") == [pytest.approx(2 * p), 0, 1, 1]


def test_too_few_questions_stay_out_of_the_family():
    tiny = bench(a=system(LOW), b=system(SOME))
    parts = {**ALL, "few": frozenset(IDS[:3])}
    whole, few = compare_systems(tiny, [("a", "b")], [RECALL], parts)
    assert (whole.q, few.q) == (whole.result.p, None)


def test_pairs():
    assert pair_systems(["a", "b", "c"]) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert pair_systems(["a", "b", "c"], "b") == (("b", "a"), ("b", "c"))
    with pytest.raises(UsageError, match="baseline 'd' has no scores; expected one of a, b"):
        pair_systems(["a", "b"], "d")
    with pytest.raises(UsageError, match="expected two scored systems or more, found a"):
        pair_systems(["a"])


def test_a_pair_without_a_common_question_stands_among_others():
    tiny = bench(a=system({"q0": 1.0}), b=system({"q1": 1.0}), c=system(LOW))
    found = compare_systems(tiny, pair_systems(["a", "b", "c"]), [RECALL], ALL)
    assert [(pair.n, pair.dropped, pair.verdict) for pair in found] == [
        (0, 2, "too few"),
        (1, 9, "too few"),
        (1, 9, "too few"),
    ]


def test_nothing_in_common_at_all_is_an_error():
    tiny = bench(a=system({"q0": 1.0}), b=system({"q1": 1.0}))
    with pytest.raises(UsageError, match=r"no two systems have a question in common .* evidence_recall"):
        compare_systems(tiny, [("a", "b")], [RECALL], ALL)
