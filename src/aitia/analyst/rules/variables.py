"""Variables: the bindings of metrics that the text mentions."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.rules.dimensions import sentences_of
from aitia.analyst.rules.mentions import MentionIndex
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import VariableClaim
from aitia.spec.model import Dimension, Metric, Quote


def find_variables(
    windows: Sequence[ReadingWindow], dimensions: Sequence[Dimension], metrics: Sequence[Metric]
) -> list[VariableClaim]:
    """A claim for each mention, with its sentence as quote."""
    index = MentionIndex(dimensions, metrics)
    return [
        VariableClaim(
            metric=mention.variable.metric,
            entities=mention.variable.entities,
            quote=Quote(text=sentence.text, chunk_id=sentence.chunk_id),
        )
        for sentence in sentences_of(windows)
        for mention in index.find(sentence)
    ]
