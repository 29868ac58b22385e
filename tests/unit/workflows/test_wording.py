from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.workflows.queue import QueueItem
from aitia.workflows.wording import decision_of, judgement, share_of, word_of

EDGE = "Level(mite) -> Mortality(bee)"


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (("rename", "metric", "Level", "Amount"), {"to": "Amount"}),
        (("merge", "entity", "subject/a", "subject/b"), {"into": "subject/b"}),
        (("role", "metric", "Level", "terminal"), {"to": "terminal"}),
        (("edit", "edge", EDGE, "it kills"), {"field": "mechanism", "to": "it kills"}),
        (("edit", "edge", EDGE, "0,7", "confidence"), {"field": "confidence", "to": 0.7}),
        (("edit", "metric", "Level", "", "description"), {"field": "description", "to": ""}),
        (("flip", "edge", EDGE), {}),
        (("delete", "variable", "Level(mite)"), {}),
    ],
)
def test_words_become_a_decision(said, value):
    made = decision_of(*said)
    assert (made.action, made.kind, made.target, dict(made.value)) == (*said[:3], value)


def test_a_new_metric_is_told_by_its_label():
    made = decision_of("add", "metric", "Dose(drug, time)")
    assert (made.target, made.value) == ("Dose", {"signature": ["drug", "time"]})
    with pytest.raises(UsageError, match="not closed"):
        decision_of("add", "metric", "Dose(drug")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (("flip", "metric", "Level"), "a metric cannot be 'flip'; expected one of rename, merge"),
        (("flip", "edge", ""), "flip edge: found no key"),
        (("flip", "edge", EDGE, "x"), "flip edge: found 'x' beside it; expected nothing"),
        (("rename", "metric", "Level"), "found no word what it becomes"),
        (
            ("edit", "edge", EDGE, "x", "colour"),
            "found the field 'colour'; expected one of mechanism, polarity",
        ),
        (("flip", "edge", EDGE, "", "polarity"), "found the field 'polarity'; expected none"),
    ],
)
def test_what_cannot_be_is_refused(said, message):
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        decision_of(*said)


def test_to_accept_a_rejected_claim_is_to_add_it():
    claim = {"mechanism": "it kills", "confidence": 0.4, "polarity": "positive"}
    waiting = [
        QueueItem("rejected", "edge", EDGE, (), 0.2, "it kills", claim),
        QueueItem("merge", "merge", "a -> b", (), 0.1),
    ]
    added = judgement("accept", EDGE, None, waiting)
    assert (added.action, added.kind, added.value) == ("add", "edge", claim)
    assert judgement("reject", EDGE, None, waiting).action == "reject"
    assert judgement("accept", "a -> b", None, waiting).kind == "merge"
    assert judgement("accept", "x -> y", None, waiting).kind == "edge"
    assert judgement("reject", "x -> y", "gate", waiting).kind == "gate"
    with pytest.raises(UsageError, match="expected a key with ->"):
        judgement("accept", "Level", None, waiting)


def test_shares_and_words():
    assert (share_of("1"), share_of("0,25")) == (1.0, 0.25)
    for text in ("1.1", "-0.1", "nan", "much", ""):
        with pytest.raises(UsageError, match="expected a number from 0 to 1"):
            share_of(text)
    assert word_of("accept", "gate") == ("accept", "gate")
    with pytest.raises(UsageError, match="decision: found 'acept'; expected one of flip, edit"):
        word_of("acept", "edge")
    with pytest.raises(UsageError, match="kind: found 'egde'; expected one of dimension"):
        word_of("accept", "egde")
