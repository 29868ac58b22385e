from __future__ import annotations

from aitia.spec.claims import OutcomeClaim, Rejection
from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Quote, Relation, Variable
from aitia.spec.roles import canonical, tag_roles


def metric(name: str, role: str = "intermediate") -> Metric:
    return Metric(name=name, signature=(), description="", category="", graph_role=role)  # type: ignore[arg-type]


def test_named_metrics_get_their_role_and_others_keep_theirs() -> None:
    outcomes = OutcomeConfig(terminal=("survival rates",), outcome=("Quality of life(disease)",))
    metrics, rejected = tag_roles(
        [metric("SurvivalRate"), metric("QualityOfLife"), metric("Stage", "outcome"), metric("Age")], outcomes
    )
    assert [one.graph_role for one in metrics] == ["terminal", "outcome", "outcome", "intermediate"]
    assert rejected == []


def test_an_unknown_name_is_rejected_and_terminal_wins() -> None:
    outcomes = OutcomeConfig(terminal=("Survival", "Weather"), outcome=("survival",))
    metrics, rejected = tag_roles([metric("Survival")], outcomes)
    assert metrics == (metric("Survival", "terminal"),)
    assert rejected == [
        Rejection(claim=OutcomeClaim(metric="Weather", role="terminal"), reason="unknown_metric"),
        Rejection(
            claim=OutcomeClaim(metric="survival", role="outcome"),
            reason="duplicate",
            detail="Survival is already terminal",
        ),
    ]


def test_canonical_order_is_by_name_and_leaves_signatures() -> None:
    first, second = Quote(text="a", chunk_id="1"), Quote(text="b", chunk_id="0")
    spec = DomainSpec(
        dimensions=(
            Dimension(name="b", entities=("z", "y"), aliases={"q": "z", "p": "y"}),
            Dimension(name="a"),
        ),
        metrics=(
            Metric(name="N", signature=("b", "a"), description="", category=""),
            Metric(name="M", signature=("b",), description="", category=""),
        ),
        variables=(Variable(metric="M", entities=("z",)), Variable(metric="M", entities=("y",))),
        relations=(
            Relation(source="M(z)", target="M(y)", mechanism="", confidence=1),
            Relation(source="M(y)", target="M(z)", mechanism="", confidence=1, quotes=(first, second)),
        ),
    )
    ordered = canonical(spec)
    assert [dimension.name for dimension in ordered.dimensions] == ["a", "b"]
    assert ordered.dimensions[1].entities == ("y", "z")
    assert list(ordered.dimensions[1].aliases) == ["p", "q"]
    assert [one.label for one in ordered.metrics] == ["M(b)", "N(b, a)"]
    assert [variable.key for variable in ordered.variables] == ["M(y)", "M(z)"]
    assert [relation.source for relation in ordered.relations] == ["M(y)", "M(z)"]
    assert ordered.relations[0].quotes == (second, first)
    assert canonical(ordered) == ordered
