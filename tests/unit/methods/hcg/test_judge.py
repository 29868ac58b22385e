from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.hcg.candidates import collect_mentions
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.judge import Effort, judge_edges
from aitia.spec.claims import RelationClaim, TemplateClaim
from aitia.spec.model import Dimension, DomainSpec, Metric, Quote, Relation, Variable

ROWS = {"c1": 0, "c2": 1}
RAISES = Quote(text="Dose a raises risk.", chunk_id="c1")
LOWERS = Quote(text="Level a lowers risk.", chunk_id="c2")
ALSO = Quote(text="Dose a, dose b and risk.", chunk_id="c2")


def metric(name, role="intermediate"):
    return Metric(name=name, signature=("who",), description="", category="", graph_role=role)


def relation(source, target, **fields):
    return Relation(source=source, target=target, **{"mechanism": "m", "confidence": 0.5, **fields})


SPEC = DomainSpec(
    dimensions=(Dimension(name="who", entities=("a", "b")),),
    metrics=(metric("Dose"), metric("Level"), metric("Risk", "terminal")),
    variables=tuple(
        Variable(metric=name, entities=(entity,))
        for name, entity in (("Dose", "a"), ("Dose", "b"), ("Level", "a"), ("Risk", "a"))
    ),
    relations=(
        relation("Dose(a)", "Risk(a)", confidence=0.75, quotes=(RAISES,)),
        relation("Level(a)", "Risk(a)", quotes=(LOWERS,)),
    ),
)
QUOTES = {
    "Dose(a)": [RAISES, ALSO],
    "Dose(b)": [ALSO],
    "Level(a)": [LOWERS],
    "Risk(a)": [RAISES, LOWERS, ALSO],
}
MENTIONS = collect_mentions(SPEC.variables, QUOTES, ROWS)
CANDIDATES = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], bool)


class Judge:
    """Says what it is told to, and remembers what it was asked."""

    def __init__(self, templates=(), relations=()):
        self.templates, self.relations = templates, relations

    def judge_metric_edges(self, requests):
        self.metric_requests = requests
        return list(self.templates)

    def judge_node_edges(self, requests):
        self.node_requests = requests
        return list(self.relations)


def template(source, target, confidence=0.5, mechanism=""):
    return TemplateClaim(source=source, target=target, mechanism=mechanism, confidence=confidence)


def claim(source, target, **fields):
    return RelationClaim(source=source, target=target, **{"mechanism": "m", "confidence": 0.5, **fields})


def judge(*arguments, candidates=CANDIDATES, **settings):
    analyst = Judge(*arguments)
    return judge_edges(SPEC, MENTIONS, candidates, analyst, BuildSettings(**settings)), analyst


def test_one_request_a_source_metric_with_its_best_quotes():
    _, analyst = judge()
    dose, level = analyst.metric_requests
    assert (dose.source.name, [each.name for each in dose.candidates]) == ("Dose", ["Level", "Risk"])
    assert dose.evidence == (ALSO, RAISES)  # three variables are mentioned in the first, two in the second
    assert (level.source.name, level.evidence) == ("Level", (LOWERS,))
    assert dose.dimensions == SPEC.dimensions


def test_a_summary_is_short_but_has_the_quotes_of_seed_relations():
    _, analyst = judge(summary_quotes=1)
    assert analyst.metric_requests[0].evidence == (ALSO, RAISES)
    _, analyst = judge(summary_quotes=1, candidates=np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]], bool))
    assert [each.evidence for each in analyst.metric_requests] == [(ALSO,)]


def test_pairs_under_templates_with_the_sentences_that_name_both():
    _, analyst = judge([template("Dose", "Risk")])
    (batch,) = analyst.node_requests
    assert [(each.source.key, each.target.key, each.evidence) for each in batch.pairs] == [
        ("Dose(a)", "Risk(a)", (RAISES, ALSO)),
        ("Dose(b)", "Risk(a)", (ALSO,)),
    ]
    assert (batch.metrics, batch.dimensions) == (SPEC.metrics, SPEC.dimensions)


