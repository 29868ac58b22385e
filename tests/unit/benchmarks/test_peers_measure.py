"""Which questions the table of peers asks."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from aitia.evaluation.datasets import Question

FILE = Path(__file__).parents[3] / "benchmarks" / "peers" / "measure.py"
MITES = "Varroa mites weaken every winter cluster of honeybees."
COLD = "Severe frost damages brood combs near the hive entrance."


def test_questions_whose_evidence_is_in_the_part_as_in_the_whole():
    spec = importlib.util.spec_from_file_location("measure", FILE)
    measure = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(measure)
    padding = "Nothing else happened. " * 60
    questions = [
        Question("mites", "?", "", evidence=(MITES,)),
        Question("cold", "?", "", evidence=(COLD,)),
        Question("both", "?", "", evidence=(MITES, COLD)),
    ]
    part = f"{MITES} {padding}"
    kept = measure.answerable(questions, f"{part}{COLD}", part)
    assert [each.id for each in kept] == ["mites"]
    assert [each.id for each in measure.answerable(questions, part + COLD, part + COLD)] == [
        "mites",
        "cold",
        "both",
    ]
