"""Retrieval without a graph: any of the text rankings, on any index."""

from __future__ import annotations

from aitia.methods.query import Query, Ranked
from aitia.retrieval.rankings import Ranking, best_first, rank_text, score_text
from aitia.retrieval.text_index import TextIndex


def rank_plain(text: TextIndex, query: Query, ranking: Ranking) -> Ranked:
    """Units of the ranking's kind, best first; those that it gives no score are left out."""
    scores = score_text(text, query.question, query.vector)
    units, by_unit = rank_text(text, scores, ranking)
    return Ranked(best_first(by_unit), units, by_unit, scores, True, dict)
