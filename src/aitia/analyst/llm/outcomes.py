"""Outcomes: one call names the metrics that are results, from the metrics and a sample of passages."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import OutcomesReply
from aitia.analyst.llm.vocabulary import metric_lines, metric_name
from aitia.analyst.llm.windows import passages_of, place_of, text_of
from aitia.corpus.chunk import Chunk
from aitia.corpus.document import content_hash
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import OutcomeClaim, Rejection
from aitia.spec.model import Metric
from aitia.spec.names import fold

SAMPLE_CHUNKS = 8


def propose_outcomes(
    inquiry: Inquiry, metrics: Sequence[Metric], windows: Sequence[ReadingWindow]
) -> list[OutcomeClaim]:
    """A role for the metrics that deserve one; a name that is no metric's is rejected."""

    def render(chunks: Sequence[Chunk]) -> str:
        return inquiry.render(
            "outcomes", metrics=metric_lines(metrics), passages=passages_of(chunks).render()
        )

    sample = _sample(windows)
    tasks = [Task(sample, render, place_of, text_of)] if metrics else []
    names = {fold(metric.name).singular: metric.name for metric in metrics}
    claims = []
    for found in inquiry.asker.ask("outcomes", "outcomes", OutcomesReply, tasks):
        for item in found.reply.outcomes:
            name = names.get(fold(metric_name(item.metric)).singular)
            claim = OutcomeClaim(metric=name or item.metric, role=item.role, reason=item.reason)
            if name:
                claims.append(claim)
            else:
                inquiry.reject(Rejection(claim=claim, reason="unknown_metric"))
    return claims


def _sample(windows: Sequence[ReadingWindow]) -> tuple[Chunk, ...]:
    """Eight chunks, drawn by the hash of their ids, in the order of the windows."""
    chunks = {chunk.id: chunk for window in windows for chunk in window.chunks}
    drawn = set(sorted(chunks, key=lambda key: content_hash("outcomes", key))[:SAMPLE_CHUNKS])
    return tuple(chunk for key, chunk in chunks.items() if key in drawn)
