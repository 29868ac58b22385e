"""Judging edges from quotes: what the quotes state of two metrics or two variables.

Tier 1 accepts a template if a quote states an effect between mentions of its metrics. Tier 2 accepts a pair
if a quote states one between its variables; else, under a well supported template, if one verb
stands between both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.analyst.protocols import MetricEdgeRequest, NodeEdgeRequest, VariablePair
from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.mentions import MentionIndex
from aitia.analyst.rules.proximity import close_pairs
from aitia.analyst.rules.relations import StatedRelation, is_prose, stated_relations, words_between
from aitia.corpus.chunk import Chunk
from aitia.spec.claims import RelationClaim, TemplateClaim
from aitia.spec.merge import merge_polarities
from aitia.spec.model import Dimension, Metric, Polarity, Quote, Variable

PRIOR_SUPPORT = 1.0
PRIOR_QUOTES = 2.0
"""A template's share of supporting quotes starts from one in two."""
LEAST_SUPPORT = 3
LEAST_LEAD = 1.5
"""Seed relations that make a template well supported: so many, and so many times those against it."""
CLOSE_CONFIDENCE = 0.35


def judge_metric_edges(requests: Sequence[MetricEdgeRequest]) -> list[TemplateClaim]:
    """The templates that the quotes of their request state, in the order of requests and candidates.

    Confidence is that of the surest statement, times the smoothed share of the quotes that name both
    metrics and state this direction.
    """
    reader = _QuoteReader()
    claims = []
    for request in requests:
        index = reader.index(request.dimensions, (request.source, *request.candidates))
        found = [reader.read(quote, index) for quote in dict.fromkeys(request.evidence)]
        for candidate in request.candidates:
            claim = _template(request.source.name, candidate.name, found)
            if claim is not None:
                claims.append(claim)
    return claims


def judge_node_edges(requests: Sequence[NodeEdgeRequest]) -> list[RelationClaim]:
    """The pairs that one of their quotes states, with the surest quote, in the order of the pairs.

    The polarity is what all quotes of a pair agree on, and ``unclear`` where they contradict each other.
    A pair that is only named together has polarity ``unclear`` and the confidence `CLOSE_CONFIDENCE`.
    """
    reader = _QuoteReader()
    claims = []
    for request in requests:
        index = reader.index(request.dimensions, request.metrics)
        for pair in request.pairs:
            found = [(quote, reader.read(quote, index)) for quote in pair.evidence]
            claim = _stated_edge(pair, found)
            if claim is None and _well_supported(pair, request.support):
                claim = _close_edge(pair, found)
            if claim is not None:
                claims.append(claim)
    return claims


Pair = tuple[Variable, Variable]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a quote says: the metrics it names, the relations it states, and the words of its close pairs."""

    metrics: frozenset[str]
    relations: tuple[StatedRelation, ...]
    close: Mapping[Pair, str]


class _QuoteReader:
    """Reads each quote once for each vocabulary."""

    def __init__(self) -> None:
        self._indexes: dict[tuple[int, ...], MentionIndex] = {}
        self._read: dict[tuple[int, str], _Reading] = {}

    def index(self, dimensions: Sequence[Dimension], metrics: Sequence[Metric]) -> MentionIndex:
        """The index of a vocabulary, built once for the same values."""
        key = (*map(id, dimensions), *map(id, metrics))
        if key not in self._indexes:
            self._indexes[key] = MentionIndex(dimensions, metrics)
        return self._indexes[key]

    def read(self, quote: Quote, index: MentionIndex) -> _Reading:
        """What a quote says in the words of a vocabulary."""
        key = id(index), quote.text
        if key not in self._read:
            self._read[key] = self._reading(quote.text, index)
        return self._read[key]

    def _reading(self, text: str, index: MentionIndex) -> _Reading:
        metrics: list[str] = []
        relations: list[StatedRelation] = []
        close: dict[Pair, str] = {}
        for sentence in read_sentences(Chunk(text, "", 0, 0, len(text), text)):
            mentions = index.find(sentence)
            metrics.extend(mention.variable.metric for mention in mentions)
            relations.extend(stated_relations(sentence, mentions))
            for first, second in close_pairs(sentence, mentions) if is_prose(sentence) else ():
                span = min(first.first, second.first), max(first.last, second.last)
                close.setdefault((first.variable, second.variable), words_between(sentence, span))
        return _Reading(frozenset(metrics), tuple(relations), close)


def _template(source: str, target: str, found: Sequence[_Reading]) -> TemplateClaim | None:
    both = [read for read in found if {source, target} <= read.metrics]
    stated = [
        relation
        for read in both
        for relation in read.relations
        if (relation.source.metric, relation.target.metric) == (source, target)
        and relation.polarity != "none"
    ]
    if not stated:
        return None
    best = max(stated, key=lambda relation: relation.confidence)
    share = (len(stated) + PRIOR_SUPPORT) / (len(both) + PRIOR_QUOTES)
    return TemplateClaim(
        source=source,
        target=target,
        mechanism=best.mechanism,
        confidence=round(best.confidence * min(share, 1.0), 3),
    )


def _stated_edge(pair: VariablePair, found: Sequence[tuple[Quote, _Reading]]) -> RelationClaim | None:
    stated = [
        (quote, relation)
        for quote, reading in found
        for relation in reading.relations
        if (relation.source, relation.target) == (pair.source, pair.target)
    ]
    if not stated:
        return None
    quote, best = max(stated, key=lambda item: item[1].confidence)
    polarity = merge_polarities(relation.polarity for _, relation in stated)
    return _claim(pair, quote, best.mechanism, best.confidence, polarity)


def _well_supported(pair: VariablePair, support: Mapping[tuple[str, str], int]) -> bool:
    forward = support.get((pair.source.metric, pair.target.metric), 0)
    backward = support.get((pair.target.metric, pair.source.metric), 0)
    return forward >= LEAST_SUPPORT and forward >= LEAST_LEAD * backward


def _close_edge(pair: VariablePair, found: Sequence[tuple[Quote, _Reading]]) -> RelationClaim | None:
    """The first quote that names both close together, if none states the opposite."""
    ends = pair.source, pair.target
    if any((one.target, one.source) == ends for _, reading in found for one in reading.relations):
        return None
    close = ((quote, reading.close[ends]) for quote, reading in found if ends in reading.close)
    quote, words = next(close, (None, ""))
    return None if quote is None else _claim(pair, quote, words, CLOSE_CONFIDENCE, "unclear")


def _claim(
    pair: VariablePair, quote: Quote, mechanism: str, confidence: float, polarity: Polarity
) -> RelationClaim:
    return RelationClaim(
        source=pair.source.key,
        target=pair.target.key,
        mechanism=mechanism,
        confidence=confidence,
        polarity=polarity,
        quote=quote,
    )
