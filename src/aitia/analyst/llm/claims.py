"""Variables and relations: one call a window finds both, over the closed dimensions and metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aitia.analyst.llm.ask import Found
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.replies import ClaimsReply, RelationItem, VariableItem
from aitia.analyst.llm.vocabulary import dimension_lines, metric_lines, one_line
from aitia.analyst.llm.windows import SentenceQuotes, passages_of, text_of, window_tasks
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import RelationClaim, VariableClaim
from aitia.spec.keys import parse_key
from aitia.spec.model import Dimension, Metric, Quote

Read = Sequence[Found[Chunk, ClaimsReply]]


def read_windows(
    inquiry: Inquiry,
    windows: Sequence[ReadingWindow],
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
) -> Read:
    """What the model found in each window. Without metrics there is nothing to find."""
    listed = metric_lines(metrics)

    def render(chunks: Sequence[Chunk]) -> str:
        known = dimension_lines(dimensions, text_of(chunks))
        return inquiry.render(
            "claims", metrics=listed, dimensions=known, passages=passages_of(chunks).render()
        )

    tasks = window_tasks(windows, render) if metrics else []
    return inquiry.asker.ask("claims", "claims", ClaimsReply, tasks)


def variable_claims(read: Read) -> list[VariableClaim]:
    """A claim for each variable, and for each end of a relation, once for each sentence it is quoted from.

    The quote is the whole sentence, so that variables of one sentence have one quote.
    """
    claims: dict[VariableClaim, None] = {}
    for part in read:
        quotes = SentenceQuotes(part.units)
        claims |= {_variable(item, quotes): None for item in part.reply.variables}
        claims |= {end: None for item in part.reply.relations for end in _ends(item, quotes)}
    return list(claims)


def relation_claims(read: Read) -> list[RelationClaim]:
    """A claim for each relation, its quote the whole sentence.

    One whose quote is not verbatim keeps none, and half its confidence.
    """
    claims = []
    for part in read:
        quotes = SentenceQuotes(part.units)
        claims += [_relation(item, quotes.locate(item.passage, item.quote)) for item in part.reply.relations]
    return claims


def _variable(item: VariableItem, quotes: SentenceQuotes) -> VariableClaim:
    metric, entities = item.metric, item.entities
    if "(" in metric:
        metric, written = _read_key(metric)
        entities = entities or written
    return VariableClaim(metric=metric, entities=entities, quote=quotes.locate(item.passage, item.quote))


def _ends(item: RelationItem, quotes: SentenceQuotes) -> Iterator[VariableClaim]:
    """The variables that a relation names: a new entity of theirs may stand nowhere else."""
    quote = quotes.locate(item.passage, item.quote)
    for end in (item.source, item.target):
        metric, entities = _read_key(end)
        if quote and entities:
            yield VariableClaim(metric=metric, entities=entities, quote=quote)


def _read_key(text: str) -> tuple[str, tuple[str, ...]]:
    try:
        return parse_key(text)
    except ValueError:
        return text, ()


def _relation(item: RelationItem, quote: Quote | None) -> RelationClaim:
    return RelationClaim(
        source=item.source,
        target=item.target,
        mechanism=one_line(item.mechanism),
        confidence=item.confidence if quote else item.confidence / 2,
        polarity=item.polarity,
        quote=quote,
    )
