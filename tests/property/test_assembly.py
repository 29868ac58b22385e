"""The order of claims changes nothing, and every claim is accounted for."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from aitia.spec.assemble import Given, assemble, close_vocabulary
from aitia.spec.claims import DimensionClaim, EntityClaim, MetricClaim, RelationClaim, VariableClaim
from aitia.spec.model import Dimension, Metric, OutcomeConfig, Quote, Variable
from aitia.spec.names import fold
from aitia.spec.tiers import Tier

DIMENSIONS = (
    Dimension(
        name="disease",
        entities=("melanoma", "small cell lung cancer", "tumour"),
        aliases={"skin cancer": "melanoma"},
    ),
    Dimension(name="stage", entities=("stage I", "stage II")),
)
METRICS = (
    Metric(name="Staging", signature=("disease", "stage"), description="", category=""),
    Metric(name="Survival", signature=("disease",), description="", category=""),
    Metric(name="Dose", signature=("stage",), description="", category="", kind="fixed"),
    Metric(name="Climate", signature=(), description="", category=""),
)
GIVEN = Given(variables=(Variable(metric="Dose", entities=("stage I",)),))

metric_names = st.sampled_from(["Staging", "staging", "Survivals", "Dose", "Climate", "Unheard", "", "a(b"])
entity_names = st.sampled_from(
    ["melanoma", "Melanomas", "skin-cancer", "tumor", "non-small cell lung cancer", "stage 1", "Stage II",
     "stage III", "any", "ANY", "", " ", "naevus", "nævi", "a, b (c)", "NAEVUS", "naevuses"]
)  # fmt: skip
quotes = st.none() | st.builds(
    Quote, text=st.sampled_from(["one", "two"]), chunk_id=st.sampled_from(["c1", "c2"])
)
bindings = st.tuples(metric_names, st.lists(entity_names, max_size=3).map(tuple))
variable_claims = st.lists(
    st.builds(
        lambda binding, quote: VariableClaim(metric=binding[0], entities=binding[1], quote=quote),
        bindings,
        quotes,
    ),
    max_size=12,
)
endpoints = bindings.map(lambda binding: f"{binding[0]}({', '.join(binding[1])})") | st.text(max_size=8)
relation_claims = st.lists(
    st.builds(
        RelationClaim,
        source=endpoints,
        target=endpoints,
        mechanism=st.sampled_from(["", "by growth", "by spread"]),
        confidence=st.sampled_from([0.0, 0.3, 1.0]),
        polarity=st.sampled_from(["positive", "negative", "unclear", "none"]),
        quote=quotes,
    ),
    max_size=12,
)
outcomes = st.builds(
    OutcomeConfig,
    terminal=st.sampled_from([(), ("survival",), ("nothing known",)]),
    outcome=st.sampled_from([(), ("Survival", "Staging(disease, stage)")]),
)
limits = st.sampled_from([None, 1, 3])


@settings(max_examples=60, deadline=None)
@given(variable_claims, relation_claims, outcomes, limits, st.randoms(use_true_random=False))
def test_the_order_of_claims_changes_nothing(variables, relations, roles, limit, random) -> None:
    given_values = Given(variables=GIVEN.variables, max_variables=limit)
    first = assemble(DIMENSIONS, METRICS, variables, relations, roles, given_values)
    random.shuffle(variables)
    random.shuffle(relations)
    again = assemble(DIMENSIONS, METRICS[::-1], variables, relations, roles, given_values)
    assert again == first
    assert list(again.evidence) == list(first.evidence)


@settings(max_examples=60, deadline=None)
@given(variable_claims, relation_claims, outcomes, limits)
def test_every_claim_is_accepted_or_rejected(variables, relations, roles, limit) -> None:
    given_values = Given(variables=GIVEN.variables, max_variables=limit)
    result = assemble(DIMENSIONS, METRICS, variables, relations, roles, given_values)
    rejected = Counter(type(rejection.claim) for rejection in result.rejected)
    assert sum(result.variable_support.values()) + rejected[VariableClaim] == len(variables)
    assert sum(result.relation_support.values()) + rejected[RelationClaim] == len(relations)
    keys = {variable.key for variable in result.spec.variables}
    assert result.variable_support.keys() | result.evidence.keys() <= keys
    assert result.relation_support.keys() == {relation.pair for relation in result.spec.relations}
    assert all(end in keys for relation in result.spec.relations for end in relation.pair)
    given_claims = Counter([*variables, *relations])
    assert all(
        given_claims[rejection.claim] > 0
        for rejection in result.rejected
        if isinstance(rejection.claim, VariableClaim | RelationClaim)
    )


@settings(max_examples=40, deadline=None)
@given(variable_claims, relation_claims, outcomes)
def test_assembling_the_result_again_adds_nothing(variables, relations, roles) -> None:
    once = assemble(DIMENSIONS, METRICS, variables, relations, roles, GIVEN).spec
    twice = assemble(
        once.dimensions,
        once.metrics,
        [],
        [],
        OutcomeConfig(),
        Given(variables=once.variables, relations=once.relations),
    )
    assert twice.spec == once
    assert twice.rejected == ()


dimension_claims = st.lists(
    st.builds(
        DimensionClaim,
        name=st.sampled_from(["disease", "Diseases", "stage", "drug", "any", " "]),
        description=st.sampled_from(["", "an axis", "another"]),
        entities=st.lists(
            st.builds(
                EntityClaim,
                name=entity_names,
                aliases=st.lists(entity_names, max_size=2).map(tuple),
                mentions=st.integers(0, 3),
            ),
            max_size=3,
        ).map(tuple),
        support=st.integers(0, 4),
    ),
    max_size=6,
)
metric_claims = st.lists(
    st.builds(
        MetricClaim,
        name=st.sampled_from(["Staging", "staging", "Survival", "Dose", ""]),
        signature=st.sampled_from([("disease",), ("Disease", "stage"), ("drug", "drug"), ("planet",), ()]),
        description=st.sampled_from(["", "one", "two"]),
        category=st.sampled_from(["a", "b"]),
        support=st.integers(0, 4),
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(dimension_claims, metric_claims, outcomes, st.randoms(use_true_random=False))
def test_closing_accounts_for_every_claim_in_any_order(dimensions, metrics, roles, random) -> None:
    tier = Tier("XS", max_metrics=2, max_dimensions=2)
    first = close_vocabulary(dimensions, metrics, roles, tier)
    kept_dimensions, kept_metrics, rejected = first
    assert len(kept_dimensions) <= 2
    assert len(kept_metrics) <= 2
    lost = Counter(one.claim for one in rejected if not one.detail.startswith("entity"))
    names = {fold(dimension.name).singular for dimension in kept_dimensions}
    measures = {(fold(metric.name).singular, metric.signature) for metric in kept_metrics}
    axes = {fold(dimension.name).singular: dimension.name for dimension in kept_dimensions}
    for claim, count in Counter(dimensions).items():
        assert (fold(claim.name).singular in names) != (lost[claim] == count)
    for claim, count in Counter(metrics).items():
        signature = tuple(axes.get(fold(name).singular, "?") for name in claim.signature)
        assert ((fold(claim.name).singular, signature) in measures) != (lost[claim] == count)
    random.shuffle(dimensions)
    random.shuffle(metrics)
    assert close_vocabulary(dimensions, metrics, roles, tier) == first
    assert all(set(metric.signature) <= set(axes.values()) for metric in kept_metrics)
    for dimension in kept_dimensions:
        assert len(set(dimension.entities)) == len(dimension.entities)
        assert set(dimension.aliases.values()) <= set(dimension.entities)
        assert not set(dimension.aliases) & set(dimension.entities)
