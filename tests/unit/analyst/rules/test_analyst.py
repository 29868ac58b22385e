"""The rules analyst is an Analyst, and delegates."""

from __future__ import annotations

from aitia.analyst.protocols import Analyst, NumberedEvidence
from aitia.analyst.rules.analyst import RulesAnalyst
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.model import Dimension, Metric, OutcomeConfig

TEXT = "Smoking causes lung cancer. Lung cancer causes cough."


def test_it_satisfies_the_seam() -> None:
    analyst: Analyst = RulesAnalyst()
    assert analyst.name == "rules"


def test_it_finds_relations_and_answers() -> None:
    analyst = RulesAnalyst()
    dimension = Dimension(name="thing", entities=("smoking", "lung cancer", "cough"))
    metric = Metric(name="Thing", signature=("thing",), description="", category="state")
    window = ReadingWindow((Chunk("d", "d.txt", 0, 0, len(TEXT), TEXT),))
    claims = analyst.find_relations([window], [dimension], [metric], [])
    assert [(claim.source, claim.target) for claim in claims] == [
        ("Thing(smoking)", "Thing(lung cancer)"),
        ("Thing(lung cancer)", "Thing(cough)"),
    ]
    draft = analyst.write_answer("What does smoking cause?", [NumberedEvidence(1, TEXT, "d")], None)
    assert draft.sentences[0].text == "Smoking causes lung cancer."


def test_empty_windows_give_no_claims() -> None:
    analyst = RulesAnalyst()
    assert analyst.find_dimensions([], OutcomeConfig()) == []
    assert analyst.find_relations([], [], [], []) == []
    assert analyst.judge_metric_edges([]) == []
    assert analyst.judge_node_edges([]) == []
