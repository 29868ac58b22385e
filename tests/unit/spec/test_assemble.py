from __future__ import annotations

import pytest

from aitia.spec.assemble import Given, assemble
from aitia.spec.claims import Admission, OutcomeClaim, RelationClaim, VariableClaim
from aitia.spec.model import Dimension, Metric, OutcomeConfig, Quote, Relation, Variable

DIMENSIONS = (
    Dimension(
        name="disease", entities=("melanoma", "small cell lung cancer"), aliases={"skin cancer": "melanoma"}
    ),
    Dimension(name="stage", entities=("stage I", "stage II")),
)
STAGING = Metric(name="Staging", signature=("disease", "stage"), description="", category="")
SURVIVAL = Metric(name="Survival", signature=("disease",), description="", category="")
FIXED = Metric(name="Dose", signature=("stage",), description="", category="", kind="fixed")
METRICS = (STAGING, SURVIVAL, FIXED)
QUOTE = Quote(text="stage II melanoma", chunk_id="c1")
LATER = Quote(text="melanoma of stage II", chunk_id="c2")
NO_OUTCOMES = OutcomeConfig()


def variable(metric: str, *entities: str, quote: Quote | None = QUOTE) -> VariableClaim:
    return VariableClaim(metric=metric, entities=entities, quote=quote)


def relation(source: str, target: str, confidence: float = 0.5, **fields: object) -> RelationClaim:
    return RelationClaim(source=source, target=target, mechanism="m", confidence=confidence, **fields)


def reasons(assembly) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.reason, one.detail, one.candidates) for one in assembly.rejected]


def test_repeated_variables_merge_with_all_their_quotes() -> None:
    claims = [
        variable("staging", "Melanomas", "stage 2", quote=LATER),
        variable("Staging", "skin-cancer", "Stage II"),
        variable("Staging", "melanoma", "ANY", quote=None),
    ]
    result = assemble(DIMENSIONS, METRICS, claims, [], NO_OUTCOMES)
    assert [one.key for one in result.spec.variables] == [
        "Staging(melanoma, any)",
        "Staging(melanoma, stage II)",
    ]
    assert result.evidence == {
        "Staging(melanoma, any)": (),
        "Staging(melanoma, stage II)": (QUOTE, LATER),
    }
    assert result.variable_support == {"Staging(melanoma, any)": 1, "Staging(melanoma, stage II)": 2}
    assert result.rejected == ()


@pytest.mark.parametrize(
    ("claim", "reason", "detail", "candidates"),
    [
        (variable("Weather", "melanoma"), "unknown_metric", "metric 'Weather'", ()),
        (
            variable("Staging", "melanoma"),
            "wrong_arity",
            "Staging(disease, stage) takes 2, not 1",
            (),
        ),
        (variable("Survival", " "), "empty", "nothing stands for disease", ()),
        (
            variable("Survival", "naevus", quote=None),
            "unknown_entity",
            "new, and no verbatim quote supports it",
            (),
        ),
        (variable("Dose", "stage I"), "fixed_metric", "Dose(stage I)", ()),
        (variable("Dose", "stage III"), "fixed_metric", "Dose(stage III)", ()),
    ],
)
def test_a_variable_that_does_not_fit_is_rejected(claim, reason, detail, candidates) -> None:
    result = assemble(DIMENSIONS, METRICS, [claim], [], NO_OUTCOMES)
    assert reasons(result) == [(reason, detail, candidates)]
    assert result.rejected[0].claim == claim
    assert result.spec.variables == ()
    assert result.spec.dimensions == DIMENSIONS


def test_an_entity_between_two_spellings_is_ambiguous() -> None:
    spellings = (Dimension(name="disease", entities=("haemorrhage rate", "hemorrage rates")),)
    result = assemble(spellings, (SURVIVAL,), [variable("Survival", "haemorrage rate")], [], NO_OUTCOMES)
    assert reasons(result) == [
        ("ambiguous_name", "disease 'haemorrage rate'", ("haemorrhage rate", "hemorrage rates"))
    ]


