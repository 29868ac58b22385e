"""Which pairs are asked about: by hand over four doses and one risk.

Dose a shares a sentence with the risk, dose b a chunk, dose c an entity, dose d a sentence and an entity.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aitia.methods.hcg.candidates import collect_mentions
from aitia.methods.hcg.choose import choose_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import Earlier
from aitia.spec.claims import RelationClaim, Verdict
from aitia.spec.model import DomainSpec, Metric, Quote, Relation, Variable

CHUNKS = {"c1": 0, "c2": 1}
BOTH = Quote(text="Dose a raises risk.", chunk_id="c1")
B = Quote(text="Dose b.", chunk_id="c1")
D = Quote(text="Dose d raises risk.", chunk_id="c2")
DOSES = ("a", "b", "c", "d")
SPEC = DomainSpec(
    metrics=tuple(
        Metric(name=n, signature=("who", "of"), description="", category="") for n in ("Dose", "Risk")
    ),
    variables=(
        *(Variable(metric="Dose", entities=(name, "x" if name in "cd" else "y")) for name in DOSES),
        Variable(metric="Risk", entities=("r", "x")),
    ),
)
KEYS = [variable.key for variable in SPEC.variables]
QUOTES = {KEYS[0]: [BOTH], KEYS[1]: [B], KEYS[3]: [D], KEYS[4]: [BOTH, D]}
TEMPLATES = [("Dose", "Risk")]
ALL = [(KEYS[row], KEYS[4]) for row in range(4)]


def choose(limit, earlier=None, spec=SPEC, gone=()):
    rows = {chunk: row for row, chunk in enumerate(chunk for chunk in CHUNKS if chunk not in gone)}
    mentions = collect_mentions(spec.variables, QUOTES, rows)
    choice = choose_pairs(spec, mentions, TEMPLATES, BuildSettings(max_pairs=limit), earlier)
    return [(KEYS[a], KEYS[b]) for a, b in choice.ask.tolist()], choice


def verdict(row, *quotes, **fields):
    source, target = ALL[row]
    claims = tuple(
        RelationClaim(source=source, target=target, mechanism="m", confidence=0.5, quote=quote)
        for quote in quotes
    )
    return Verdict(source=source, target=target, claims=claims, **fields)


def earlier(*verdicts, without=(), chunks=("c1", "c2")):
    return Earlier(verdicts, frozenset(KEYS) - set(without), frozenset(chunks))


@pytest.mark.parametrize(
    ("limit", "rows"),
    [(None, [0, 1, 2, 3]), (4, [0, 1, 2, 3]), (3, [0, 1, 3]), (2, [0, 3]), (1, [3]), (0, [])],
)
def test_a_cap_keeps_the_pairs_that_share_most(limit, rows):
    asked, choice = choose(limit)
    assert asked == [ALL[row] for row in rows]  # in canonical order
    assert choice.left_out == 4 - len(rows)
    assert choice.standing == ()


def test_under_a_cap_what_a_quote_states_already_is_not_asked():
    def seeded(*quotes):
        relation = Relation(source=KEYS[0], target=KEYS[4], mechanism="m", confidence=0.5, quotes=quotes)
        return SPEC.model_copy(update={"relations": (relation,)})

    assert choose(9, spec=seeded(BOTH))[0] == ALL[1:]
    assert choose(9, spec=seeded(BOTH))[1].left_out == 0
    assert choose(9, spec=seeded())[0] == ALL
    assert choose(None, spec=seeded(BOTH))[0] == ALL


def test_nothing_new_nothing_asked_and_what_was_left_out_stays_out():
    known = verdict(0, BOTH, shown=True)
    asked, choice = choose(9, earlier(known))
    assert (asked, choice.left_out, choice.standing) == ([], 0, (known,))


def test_pairs_of_new_variables_are_asked_up_to_the_cap():
    before = earlier(verdict(0, shown=True), without=(KEYS[1], KEYS[2], KEYS[3]))
    assert choose(9, before)[0] == ALL[1:]
    asked, choice = choose(2, before)
    assert asked == [ALL[1], ALL[3]]
    assert choice.left_out == 1


def test_known_variables_in_a_new_chunk_are_a_new_pair_unless_they_were_a_candidate():
    assert choose(9, earlier(chunks=("c2",)))[0] == ALL[:2]  # c and d share an entity with the risk
    seed = Relation(source=KEYS[1], target=KEYS[4], mechanism="m", confidence=0.5, quotes=(D,))
    spec = SPEC.model_copy(update={"relations": (seed,)})
    assert choose(9, earlier(chunks=("c2",)), spec=spec)[0] == ALL[:1]


def test_a_verdict_whose_pair_is_no_candidate_any_more_goes():
    assert choose(9, earlier(verdict(1), verdict(2)), gone=("c1",))[1].standing == (verdict(2),)


def test_a_verdict_sleeps_while_all_that_it_rests_on_is_still_there():
    quoted = verdict(1, BOTH, shown=True, chunks=("c1",))
    gone, empty = verdict(2, chunks=("c1", "c9")), verdict(0, shown=True)
    nowhere = Verdict(source="Dose(e)", target=KEYS[4], chunks=("c2",))
    _, choice = choose(
        9, earlier(quoted, gone, empty, nowhere), spec=SPEC.model_copy(update={"variables": ()})
    )
    assert (choice.standing, choice.asleep) == ((), (quoted, nowhere))
    asked, choice = choose(9, earlier(quoted, nowhere, without=(KEYS[1],)))
    assert (asked, choice.standing, choice.asleep) == ([], (quoted,), (nowhere,))


def test_a_claim_stands_by_its_quote_by_another_chunk_or_by_having_been_shown_none():
    gone = Quote(text="Dose d and risk.", chunk_id="c9")
    for given, expected in [
        (verdict(3, D, shown=True), verdict(3, D, shown=True)),
        (verdict(3, gone, shown=True), verdict(3, None, shown=True)),
        (verdict(2, None), verdict(2, None)),
        (verdict(2, gone, shown=True), verdict(2, shown=True, lapsed=True)),
        (verdict(2, None, shown=True), verdict(2, shown=True, lapsed=True)),
        (verdict(2, shown=True), verdict(2, shown=True)),
        (verdict(2, shown=True, lapsed=True), verdict(2, shown=True, lapsed=True)),
    ]:
        assert choose(9, earlier(given))[1].standing == (expected,)


def test_a_lapsed_pair_is_asked_again_when_a_new_chunk_names_both():
    lapsed = verdict(3, shown=True, lapsed=True)
    assert choose(9, earlier(lapsed))[0] == []
    assert choose(9, earlier(lapsed, chunks=("c1",)))[0] == [ALL[3]]
    assert choose(9, earlier(replace_shown(lapsed), chunks=("c1",)))[0] == []


def replace_shown(lapsed):
    """The same pair, whose verdict did not lapse."""
    return lapsed.model_copy(update={"lapsed": False})


def test_nothing_to_choose_from():
    nothing = collect_mentions((), {}, {})
    for before in (None, replace(earlier(verdict(0)), variables=frozenset())):
        choice = choose_pairs(DomainSpec(), nothing, [], BuildSettings(max_pairs=3), before)
        assert (choice.ask.shape, choice.standing, choice.left_out) == ((0, 2), (), 0)
        assert np.issubdtype(choice.ask.dtype, np.integer)
