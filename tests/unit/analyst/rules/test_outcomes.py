"""Outcomes: by noun, by end of the chain, and by what the text makes effects."""

from __future__ import annotations

from aitia.analyst.rules.outcomes import propose_outcomes
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.model import Metric


def metric(name: str, category: str) -> Metric:
    return Metric(name=name, signature=("machine",), description="", category=category)


METRICS = [
    metric("MachinePresence", "state"),
    metric("Survival", "outcome"),
    metric("Failure", "outcome"),
    metric("Speed", "measurement"),
    metric("Load", "measurement"),
]


def roles(text: str) -> dict[str, str]:
    window = ReadingWindow((Chunk("d", "d.txt", 0, 0, len(text), text),))
    return {claim.metric: claim.role for claim in propose_outcomes(METRICS, [window])}


def test_nouns_of_results_are_outcomes_and_ends_are_terminal() -> None:
    assert roles("") == {"Survival": "terminal", "Failure": "outcome"}


def test_what_is_often_an_effect_and_seldom_a_cause_is_an_outcome() -> None:
    text = "Rust reduces the speed. Wear reduces the speed. Greasing increases the speed. Dirt reduces the speed. "
    assert roles(text)["Speed"] == "outcome"
    assert "Speed" not in roles(text + "The speed causes noise. The speed causes heat.")
    assert "Load" not in roles(
        "The load causes wear. The load causes rust. The load causes heat. The load causes noise."
    )
