from __future__ import annotations

from aitia.spec.assemble import close_vocabulary
from aitia.spec.claims import DimensionClaim, EntityClaim, MetricClaim, Rejection
from aitia.spec.model import Dimension, Metric, OutcomeConfig
from aitia.spec.tiers import TIERS, Tier

SMALL = Tier("XS", max_metrics=2, max_dimensions=2)
NO_OUTCOMES = OutcomeConfig()


def axis(name: str, support: int = 1, *entities: EntityClaim) -> DimensionClaim:
    return DimensionClaim(name=name, support=support, entities=entities)


def measure(name: str, *signature: str, support: int = 1, description: str = "") -> MetricClaim:
    return MetricClaim(name=name, signature=signature, description=description, category="c", support=support)


def test_dimensions_that_fold_to_one_name_are_one() -> None:
    claims = [
        DimensionClaim(
            name="Diseases",
            description="rare words",
            support=1,
            entities=(EntityClaim(name="Melanomas", mentions=2), EntityClaim(name="naevus")),
        ),
        DimensionClaim(
            name="disease",
            description="the disease spoken of",
            support=3,
            entities=(EntityClaim(name="melanoma", mentions=5, aliases=("skin cancer",)),),
        ),
    ]
    dimensions, metrics, rejected = close_vocabulary(claims, [], NO_OUTCOMES, SMALL)
    assert dimensions == (
        Dimension(
            name="disease",
            description="the disease spoken of",
            entities=("melanoma", "naevus"),
            aliases={"skin cancer": "melanoma"},
        ),
    )
    assert metrics == ()
    assert rejected == ()


def test_the_caps_keep_the_best_supported() -> None:
    claims = [axis("a", 1), axis("b", 5), axis("c", 2), axis("a", 2)]
    dimensions, _, rejected = close_vocabulary(claims, [], NO_OUTCOMES, SMALL)
    assert [dimension.name for dimension in dimensions] == ["a", "b"]
    assert rejected == (
        Rejection(claim=axis("c", 2), reason="over_cap", detail="the tier keeps 2 dimensions"),
    )


def test_a_metric_named_as_an_outcome_comes_first_under_the_cap() -> None:
    claims = [measure("A", support=9), measure("B", support=8), measure("Rare", support=1)]
    outcomes = OutcomeConfig(terminal=("rares",), outcome=("unheard of",))
    _, metrics, rejected = close_vocabulary([], claims, outcomes, SMALL)
    assert [(metric.name, metric.graph_role) for metric in metrics] == [
        ("A", "intermediate"),
        ("Rare", "terminal"),
    ]
    assert [rejection.claim for rejection in rejected] == [claims[1]]


def test_metrics_need_known_dimensions() -> None:
    claims = [measure("A", "Diseases"), measure("B", "drug"), measure(" "), measure("C", "Stagings")]
    _, metrics, rejected = close_vocabulary([axis("disease"), axis("staging")], claims, NO_OUTCOMES, SMALL)
    assert [metric.label for metric in metrics] == ["A(disease)", "C(staging)"]
    assert [(rejection.claim, rejection.reason, rejection.detail) for rejection in rejected] == [
        (claims[2], "empty", ""),
        (claims[1], "unknown_dimension", "drug"),
    ]


def test_one_metric_with_two_signatures_keeps_the_better_supported() -> None:
    claims = [
        measure("Survival", "disease", support=2, description="how long"),
        measure("survivals", "disease", "stage", support=3),
        measure("Survival", "disease", support=2),
    ]
    _, metrics, rejected = close_vocabulary([axis("disease"), axis("stage")], claims, NO_OUTCOMES, SMALL)
    assert metrics == (Metric(name="Survival", signature=("disease",), description="how long", category="c"),)
    assert rejected == (
        Rejection(claim=claims[1], reason="duplicate", detail="the better supported signature is (disease)"),
    )


def test_entities_that_cannot_be_are_rejected_alone() -> None:
    claim = axis("disease", 1, EntityClaim(name="Any"), EntityClaim(name=" "), EntityClaim(name="melanoma"))
    dimensions, _, rejected = close_vocabulary([claim, axis("ANY")], [], NO_OUTCOMES, SMALL)
    assert dimensions == (Dimension(name="disease", entities=("melanoma",)),)
    assert [(one.reason, one.claim.name, one.detail) for one in rejected] == [  # type: ignore[union-attr]
        ("empty", "disease", "entity ' '"),
        ("reserved_name", "ANY", ""),
        ("reserved_name", "disease", "entity 'Any'"),
    ]


def test_an_alias_belongs_to_one_entity_and_never_hides_another() -> None:
    claim = axis(
        "disease",
        1,
        EntityClaim(name="melanoma", mentions=5, aliases=("skin tumour", "naevus")),
        EntityClaim(name="carcinoma", mentions=2, aliases=("skin tumour",)),
        EntityClaim(name="naevus", aliases=("Naevi", "any")),
    )
    dimensions, _, rejected = close_vocabulary([claim], [], NO_OUTCOMES, TIERS["S"])
    assert dimensions[0].aliases == {"Naevi": "naevus", "skin tumour": "melanoma"}
    lost = sorted((one.reason, one.claim.entities[0].name, one.claim.entities[0].aliases) for one in rejected)  # type: ignore[union-attr]
    assert lost == [
        ("duplicate", "carcinoma", ("skin tumour",)),
        ("duplicate", "melanoma", ("naevus",)),
        ("reserved_name", "naevus", ("any",)),
    ]