def test_an_extensible_metric_admits_a_quoted_entity_in_its_usual_spelling() -> None:
    claims = [
        variable("Survival", "non-small cell lung cancer", quote=LATER),
        variable("Survival", "Non-Small-Cell Lung Cancers", quote=None),
        variable("Survival", "non-small cell lung cancer"),
    ]
    result = assemble(DIMENSIONS, METRICS, claims, [], NO_OUTCOMES)
    assert [one.key for one in result.spec.variables] == ["Survival(non-small cell lung cancer)"]
    assert result.spec.dimensions[0].entities == (
        "melanoma",
        "non-small cell lung cancer",
        "small cell lung cancer",
    )
    assert result.admitted == (
        Admission(what="entity", owner="disease", name="non-small cell lung cancer", quote=QUOTE),
    )
    assert result.variable_support == {"Survival(non-small cell lung cancer)": 3}


def test_a_fixed_metric_takes_what_is_listed() -> None:
    listed = Given(variables=(Variable(metric="Dose", entities=("stage I",)),))
    claims = [variable("Dose", "Stage 1"), variable("Dose", "stage II")]
    result = assemble(
        DIMENSIONS, METRICS, claims, [relation("Dose(stage II)", "Survival(any)")], NO_OUTCOMES, listed
    )
    assert [one.key for one in result.spec.variables] == ["Dose(stage I)"]
    assert reasons(result) == [
        ("fixed_metric", "source: Dose(stage II)", ()),
        ("fixed_metric", "Dose(stage II)", ()),
    ]


def test_a_limit_keeps_the_listed_and_the_best_supported_variables() -> None:
    listed = Given(variables=(Variable(metric="Survival", entities=("any",)),), max_variables=2)
    often = [variable("Staging", "melanoma", "stage II")] * 2
    claims = [variable("Staging", "melanoma", "stage I"), *often, variable("Survival", "any")]
    links = [
        relation("Staging(melanoma, stage I)", "Survival(any)"),
        relation("Staging(melanoma, stage II)", "Survival(any)"),
    ]
    result = assemble(DIMENSIONS, METRICS, claims, links, NO_OUTCOMES, listed)
    assert [one.key for one in result.spec.variables] == ["Staging(melanoma, stage II)", "Survival(any)"]
    assert [one.source for one in result.spec.relations] == ["Staging(melanoma, stage II)"]
    assert reasons(result) == [
        ("over_cap", "source: Staging(melanoma, stage I)", ()),
        ("over_cap", "Staging(melanoma, stage I)", ()),
    ]


def test_a_relation_binds_known_entities_anew() -> None:
    claim = relation("staging(skin cancers, stage 2)", "Survival(melanoma)", quote=QUOTE, polarity="negative")
    result = assemble(DIMENSIONS, METRICS, [variable("Survival", "melanoma")], [claim], NO_OUTCOMES)
    assert result.spec.relations == (
        Relation(
            source="Staging(melanoma, stage II)",
            target="Survival(melanoma)",
            mechanism="m",
            confidence=0.5,
            polarity="negative",
            quotes=(QUOTE,),
        ),
    )
    assert result.admitted == (
        Admission(what="variable", owner="Staging", name="Staging(melanoma, stage II)", quote=QUOTE),
    )
    assert result.evidence["Staging(melanoma, stage II)"] == (QUOTE,)
    assert result.relation_support == {("Staging(melanoma, stage II)", "Survival(melanoma)"): 1}


