"""nDCG@k with binary gains (Järvelin and Kekäläinen, 2002)."""

from __future__ import annotations

import numpy as np

from aitia.evaluation.metrics.found_at_k import of_wanted
from aitia.evaluation.metrics.judged_answer import Scores
from aitia.evaluation.metrics.ranked_hits import RankedHits


def ndcg(hits: RankedHits) -> Scores:
    """A rank with something new gains 1 / log2(rank + 1), divided by the same of the best order, shape (questions,).

    The best order has what is wanted at the first ranks, one each. NaN where nothing is wanted.
    """
    discounts = 1 / np.log2(np.arange(2, hits.new.shape[1] + 2))
    gained = ((hits.new > 0) * discounts).sum(axis=1)
    best = np.concatenate([np.zeros(1), np.cumsum(discounts)])
    ideal = best[np.minimum(hits.wanted, len(discounts))]
    return of_wanted(np.divide(gained, ideal, out=np.zeros(len(gained)), where=ideal > 0), hits)
