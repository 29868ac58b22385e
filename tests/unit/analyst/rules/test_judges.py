"""Judges read quotes: templates by their share, pairs by what is stated."""

from __future__ import annotations

import pytest

from aitia.analyst.protocols import MetricEdgeRequest, NodeEdgeRequest, VariablePair
from aitia.analyst.rules.judges import judge_metric_edges, judge_node_edges
from aitia.spec.model import Dimension, Metric, Quote, Variable

DIMENSIONS = (
    Dimension(name="disease", entities=("lung cancer", "diabetes")),
    Dimension(name="habit", entities=("smoking", "exercise")),
)
DISEASE = Metric(name="Disease", signature=("disease",), description="", category="state")
HABIT = Metric(name="Habit", signature=("habit",), description="", category="state")


def quotes(*texts: str) -> tuple[Quote, ...]:
    return tuple(Quote(text=text, chunk_id="c") for text in texts)


def templates(source: Metric, target: Metric, *texts: str) -> list[tuple[str, str, float]]:
    request = MetricEdgeRequest(source, (target,), quotes(*texts), DIMENSIONS)
    return [(claim.source, claim.target, claim.confidence) for claim in judge_metric_edges([request])]


def test_a_stated_template_is_accepted_in_its_direction_only() -> None:
    text = "Smoking causes lung cancer."
    assert templates(HABIT, DISEASE, text) == [("Habit", "Disease", pytest.approx(0.9 * 2 / 3, abs=0.001))]
    assert templates(DISEASE, HABIT, text) == []


def test_quotes_that_only_name_both_lower_the_share() -> None:
    found = templates(
        HABIT,
        DISEASE,
        "Smoking causes lung cancer.",
        "Smoking and diabetes were counted.",
        "Diabetes is common.",
    )
    assert found == [("Habit", "Disease", pytest.approx(0.9 * 2 / 4, abs=0.001))]


def test_a_non_effect_supports_no_template() -> None:
    assert templates(HABIT, DISEASE, "Smoking does not cause diabetes.") == []
    assert templates(HABIT, DISEASE) == []


def node_edges(source: Variable, target: Variable, *texts: str) -> list[tuple[str, str, str]]:
    pair = VariablePair(source, target, quotes(*texts))
    request = NodeEdgeRequest((pair,), (DISEASE, HABIT), DIMENSIONS)
    return [
        (claim.polarity, claim.mechanism, claim.quote.text if claim.quote else "")
        for claim in judge_node_edges([request])
    ]


SMOKING = Variable(metric="Habit", entities=("smoking",))
CANCER = Variable(metric="Disease", entities=("lung cancer",))


def test_a_pair_is_accepted_with_the_surest_quote() -> None:
    found = node_edges(SMOKING, CANCER, "Smoking may cause lung cancer.", "Smoking causes lung cancer.")
    assert found == [("positive", "Smoking causes lung cancer", "Smoking causes lung cancer.")]


@pytest.mark.parametrize(
    ("others", "polarity"),
    [
        (("Smoking affects lung cancer.",), "positive"),
        (("Smoking reduces lung cancer.",), "unclear"),
        (("Smoking does not cause lung cancer.",), "unclear"),
        (("Less smoking causes lung cancer.",), "unclear"),
    ],
)
def test_the_sign_is_the_one_that_all_quotes_agree_on(others: tuple[str, ...], polarity: str) -> None:
    ((found, _, quote),) = node_edges(SMOKING, CANCER, "Smoking causes lung cancer.", *others)
    assert (found, quote) == (polarity, "Smoking causes lung cancer.")


def test_a_pair_is_not_accepted_against_the_stated_direction() -> None:
    assert node_edges(CANCER, SMOKING, "Smoking causes lung cancer.") == []
    assert node_edges(SMOKING, CANCER, "Smoking causes diabetes.") == []
    assert node_edges(SMOKING, CANCER) == []


def close_edges(support: dict[tuple[str, str], int], *texts: str) -> list[tuple[str, str, float]]:
    pair = VariablePair(SMOKING, CANCER, quotes(*texts))
    request = NodeEdgeRequest((pair,), (DISEASE, HABIT), DIMENSIONS, support)
    return [(c.polarity, c.mechanism, c.confidence) for c in judge_node_edges([request])]


CLOSE = "We know that smoking filled the history of lung cancer."


def test_close_mentions_count_under_a_well_supported_template_only() -> None:
    forward, backward = ("Habit", "Disease"), ("Disease", "Habit")
    words = "smoking filled the history of lung cancer"
    assert close_edges({forward: 6, backward: 4}, CLOSE) == [("unclear", words, 0.35)]
    assert close_edges({forward: 6, backward: 5}, CLOSE) == []
    assert close_edges({forward: 3}, CLOSE) == [("unclear", words, 0.35)]
    assert close_edges({forward: 2}, CLOSE) == []
    assert close_edges({}, CLOSE) == []


def test_close_mentions_do_not_count_in_lists_negations_or_against_a_statement() -> None:
    support = {("Habit", "Disease"): 20}
    assert close_edges(support, "We know smoking, lung cancer and tea.") == []
    assert close_edges(support, "The study of smoking has no data about lung cancer.") == []
    assert close_edges(support, CLOSE, "Lung cancer causes smoking.") == []


def test_a_pair_is_judged_the_same_alone_and_among_others() -> None:
    pairs = [
        VariablePair(SMOKING, CANCER, quotes(CLOSE)),
        VariablePair(CANCER, SMOKING, quotes("Lung cancer causes smoking.")),
    ]
    support = {("Habit", "Disease"): 10}
    batch = judge_node_edges([NodeEdgeRequest(tuple(pairs), (DISEASE, HABIT), DIMENSIONS, support)])
    alone = [
        judge_node_edges([NodeEdgeRequest((pair,), (DISEASE, HABIT), DIMENSIONS, support)]) for pair in pairs
    ]
    assert batch == [claim for claims in alone for claim in claims]
    assert len(batch) == 2
