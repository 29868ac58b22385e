"""Metrics of a small corpus: states, attributes, descriptions."""

from __future__ import annotations

from aitia.analyst.rules.metrics import consolidate_metrics, find_metrics
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import MetricClaim
from aitia.spec.model import Dimension, OutcomeConfig

DIMENSIONS = (
    Dimension(name="machine", entities=("lathe", "press", "drill", "saw", "mill")),
    Dimension(name="defect", entities=("rust", "crack", "dent", "leak", "wear")),
)


def metrics(workshop: list[ReadingWindow]) -> dict[str, MetricClaim]:
    return {claim.name: claim for claim in find_metrics(workshop, DIMENSIONS, OutcomeConfig())}


def test_each_dimension_has_a_state_metric(workshop: list[ReadingWindow]) -> None:
    states = [c for c in metrics(workshop).values() if c.category == "state"]
    assert {(c.name, c.signature) for c in states} == {
        ("MachinePresence", ("machine",)),
        ("DefectPresence", ("defect",)),
    }


def test_attributes_are_metrics_of_the_dimension_that_has_them(workshop: list[ReadingWindow]) -> None:
    found = metrics(workshop)
    assert found["Speed"].signature == ("machine",)
    assert found["Speed"].category == "measurement"
    assert found["Failure"].signature == ("machine",)
    assert found["Failure"].category == "outcome"


def test_entities_and_empty_nouns_are_no_metrics(workshop: list[ReadingWindow]) -> None:
    assert not {"Rust", "Lathe", "Hall", "Week", "Winter", "Hand"} & set(metrics(workshop))


def test_a_description_says_what_it_depends_on_and_affects(workshop: list[ReadingWindow]) -> None:
    failure = metrics(workshop)["Failure"]
    assert failure.description == (
        "The failure of a machine. It depends on overload, rust. It affects work. "
        "The text speaks of it for lathe, mill, saw."
    )
    assert failure.quote is not None
    assert any(failure.quote.text in chunk.text for w in workshop for chunk in w.chunks)


def test_consolidation_keeps_the_best_claim_of_a_name_and_ranks() -> None:
    def claim(name: str, support: int) -> MetricClaim:
        return MetricClaim(name=name, signature=("a",), description="", category="c", support=support)

    merged = consolidate_metrics([claim("A", 1), claim("B", 5), claim("A", 3)], 9)
    assert [(c.name, c.support) for c in merged] == [("B", 5), ("A", 3)]


def test_no_text_gives_states_only() -> None:
    assert {c.category for c in find_metrics([], DIMENSIONS, OutcomeConfig())} == {"state"}
