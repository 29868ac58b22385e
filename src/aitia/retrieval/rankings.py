"""Rankings of text without a graph (design 2.7), each a score for every unit of an index.

``naive``   cosine of chunks                    ``bm25``    BM25 of chunks
``rrf``     both, by reciprocal rank, k = 60    ``hybrid``  windows, by reciprocal rank (k = 20) of four
lists: cosine and BM25 of the window, and of its chunk
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from aitia.graph.order import descending
from aitia.retrieval.dense import Vectors, cosines
from aitia.retrieval.fuse import Scores, reciprocal_rank_fusion
from aitia.retrieval.select import Units
from aitia.retrieval.text_index import TextIndex

Ranking = Literal["naive", "bm25", "rrf", "hybrid"]
RANKINGS: tuple[Ranking, ...] = get_args(Ranking)

RRF_K = 60
HYBRID_K = 20


@dataclass(frozen=True, slots=True)
class TextScores:
    """The four similarities of a question to an index: of windows and of chunks, by meaning and by word."""

    window_cosine: Scores
    window_bm25: Scores
    chunk_cosine: Scores
    chunk_bm25: Scores


def score_text(index: TextIndex, question: str, vector: Vectors) -> TextScores:
    """All four similarities; ``vector`` is the question's, shape (dimensions,)."""
    return TextScores(
        cosines(vector, index.window_vectors),
        index.window_terms.scores(question),
        cosines(vector, index.chunk_vectors),
        index.chunk_terms.scores(question),
    )


def rank_text(index: TextIndex, scores: TextScores, ranking: Ranking) -> tuple[Units, Scores]:
    """The units that a ranking orders, and a score for each, the higher the better."""
    if ranking == "naive":
        return index.chunk_units, scores.chunk_cosine
    if ranking == "bm25":
        return index.chunk_units, scores.chunk_bm25
    if ranking == "rrf":
        return index.chunk_units, reciprocal_rank_fusion([scores.chunk_cosine, scores.chunk_bm25], RRF_K)
    return index.units, hybrid(index, scores)


def hybrid(
    index: TextIndex, scores: TextScores, chunk_lists: Sequence[Scores] = (), weights: Sequence[float] = ()
) -> Scores:
    """The score of each window from the four lists, and from further lists of chunks with weights."""
    windows = [scores.window_cosine, scores.window_bm25]
    chunks = [scores.chunk_cosine, scores.chunk_bm25, *chunk_lists]
    by_window = reciprocal_rank_fusion(windows, HYBRID_K)
    by_chunk = reciprocal_rank_fusion(chunks, HYBRID_K, [1.0, 1.0, *weights])
    return np.asarray(by_window + by_chunk[index.units.chunk], np.float32)


def best_first(scores: Scores) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Units with a score above 0, best first, ties by position."""
    order = descending(scores)
    return order[scores[order] > 0]


def explain_chunks(scores: TextScores, chunks: NDArray[np.int64]) -> list[dict[str, float]]:
    """For each row of ``chunks`` its cosine and BM25, and its rank (from 1) by either among all chunks."""
    by_meaning, by_word = scores.chunk_cosine, scores.chunk_bm25
    return [
        {
            "cosine": round(float(by_meaning[row]), 4),
            "cosine_rank": int((by_meaning > by_meaning[row]).sum()) + 1,
            "bm25": round(float(by_word[row]), 4),
            "bm25_rank": int((by_word > by_word[row]).sum()) + 1,
        }
        for row in chunks.tolist()
    ]
