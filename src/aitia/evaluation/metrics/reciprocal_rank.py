"""MRR@k: one divided by the rank of the first wanted thing (Voorhees, 1999)."""

from __future__ import annotations

import numpy as np

from aitia.evaluation.metrics.found_at_k import of_wanted
from aitia.evaluation.metrics.judged_answer import Scores
from aitia.evaluation.metrics.ranked_hits import RankedHits


def reciprocal_rank(hits: RankedHits) -> Scores:
    """Shape (questions,); 0 where nothing wanted is among the first k, NaN where nothing is wanted."""
    there = hits.new > 0
    first = there.argmax(axis=1) if there.shape[1] else np.zeros(len(there), dtype=np.int64)
    return of_wanted(np.where(there.any(axis=1), 1 / (first + 1), 0.0), hits)