@pytest.mark.parametrize(
    ("source", "target", "reason", "detail", "candidates"),
    [
        (
            "Staging(melanoma, stage III)",
            "Survival(any)",
            "ambiguous_endpoint",
            "source: stage 'stage III'",
            ("stage I", "stage II"),
        ),
        (
            "Survival(any)",
            "Survival(non-small cell lung cancer)",
            "ambiguous_endpoint",
            "target: disease 'non-small cell lung cancer'",
            ("small cell lung cancer",),
        ),
        ("Survival(naevus)", "Survival(any)", "unknown_endpoint", "source: disease 'naevus'", ()),
        ("Weather(any)", "Survival(any)", "unknown_endpoint", "source: metric 'Weather'", ()),
        ("Survival(any", "Survival(any)", "unknown_endpoint", None, ()),
        (
            "Survival(any, any)",
            "Survival(any)",
            "wrong_arity",
            "source: Survival(disease) takes 1, not 2",
            (),
        ),
        ("Survival(skin cancer)", "survival(Melanoma)", "self_loop", "Survival(melanoma)", ()),
    ],
)
def test_a_relation_that_does_not_fit_is_rejected(source, target, reason, detail, candidates) -> None:
    claim = relation(source, target, quote=QUOTE)
    result = assemble(DIMENSIONS, METRICS, [], [claim], NO_OUTCOMES)
    ((found, found_detail, found_candidates),) = reasons(result)
    assert (found, found_candidates) == (reason, candidates)
    assert detail in (None, found_detail)
    assert result.spec.variables == result.spec.relations == ()


def test_terminal_metrics_emit_nothing() -> None:
    outcomes = OutcomeConfig(terminal=("survivals", "mood"))
    claims = [
        relation("Survival(any)", "Staging(any, any)"),
        relation("Staging(any, any)", "Survival(any)"),
    ]
    result = assemble(DIMENSIONS, METRICS, [], claims, outcomes)
    assert [one.pair for one in result.spec.relations] == [("Staging(any, any)", "Survival(any)")]
    assert [(one.claim, one.reason) for one in result.rejected] == [
        (OutcomeClaim(metric="mood", role="terminal"), "unknown_metric"),
        (claims[0], "terminal_source"),
    ]
    assert [(one.name, one.graph_role) for one in result.spec.metrics] == [
        ("Dose", "intermediate"),
        ("Staging", "intermediate"),
        ("Survival", "terminal"),
    ]


def test_repeated_relations_merge_and_contradiction_is_unclear() -> None:
    ends = "Staging(any, any)", "Survival(any)"
    claims = [
        relation(*ends, 0.4, quote=LATER, polarity="positive"),
        relation("staging(ANY, any)", "survival(any)", 0.7, quote=QUOTE, polarity="negative"),
    ]
    result = assemble(DIMENSIONS, METRICS, [], claims, NO_OUTCOMES)
    (merged,) = result.spec.relations
    assert (merged.pair, merged.confidence, merged.polarity) == (ends, 0.7, "unclear")
    assert merged.quotes == (QUOTE, LATER)
    assert result.relation_support == {ends: 2}


def test_a_non_effect_is_kept_as_one() -> None:
    claim = relation("Staging(any, any)", "Survival(any)", polarity="none")
    (kept,) = assemble(DIMENSIONS, METRICS, [], [claim], NO_OUTCOMES).spec.relations
    assert kept.polarity == "none"
    assert not kept.traversable


def test_names_with_commas_and_parentheses_survive() -> None:
    odd = "5-FU, oral (daily)"
    dimensions = (Dimension(name="drug", entities=(odd,)),)
    metrics = (
        Metric(name="Dose", signature=("drug",), description="", category=""),
        Metric(name="Effect", signature=("drug",), description="", category=""),
    )
    claims = [relation(f'dose("{odd}")', f'Effect("{odd}")')]
    result = assemble(dimensions, metrics, [variable("Dose", odd)], claims, NO_OUTCOMES)
    assert [one.pair for one in result.spec.relations] == [(f'Dose("{odd}")', f'Effect("{odd}")')]
    assert result.spec.variables == (
        Variable(metric="Dose", entities=(odd,)),
        Variable(metric="Effect", entities=(odd,)),
    )
