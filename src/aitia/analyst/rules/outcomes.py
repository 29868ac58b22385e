"""Outcomes: which metrics are ends rather than means."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.rules.mentions import attribute_words
from aitia.analyst.rules.wordlists import word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import OutcomeClaim
from aitia.spec.model import Metric


def propose_outcomes(metrics: Sequence[Metric], windows: Sequence[ReadingWindow]) -> list[OutcomeClaim]:
    """Metrics whose noun names a result."""
    category = word_lists().attributes
    return [
        OutcomeClaim(metric=metric.name, role="outcome", reason="its noun names a result")
        for metric in metrics
        if category.get(attribute_words(metric)[-1]) == "outcome"
    ]
