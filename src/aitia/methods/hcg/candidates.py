"""Which pairs stage 2 has judged: the candidate rules of design 2.3, as products of sparse matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from aitia.spec.model import ANY, Metric, Quote, Relation, Variable


@dataclass(frozen=True)
class Mentions:
    """Where variables are mentioned: ``sentences`` and ``chunks`` say who (rows) is where (columns).

    A column of ``sentences`` is one quote of ``quotes``, a verbatim sentence with its chunk; a column of
    ``chunks`` is one of ``chunk_ids``; ``counts`` are the sentences of a chunk that name a variable.
    """

    quotes: tuple[Quote, ...]
    sentences: csr_array
    chunks: csr_array
    counts: csr_array
    chunk_ids: tuple[str, ...]


def collect_mentions(
    variables: Sequence[Variable],
    quotes_of: Mapping[str, Sequence[Quote]],
    chunk_rows: Mapping[str, int],
    order: Sequence[int] | None = None,
) -> Mentions:
    """The mentions of variables by their quotes; a quote of a chunk that is not there is left out.

    ``order`` ranks the rows of the chunks, and thereby the quotes; without it they go by row.
    """
    rank = range(len(chunk_rows)) if order is None else order
    quotes = sorted(
        {quote for each in quotes_of.values() for quote in each if quote.chunk_id in chunk_rows},
        key=lambda quote: (rank[chunk_rows[quote.chunk_id]], quote.text),
    )
    column = {quote: position for position, quote in enumerate(quotes)}
    pairs = [
        (row, column[quote])
        for row, variable in enumerate(variables)
        for quote in dict.fromkeys(quotes_of.get(variable.key, ()))
        if quote in column
    ]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    chunk_of = np.array([chunk_rows[quote.chunk_id] for quote in quotes], np.int64)
    sentences = _incidence(table[:, 0], table[:, 1], (len(variables), len(quotes)))
    chunks = _incidence(table[:, 0], chunk_of[table[:, 1]], (len(variables), len(chunk_rows)))
    place = (table[:, 0], chunk_of[table[:, 1]])
    counts = coo_array((np.ones(len(table), np.int32), place), shape=chunks.shape).tocsr()
    ids = tuple(sorted(chunk_rows, key=lambda chunk: chunk_rows[chunk]))
    return Mentions(tuple(quotes), sentences, chunks, counts, ids)


def metric_pairs(
    metrics: Sequence[Metric],
    variables: Sequence[Variable],
    mentions: Mentions,
    relations: Sequence[Relation],
    similar: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Tier-1 candidates, shape (metrics, metrics): seed relation, co-mention in a chunk, or ``similar``.

    No self-loops and no terminal sources.
    """
    row = {metric.name: position for position, metric in enumerate(metrics)}
    owner = np.array([row[variable.metric] for variable in variables], np.int64)
    count = len(metrics)
    member = _incidence(owner, np.arange(len(owner)), (count, len(owner)))
    together = (member @ mentions.chunks) > 0
    allowed = similar | (np.asarray((together.astype(np.int32) @ together.T.astype(np.int32)).todense()) > 0)
    metric_of = {variable.key: row[variable.metric] for variable in variables}
    for relation in relations:
        allowed[metric_of[relation.source], metric_of[relation.target]] = True
    np.fill_diagonal(allowed, val=False)
    allowed[[metric.graph_role == "terminal" for metric in metrics]] = False
    return np.asarray(allowed, bool)


