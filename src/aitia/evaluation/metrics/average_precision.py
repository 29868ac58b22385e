"""MAP@k: the mean, over the wanted things, of the precision at the rank where each is found."""

from __future__ import annotations

import numpy as np

from aitia.evaluation.metrics.found_at_k import of_wanted
from aitia.evaluation.metrics.judged_answer import Scores
from aitia.evaluation.metrics.ranked_hits import RankedHits


def average_precision(hits: RankedHits) -> Scores:
    """Of the first k, divided by the lesser of k and what is wanted, shape (questions,); NaN: none wanted.

    The precision at a rank is the share of ranks up to it that have something new, so that a context with
    several facts counts once and the result is at most 1 (Manning et al., 2008, 8.4).
    """
    precision = np.cumsum(hits.new > 0, axis=1) / _ranks(hits)
    return _shared(hits, precision)


def multihop_average_precision(hits: RankedHits) -> Scores:
    """As MultiHop-RAG (2024) computes MAP: what is new at a rank divided by the rank, not the cumulated precision.

    It is at most the standard one where a rank has at most one new thing, and may exceed 1 where facts share
    a context. Upstream's loop, which reads one rank more than it counts, is not repeated.
    """
    return _shared(hits, 1 / _ranks(hits))


def _ranks(hits: RankedHits) -> Scores:
    return np.arange(1, hits.new.shape[1] + 1, dtype=np.float64)


def _shared(hits: RankedHits, weights: Scores) -> Scores:
    most = np.maximum(np.minimum(hits.wanted, hits.new.shape[1]), 1)
    return of_wanted((hits.new * weights).sum(axis=1) / most, hits)