def test_batches():
    _, analyst = judge([template("Dose", "Risk"), template("Dose", "Level")], pairs_per_call=2)
    assert [len(batch.pairs) for batch in analyst.node_requests] == [2, 2]


def test_seed_relations_are_kept_under_a_template_and_refused_without():
    judged, _ = judge([template("Dose", "Risk")])
    assert judged.relations == (SPEC.relations[0],)
    (refused,) = judged.rejected
    assert (refused.claim.source, refused.claim.target) == ("Level(a)", "Risk(a)")
    assert (refused.reason, refused.claim.quote) == ("not_judged_causal", LOWERS)


def test_claims_join_the_seed_relation_of_their_pair():
    judged, _ = judge(
        [template("Dose", "Risk"), template("Level", "Risk")],
        [
            claim("Dose(a)", "Risk(a)", confidence=0.9, mechanism="kills", polarity="positive", quote=ALSO),
            claim("Dose(b)", "Risk(a)", polarity="none"),
        ],
    )
    assert judged.rejected == ()
    assert judged.relations == (
        relation(
            "Dose(a)",
            "Risk(a)",
            confidence=0.9,
            mechanism="kills",
            polarity="positive",
            quotes=(RAISES, ALSO),
        ),
        relation("Dose(b)", "Risk(a)", polarity="none"),
        SPEC.relations[1],
    )


def test_of_several_templates_for_a_pair_the_most_confident():
    judged, _ = judge([template("Dose", "Risk", 0.9, "sure"), template("Dose", "Risk", 0.2, "perhaps")])
    (kept,) = judged.templates
    assert (kept.source, kept.target, kept.mechanism, kept.confidence) == ("Dose", "Risk", "sure", 0.9)


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (("Dose", "Weight"), "unknown_metric"),
        (("Weight", "Risk"), "unknown_metric"),
        (("Dose", "Dose"), "self_loop"),
        (("Risk", "Dose"), "terminal_source"),
        (("Level", "Dose"), "not_asked"),
    ],
)
def test_templates_that_nobody_asked_about_are_refused(pair, reason):
    judged, _ = judge([template(*pair)])
    assert judged.templates == ()
    assert [each.reason for each in judged.rejected if each.claim == template(*pair)] == [reason]


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (("Dose(a)", "Risk(z)"), "unknown_endpoint"),
        (("Dose(z)", "Risk(a)"), "unknown_endpoint"),
        (("Dose(a)", "Dose(a)"), "self_loop"),
        (("Risk(a)", "Dose(a)"), "terminal_source"),
        (("Level(a)", "Dose(a)"), "not_asked"),
        (("Dose(a)", "Level(a)"), "not_asked"),  # there is no template
    ],
)
def test_edges_that_nobody_asked_about_are_refused(pair, reason):
    judged, _ = judge([template("Dose", "Risk"), template("Level", "Risk")], [claim(*pair)])
    assert judged.relations == SPEC.relations
    assert [(each.claim, each.reason) for each in judged.rejected] == [(claim(*pair), reason)]


def test_effort_beside_the_bound():
    judged, _ = judge([template("Dose", "Risk"), template("Dose", "Level")], pairs_per_call=3)
    # 3 * 2 ordered pairs of metrics, 2 * 1 variables under each of the templates.
    assert judged.effort == Effort(3, 2, 4, 2, 6 + 2 + 2)


def test_nothing_to_judge():
    analyst = Judge()
    judged = judge_edges(
        DomainSpec(), collect_mentions((), {}, {}), np.zeros((0, 0), bool), analyst, BuildSettings()
    )
    assert (judged.templates, judged.relations, judged.rejected) == ((), (), ())
    assert judged.effort == Effort(0, 0, 0, 0, 0)
    assert (analyst.metric_requests, analyst.node_requests) == ([], [])
