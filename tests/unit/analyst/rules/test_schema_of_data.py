"""The schema of the medical benchmark corpus reads like one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aitia.analyst.rules.dimensions import consolidate_dimensions, find_dimensions
from aitia.analyst.rules.metrics import consolidate_metrics, find_metrics
from aitia.analyst.rules.variables import find_variables
from aitia.corpus.document import Document
from aitia.corpus.reading import ReadingWindow
from aitia.corpus.split import open_splitter
from aitia.spec.model import Dimension, Metric, OutcomeConfig

DATA = os.environ.get("AITIA_DATA", "")
CHARACTERS = 300_000


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="AITIA_DATA is not set")
def test_a_medical_schema_has_diseases_treatments_tests_and_what_is_said_of_them() -> None:
    text = Path(DATA, "medical", "corpus.txt").read_text("utf-8")[:CHARACTERS]
    document = Document("corpus.txt", "corpus", text)
    windows = [ReadingWindow(tuple(open_splitter("passage")(document)))]
    none = OutcomeConfig()
    found = consolidate_dimensions(find_dimensions(windows, none), 7)[:7]
    dimensions = [
        Dimension(
            name=claim.name,
            entities=tuple(entity.name for entity in claim.entities),
            aliases={alias: entity.name for entity in claim.entities for alias in entity.aliases},
        )
        for claim in found
    ]
    assert {"disease", "treatment", "test"} <= {dimension.name for dimension in dimensions}
    claims = consolidate_metrics(find_metrics(windows, dimensions, none), 64)[:64]
    names = {claim.name for claim in claims}
    assert {"DiseaseTreatment", "Stage", "Risk", "Recurrence", "Diagnosis"} <= names
    assert any("SideEffect" in name for name in names)
    assert not {"Thing", "People", "Found", "Common", "Patient", "Way", "Part"} & names
    metrics = [
        Metric(name=c.name, signature=c.signature, description=c.description, category=c.category)
        for c in claims
    ]
    variables = {(c.metric, c.entities) for c in find_variables(windows, dimensions, metrics)}
    assert len(variables) >= 300
