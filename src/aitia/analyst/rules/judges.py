"""Judging edges from quotes: what the quotes state of two metrics or two variables.

Tier 1 accepts a template if a quote states an effect between mentions of its metrics; tier 2 a pair if a
quote states one between its variables, or if both stand on the right sides of a cue within a clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aitia.analyst.protocols import MetricEdgeRequest, NodeEdgeRequest, VariablePair
from aitia.analyst.rules.language import read_sentences
from aitia.analyst.rules.mentions import MentionIndex
from aitia.analyst.rules.relations import StatedRelation, stated_relations
from aitia.corpus.chunk import Chunk
from aitia.spec.claims import RelationClaim, TemplateClaim
from aitia.spec.model import Dimension, Metric, Quote

PRIOR_SUPPORT = 1.0
PRIOR_QUOTES = 2.0
"""A template's share of supporting quotes starts from one in two."""


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
    """The pairs that one of their quotes states, with the surest quote, in the order of the pairs."""
    reader = _QuoteReader()
    claims = []
    for request in requests:
        index = reader.index(request.dimensions, request.metrics)
        for pair in request.pairs:
            claim = _edge(pair, reader, index)
            if claim is not None:
                claims.append(claim)
    return claims


class _Read:
    """What a quote says: the metrics it names and the relations it states."""

    def __init__(self, metrics: Iterable[str], relations: Iterable[StatedRelation]) -> None:
        self.metrics = frozenset(metrics)
        self.relations = tuple(relations)


class _QuoteReader:
    """Reads each quote once for each vocabulary."""

    def __init__(self) -> None:
        self._indexes: dict[tuple[int, ...], MentionIndex] = {}
        self._read: dict[tuple[int, str], _Read] = {}

    def index(self, dimensions: Sequence[Dimension], metrics: Sequence[Metric]) -> MentionIndex:
        """The index of a vocabulary, built once for the same values."""
        key = (*map(id, dimensions), *map(id, metrics))
        if key not in self._indexes:
            self._indexes[key] = MentionIndex(dimensions, metrics)
        return self._indexes[key]

    def read(self, quote: Quote, index: MentionIndex) -> _Read:
        """What a quote says in the words of a vocabulary."""
        key = id(index), quote.text
        if key not in self._read:
            self._read[key] = self._reading(quote.text, index)
        return self._read[key]

    def _reading(self, text: str, index: MentionIndex) -> _Read:
        metrics: list[str] = []
        relations: list[StatedRelation] = []
        for sentence in read_sentences(Chunk(text, "", 0, 0, len(text), text)):
            mentions = index.find(sentence)
            metrics.extend(mention.variable.metric for mention in mentions)
            relations.extend(stated_relations(sentence, mentions))
        return _Read(metrics, relations)


def _template(source: str, target: str, found: Sequence[_Read]) -> TemplateClaim | None:
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


def _edge(pair: VariablePair, reader: _QuoteReader, index: MentionIndex) -> RelationClaim | None:
    stated: dict[Quote, StatedRelation] = {}
    for quote in pair.evidence:
        for relation in reader.read(quote, index).relations:
            if (relation.source, relation.target) == (pair.source, pair.target):
                stated.setdefault(quote, relation)
    if not stated:
        return None
    quote, best = max(stated.items(), key=lambda item: item[1].confidence)
    return RelationClaim(
        source=pair.source.key,
        target=pair.target.key,
        mechanism=best.mechanism,
        confidence=best.confidence,
        polarity=best.polarity,
        quote=quote,
    )