def variable_pairs(
    variables: Sequence[Variable],
    mentions: Mentions,
    relations: Sequence[Relation],
    templates: Sequence[tuple[str, str]],
) -> NDArray[np.int64]:
    """Tier-2 candidates under the templates, shape (pairs, 2), sorted: source and target rows.

    A pair shares an entity (``any`` is none), is mentioned in one chunk, or has a seed relation.
    """
    count = len(variables)
    metrics = sorted({variable.metric for variable in variables})
    metric_row = {name: position for position, name in enumerate(metrics)}
    owner = np.array([metric_row[variable.metric] for variable in variables], np.int64)
    allowed = np.zeros((len(metrics), len(metrics)), bool)
    for source, target in templates:
        if source in metric_row and target in metric_row:
            allowed[metric_row[source], metric_row[target]] = True
    entities = _shared_entities(variables)
    near = (entities @ entities.T + mentions.chunks @ mentions.chunks.T).tocoo()
    rows, columns = near.row, near.col
    keep = (rows != columns) & allowed[owner[rows], owner[columns]]
    row_of = {variable.key: row for row, variable in enumerate(variables)}
    seeds = [(row_of[one.source], row_of[one.target]) for one in relations]
    seeded = np.array([pair for pair in seeds if allowed[owner[pair[0]], owner[pair[1]]]], np.int64).reshape(
        -1, 2
    )
    codes = np.union1d(
        rows[keep].astype(np.int64) * count + columns[keep], seeded[:, 0] * count + seeded[:, 1]
    )
    return np.stack(np.divmod(codes, max(count, 1)), axis=1)


def best_pairs(
    variables: Sequence[Variable], mentions: Mentions, pairs: NDArray[np.int64], limit: int
) -> NDArray[np.bool_]:
    """Which ``limit`` of the pairs share most: sentences, then chunks, then entities; ties go by position."""
    if len(pairs) <= limit:
        return np.ones(len(pairs), bool)
    shared = (
        _shared(each, pairs) for each in (_shared_entities(variables), mentions.chunks, mentions.sentences)
    )
    order = np.lexsort([-counts for counts in shared])
    best = np.zeros(len(pairs), bool)
    best[order[:limit]] = True
    return best


def share_chunk(mentions: Mentions, pairs: NDArray[np.int64], among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the pairs are mentioned together in one of the chunks ``among``, shape (chunks,)."""
    return _shared(only_columns(mentions.chunks, among), pairs) > 0


def only_columns(matrix: csr_array, keep: NDArray[np.bool_]) -> csr_array:
    """The matrix with the other columns empty."""
    kept = matrix.tocoo()
    inside = keep[kept.col]
    return coo_array((kept.data[inside], (kept.row[inside], kept.col[inside])), shape=matrix.shape).tocsr()


def _shared(matrix: csr_array, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each pair of rows, in how many columns of a matrix of 0 and 1 both are 1."""
    together = (matrix @ matrix.T).tocsr()
    together.sort_indices()
    count = max(matrix.shape[0], 1)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(together.indptr))
    codes = rows * count + together.indices
    wanted = pairs[:, 0] * count + pairs[:, 1]
    if not len(codes):
        return np.zeros(len(pairs), np.int64)
    place = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[place] == wanted, together.data[place], 0).astype(np.int64)


def shared_sentences(mentions: Mentions, pairs: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """For each pair the columns of the sentences that mention both."""
    both = mentions.sentences[pairs[:, 0]].multiply(mentions.sentences[pairs[:, 1]]).tocsr()
    both.sort_indices()
    return np.split(both.indices.astype(np.int64), both.indptr[1:-1]) if len(pairs) else []


def shared_chunks(mentions: Mentions, pairs: NDArray[np.int64], limit: int) -> list[NDArray[np.int64]]:
    """For each pair the rows of at most ``limit`` chunks that mention both, those that do so most first.

    How much is the lesser of the two counts of sentences; ties go by row.
    """
    if not len(pairs):
        return []
    both = mentions.counts[pairs[:, 0]].minimum(mentions.counts[pairs[:, 1]]).tocsr()
    both.sort_indices()
    rows = np.repeat(np.arange(len(pairs)), np.diff(both.indptr))
    order = np.lexsort((both.indices, -both.data, rows))
    ranked = np.split(both.indices[order].astype(np.int64), both.indptr[1:-1])
    return [columns[:limit] for columns in ranked]


def _shared_entities(variables: Sequence[Variable]) -> csr_array:
    names = sorted({entity for variable in variables for entity in variable.entities if entity != ANY})
    column = {name: position for position, name in enumerate(names)}
    pairs = [
        (row, column[entity])
        for row, variable in enumerate(variables)
        for entity in sorted(set(variable.entities))
        if entity != ANY
    ]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return _incidence(table[:, 0], table[:, 1], (len(variables), len(names)))


def _incidence(rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> csr_array:
    """A matrix of 0 and 1."""
    matrix = coo_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape).tocsr()
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
