"""Which candidate pairs a judge is asked about: all where it costs nothing, else the best and the new ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aitia.methods.hcg.candidates import Mentions, best_pairs, only_columns, share_chunk, variable_pairs
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.frozen import Earlier, Pair
from aitia.spec.claims import Verdict
from aitia.spec.model import DomainSpec

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Choice:
    """Pairs to ask about, shape (pairs, 2), sorted; earlier verdicts as they stand today; what a cap left out.

    ``asleep`` are verdicts of pairs that are no candidates now, though all that they rest on is still there:
    a window that is read again may miss a variable that a later reading finds.
    """

    ask: Rows
    standing: tuple[Verdict, ...] = ()
    asleep: tuple[Verdict, ...] = ()
    left_out: int = 0

    @property
    def pairs(self) -> set[Pair]:
        """The pairs of the earlier verdicts."""
        return {(verdict.source, verdict.target) for verdict in self.standing}


def choose_pairs(
    spec: DomainSpec,
    mentions: Mentions,
    templates: Sequence[Pair],
    settings: BuildSettings,
    earlier: Earlier | None = None,
) -> Choice:
    """All candidates; under a cap the best of those that no seed relation's quote states already.

    With earlier verdicts the new ones alone: pairs that were no candidates over the variables and chunks of
    then, and those whose verdict lapsed and that a new chunk names. What a cap left out then stays out.
    """
    pairs = variable_pairs(spec.variables, mentions, spec.relations, templates)
    if settings.max_pairs is None:
        return Choice(pairs)
    codes = _codes(pairs, spec)
    wanted = ~np.isin(codes, _codes(_seeded(spec), spec))
    standing: tuple[Verdict, ...] = ()
    asleep: tuple[Verdict, ...] = ()
    if earlier is not None:
        standing, asleep = _standing(earlier.verdicts, codes, spec, mentions)
        judged = _codes(
            _rows_of([(one.source, one.target) for one in standing if not one.lapsed], spec), spec
        )
        wanted &= ~np.isin(codes, judged)
        wanted &= _opened(pairs, spec, mentions, templates, earlier)
    best = best_pairs(spec.variables, mentions, pairs[wanted], settings.max_pairs)
    return Choice(pairs[wanted][best], standing, asleep, int((~best).sum()))


def _seeded(spec: DomainSpec) -> Rows:
    return _rows_of([relation.pair for relation in spec.relations if relation.quotes], spec)


def _opened(
    pairs: Rows, spec: DomainSpec, mentions: Mentions, templates: Sequence[Pair], earlier: Earlier
) -> Mask:
    """Which of the pairs were no candidates then, or are named anew after their verdict lapsed."""
    then = np.array([variable.key in earlier.variables for variable in spec.variables], bool)
    old = np.array([chunk in earlier.chunks for chunk in mentions.chunk_ids], bool)
    before = variable_pairs(
        spec.variables,
        replace(mentions, chunks=only_columns(mentions.chunks, old)),
        [
            one
            for one in spec.relations
            if not one.quotes or any(q.chunk_id in earlier.chunks for q in one.quotes)
        ],
        templates,
    )
    known = before[then[before].all(axis=1)]
    codes = _codes(pairs, spec)
    lapsed = _rows_of([(one.source, one.target) for one in earlier.verdicts if one.lapsed], spec)
    again = np.isin(codes, _codes(lapsed, spec)) & share_chunk(mentions, pairs, ~old)
    return np.asarray(~np.isin(codes, _codes(known, spec)) | again, bool)


def _standing(
    verdicts: Sequence[Verdict], candidates: Rows, spec: DomainSpec, mentions: Mentions
) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
    """The verdicts of pairs that are candidates still, without what has left the corpus; and the sleeping."""
    row_of = _row_of(spec)
    known = [one for one in verdicts if one.source in row_of and one.target in row_of]
    rows = _rows_of([(one.source, one.target) for one in known], spec)
    still = np.isin(_codes(rows, spec), candidates).tolist()
    together = share_chunk(mentions, rows, np.ones(len(mentions.chunk_ids), bool)).tolist()
    chunks = frozenset(mentions.chunk_ids)
    standing = {
        (verdict.source, verdict.target): _today(verdict, both, chunks)
        for verdict, both, there in zip(known, together, still, strict=True)
        if there
    }
    asleep = tuple(
        one
        for one in verdicts
        if (one.source, one.target) not in standing and one.chunks and chunks.issuperset(one.chunks)
    )
    return tuple(standing.values()), asleep


def _today(verdict: Verdict, together: bool, chunks: Collection[str]) -> Verdict:
    """A claim stands by its quote, by a chunk that names both ends, or if no quote was shown in the first place."""
    claims = []
    for claim in verdict.claims:
        if claim.quote is not None and claim.quote.chunk_id in chunks:
            claims.append(claim)
        elif together or not (verdict.shown or claim.quote):
            claims.append(claim.model_copy(update={"quote": None}))
    lapsed = verdict.lapsed or bool(verdict.claims and not claims)
    return verdict.model_copy(update={"claims": tuple(claims), "lapsed": lapsed})


def _row_of(spec: DomainSpec) -> Mapping[str, int]:
    return {variable.key: row for row, variable in enumerate(spec.variables)}


def _rows_of(pairs: Sequence[Pair], spec: DomainSpec) -> Rows:
    """The rows of pairs of keys, shape (pairs, 2); a pair with an end that is gone is left out."""
    row_of = _row_of(spec)
    rows = [(row_of[a], row_of[b]) for a, b in pairs if a in row_of and b in row_of]
    return np.array(rows, np.int64).reshape(-1, 2)


def _codes(pairs: Rows, spec: DomainSpec) -> Rows:
    """A number for each pair of rows."""
    return pairs[:, 0] * max(len(spec.variables), 1) + pairs[:, 1]
