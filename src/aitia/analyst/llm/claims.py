"""Variables and relations: one call a window finds both, over the closed dimensions and metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from aitia.analyst.llm.ask import Found
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.passages import count_mentions
from aitia.analyst.llm.replies import ClaimsReply, RelationItem, VariableItem
from aitia.analyst.llm.vocabulary import dimension_lines, metric_lines, one_line
from aitia.analyst.llm.windows import SentenceQuotes, passages_of, text_of, window_tasks
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import RelationClaim, VariableClaim
from aitia.spec.keys import parse_key
from aitia.spec.model import Dimension, Metric, Quote
from aitia.spec.names import fold
from aitia.spec.resolve import Fault, resolve_bindings

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


def variable_claims(
    read: Read, dimensions: Sequence[Dimension], metrics: Sequence[Metric]
) -> list[VariableClaim]:
    """A claim for each variable, and for each end of a relation, once for each sentence it is quoted from.

    The quote is the whole sentence, so that variables of one sentence have one quote. An entity that is
    not in the vocabulary must stand in the passage quoted, else the claim has no quote to admit it by.
    """
    claims: dict[VariableClaim, None] = {}
    for part in read:
        quotes = SentenceQuotes(part.units)
        claims |= {_variable(item, quotes): None for item in part.reply.variables}
        claims |= {end: None for item in part.reply.relations for end in _ends(item, quotes)}
    passages = {chunk.id: chunk.text for part in read for chunk in part.units}
    return list(dict.fromkeys(_supported(claims, passages, dimensions, metrics)))


def relation_claims(read: Read) -> list[RelationClaim]:
    """A claim for each relation, its quote the whole sentence.

    One whose quote is not verbatim keeps none, and half its confidence.
    """
    claims = []
    for part in read:
        quotes = SentenceQuotes(part.units)
        claims += [_relation(item, quotes.locate(item.passage, item.quote)) for item in part.reply.relations]
    return claims


def _supported(
    claims: Iterable[VariableClaim],
    passages: Mapping[str, str],
    dimensions: Sequence[Dimension],
    metrics: Sequence[Metric],
) -> Iterator[VariableClaim]:
    """The claims, without their quote where the passage does not name an entity that is new."""
    claims = list(claims)
    resolved = resolve_bindings(((claim.metric, claim.entities) for claim in claims), dimensions, metrics)
    words = cache(lambda chunk_id: _words(passages[chunk_id]))
    for claim in claims:
        found = resolved[claim.metric, claim.entities]
        new = [] if isinstance(found, Fault) else [_words(found.entities[place]) for place, _ in found.new]
        if claim.quote and new and not all(count_mentions(new, words(claim.quote.chunk_id)).values()):
            yield claim.model_copy(update={"quote": None})
        else:
            yield claim


def _words(text: str) -> str:
    """The words that count, singular."""
    return " ".join(fold(text).words)


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
