"""Of the wanted things, how many are among the first k: a share, any, or all.

MultiHop-RAG (2024) words Hits@k as the share and computes any; the two differ much, so both are here.
"""

from __future__ import annotations

import numpy as np

from aitia.evaluation.metrics.judged_answer import Scores
from aitia.evaluation.metrics.ranked_hits import RankedHits


def recall_at_k(hits: RankedHits) -> Scores:
    """The share of a question's wanted things, shape (questions,); NaN where none is wanted."""
    return of_wanted(hits.found / np.maximum(hits.wanted, 1), hits)


def hits_at_k(hits: RankedHits) -> Scores:
    """1 where any is there, shape (questions,); NaN likewise."""
    return of_wanted((hits.found > 0).astype(np.float64), hits)


def all_at_k(hits: RankedHits) -> Scores:
    """1 where all are there, shape (questions,); NaN likewise."""
    return of_wanted((hits.found == hits.wanted).astype(np.float64), hits)


def of_wanted(values: Scores, hits: RankedHits) -> Scores:
    """The values, NaN for questions that want nothing."""
    return np.where(hits.wanted > 0, values, np.nan)
