"""Tier 2: a call judges the pairs of one batch, by their numbers and the labels of their quotes."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.quotes import LabelledQuotes
from aitia.analyst.llm.replies import NodeEdgeItem, NodeEdgesReply
from aitia.analyst.llm.vocabulary import one_line
from aitia.analyst.protocols import NodeEdgeRequest, VariablePair
from aitia.spec.claims import RelationClaim

NumberedPair = tuple[int, VariablePair]


def judge_node_edges(inquiry: Inquiry, requests: Sequence[NodeEdgeRequest]) -> list[RelationClaim]:
    """The accepted pairs and the stated non-effects, each with the quote that its label stands for."""

    def render(units: Sequence[NumberedPair]) -> str:
        quotes = _quotes(units)
        lines = [
            f"{number}. {pair.source.key} -> {pair.target.key} {quotes.labels(pair.evidence)}"
            for number, pair in units
        ]
        return inquiry.render("node_edges", quotes=quotes.render(), pairs="\n".join(lines))

    tasks = [Task(tuple(enumerate(request.pairs, start=1)), render, _place, _text) for request in requests]
    claims = []
    for part in inquiry.asker.ask("node_edges", "node_edges", NodeEdgesReply, tasks):
        pairs, quotes = dict(part.units), _quotes(part.units)
        for item in part.reply.edges:
            pair = inquiry.asked("node_edges", "pair", item.pair, pairs, item)
            if pair is not None:
                claims.append(_claim(pair, item, quotes))
    return claims


def _quotes(units: Sequence[NumberedPair]) -> LabelledQuotes:
    return LabelledQuotes(quote for _, pair in units for quote in pair.evidence)


def _claim(pair: VariablePair, item: NodeEdgeItem, quotes: LabelledQuotes) -> RelationClaim:
    """A quote that is not about the pair is none; without one, confidence is halved."""
    quote = quotes.find(item.quote)
    if quote not in pair.evidence:
        quote = None
    return RelationClaim(
        source=pair.source.key,
        target=pair.target.key,
        mechanism=one_line(item.mechanism),
        confidence=item.confidence if quote else item.confidence / 2,
        polarity=item.polarity,
        quote=quote,
    )


def _place(units: Sequence[NumberedPair]) -> str:
    _, first = units[0]
    return f"{len(units)} pairs from {first.source.key} -> {first.target.key}"


def _text(units: Sequence[NumberedPair]) -> str:
    return "\n".join(dict.fromkeys(quote.text for _, pair in units for quote in pair.evidence))
