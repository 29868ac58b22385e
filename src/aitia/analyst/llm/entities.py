"""Entities and links: a call reads the chunks of one document; where a name stands is found by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from aitia.analyst.graph_protocols import EntityMention, ExtractedEntities, LinkClaim
from aitia.analyst.llm.ask import Found, Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.packing import pack
from aitia.analyst.llm.passages import count_mentions
from aitia.analyst.llm.replies import EntitiesReply, LinkItem
from aitia.analyst.llm.vocabulary import one_line
from aitia.analyst.llm.windows import SentenceQuotes, passages_of, place_of, text_of
from aitia.corpus.chunk import Chunk
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import ReasonCode
from aitia.spec.names import clean_name, fold

READ_TOKENS = 2_000
"""What of a document is read at once: of more, a model lists a smaller share of the entities."""

Refused = tuple[ReasonCode, str]


def extract_entities(inquiry: Inquiry, chunks: Sequence[Chunk]) -> ExtractedEntities:
    """Mentions in every chunk that names an entity, and links whose quote and ends stand in the text.

    Documents do not share calls, so that a changed one costs its own calls only.
    """

    def render(units: Sequence[Chunk]) -> str:
        return inquiry.render("entities", passages=passages_of(units).render())

    tasks = [Task(units, render, place_of, text_of) for units in _calls(chunks)]
    mentions: list[EntityMention] = []
    links: dict[LinkClaim, None] = {}
    for part in inquiry.asker.ask("entities", "entities", EntitiesReply, tasks):
        named = _Named(part)
        for item in part.reply.entities:
            known = named.find(item.name)
            if known is None:
                inquiry.refuse("entities", item, "unknown_entity", "it stands in none of the passages")
            else:
                named.keep(known, item.kind)
        quotes = SentenceQuotes(part.units)
        for link in part.reply.links:
            claim = _link(link, named, quotes)
            if isinstance(claim, LinkClaim):
                links[claim] = None
                named.keep(claim.source)
                named.keep(claim.target)
            else:
                inquiry.refuse("entities", link, *claim)
        mentions += named.mentions()
    return ExtractedEntities(tuple(mentions), tuple(links))


def _calls(chunks: Sequence[Chunk]) -> list[tuple[Chunk, ...]]:
    return [
        call
        for _, document in groupby(chunks, key=lambda chunk: chunk.document_id)
        for call in pack(document, lambda chunk: count_tokens(chunk.text), READ_TOKENS)
    ]


class _Named:
    """The names that a reply speaks of, one a spelling, with the chunks of the call that have it."""

    def __init__(self, part: Found[Chunk, EntitiesReply]) -> None:
        self._chunks = part.units
        given = [item.name for item in part.reply.entities]
        given += [end for item in part.reply.links for end in (item.source, item.target)]
        first: dict[str, str] = {}
        for name in map(clean_name, given):
            first.setdefault(fold(name).singular, name)
        self._first = first
        self._places = _places(tuple(first.values()), part.units)
        self._kinds: dict[str, str] = {}

    def find(self, name: str) -> str | None:
        """The name that stands for a name's spelling, if a chunk has it."""
        known = self._first[fold(clean_name(name)).singular]
        return known if self._places[known] else None

    def keep(self, known: str, kind: str = "") -> None:
        """Let a name that was found be an entity; its first kind counts."""
        self._kinds.setdefault(known, one_line(kind).lower())

    def mentions(self) -> list[EntityMention]:
        """Of the entities kept, in the order of the chunks."""
        return [
            EntityMention(chunk.id, name, kind)
            for chunk in self._chunks
            for name, kind in self._kinds.items()
            if chunk.id in self._places[name]
        ]


def _places(names: Sequence[str], chunks: Sequence[Chunk]) -> Mapping[str, set[str]]:
    """The chunks that have each name, in any case and number, as whole words."""
    words = {name: " ".join(fold(name).words) for name in names}
    places: dict[str, set[str]] = {name: set() for name in names}
    for chunk in chunks:
        verbatim = count_mentions(names, chunk.text)
        counted = count_mentions(words.values(), " ".join(fold(chunk.text).words))
        for name in names:
            if verbatim[name] or counted[words[name]]:
                places[name].add(chunk.id)
    return places


def _link(item: LinkItem, named: _Named, quotes: SentenceQuotes) -> LinkClaim | Refused:
    """A link whose quote is not verbatim is none: it is the evidence that gates are judged by."""
    quote = quotes.locate(item.passage, item.quote)
    if quote is None:
        return "malformed", "its quote stands in none of the passages"
    if fold(item.source).singular == fold(item.target).singular:
        return "self_loop", ""
    source, target = named.find(item.source), named.find(item.target)
    if source is None or target is None:
        missing = item.source if source is None else item.target
        return "unknown_endpoint", f"{missing!r} stands in none of the passages"
    causal = item.causal and not item.negated
    return LinkClaim(source, target, one_line(item.relation), quote, causal, item.confidence, item.negated)
