"""Causal gates for HugRAG: which way the stated causes between two modules point."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.graph_protocols import GateClaim, GateRequest
from aitia.analyst.rules.causal import CausalLink, causal_links
from aitia.analyst.rules.conditions import conditional_links
from aitia.analyst.rules.extract import says_cause
from aitia.analyst.rules.language import Sentence, read_sentences
from aitia.analyst.rules.phrases import PhraseTable, fold_sentence
from aitia.analyst.rules.relations import is_prose
from aitia.corpus.chunk import Chunk
from aitia.spec.model import Quote

LEAST_SOURCES = 2
"""Chunks of different documents that must point one way."""


def judge_gates(requests: Sequence[GateRequest]) -> list[GateClaim]:
    """For each pair the smoothed share of the causal sentences between them that point either way.

    With f sentences forward and b backward the shares are (f + 1) / (f + b + 2) and (b + 1) / (f + b + 2);
    a direction that fewer than two sources state is 0. Quotes of different chunks count as different sources.
    """
    return [_judge(request) for request in requests]


def _judge(request: GateRequest) -> GateClaim:
    table: PhraseTable[int] = PhraseTable()
    for side, names in enumerate((request.first_members, request.second_members)):
        for name in names:
            table.add(name, side)
    forward, backward = _Votes(), _Votes()
    for votes, quotes in zip((forward, backward), request.told, strict=True):
        for quote in quotes:
            votes.add(quote, quote.text)
    for quote in () if any(request.told) else request.quotes:
        for sentence in _sentences(quote):
            for direction in sorted(_directions(sentence, table)):
                (forward if direction == (0, 1) else backward).add(quote, sentence.text)
    total = forward.count + backward.count
    return GateClaim(
        request.first.key,
        request.second.key,
        forward.share(total),
        backward.share(total),
        _reason(request, forward, backward),
    )


class _Votes:
    """The sentences that point one way."""

    def __init__(self) -> None:
        self._sources: dict[str, list[str]] = {}

    def add(self, quote: Quote, sentence: str) -> None:
        texts = self._sources.setdefault(quote.chunk_id, [])
        if sentence not in texts:
            texts.append(sentence)

    @property
    def count(self) -> int:
        return sum(map(len, self._sources.values()))

    @property
    def told(self) -> str:
        """How many, and if these count for nothing, why."""
        said = f"{self.count} sentence{'s' * (self.count != 1)}"
        return f"{said} (of one document, so not counted)" if 0 < len(self._sources) < LEAST_SOURCES else said

    @property
    def example(self) -> str:
        return next(iter(self._sources.values()))[0]

    def share(self, total: int) -> float:
        return round((self.count + 1) / (total + 2), 3) if len(self._sources) >= LEAST_SOURCES else 0.0


def _sentences(quote: Quote) -> tuple[Sentence, ...]:
    return read_sentences(Chunk("", quote.chunk_id, 0, 0, len(quote.text), quote.text))


def _directions(sentence: Sentence, table: PhraseTable[int]) -> set[tuple[int, int]]:
    """The ways in which the links of a sentence lead from one side's members to the other's."""
    if not is_prose(sentence):
        return set()
    folded = fold_sentence(sentence)
    sides: list[set[int]] = [set() for _ in folded]
    at = 0
    while at < len(folded):
        found = table.match(sentence, folded, at)
        end = at + 1 if found is None else found[0]
        if found is not None:
            for place in range(at, end):
                sides[place].add(found[1])
        at = end
    links = (*causal_links(sentence), *conditional_links(sentence))
    return {
        (cause, effect)
        for link in links
        if link.polarity != "none" and says_cause(link)
        for cause in _named(link, sides, "cause")
        for effect in _named(link, sides, "effect")
        if cause != effect
    }


def _named(link: CausalLink, sides: Sequence[set[int]], end: str) -> set[int]:
    first, last = link.cause if end == "cause" else link.effect
    return set().union(*sides[first : last + 1])


def _reason(request: GateRequest, forward: _Votes, backward: _Votes) -> str:
    """One sentence, told the surer way, as the gate points: the counts, and an example."""
    if not forward.count + backward.count:
        return "No sentence states a cause between members of the two."
    total = forward.count + backward.count
    ways, ends = (forward, backward), (request.first.title, request.second.title)
    if backward.share(total) > forward.share(total):
        ways, ends = ways[::-1], ends[::-1]
    told = f"{ways[0].told} that way and {ways[1].told} back"
    example = (ways[0] if ways[0].count else ways[1]).example
    return f'From {ends[0]!r} to {ends[1]!r}: {told}, as "{example}"'
