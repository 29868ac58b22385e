"""Tier 1: several sources share a call, each with its candidates and the quotes about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.quotes import LabelledQuotes, fitting_quotes, shown_text, shown_tokens
from aitia.analyst.llm.replies import MetricEdgeItem, MetricEdgesReply
from aitia.analyst.llm.vocabulary import metric_line, metric_name, one_line
from aitia.analyst.protocols import MetricEdgeRequest
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import TemplateClaim
from aitia.spec.model import Metric, Quote
from aitia.spec.names import fold

CALL_TOKENS = 8_000
"""What a prompt of several sources may have: a model judges worse the more it is given at once."""
MAX_PAIRS = 160
"""Pairs a call, for the same reason; fewer where the reply could not hold half of them."""
MAX_QUOTES = 20
"""Quotes a source, those of its summary first."""
_EDGE_TOKENS = 50

_LABEL = re.compile(r"\W*S?\s*(\d{1,6})\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Judgement:
    """One candidate of a source, and the quotes that are shown for the source."""

    source: Metric
    candidate: Metric
    quotes: tuple[Quote, ...]


def judge_metric_edges(inquiry: Inquiry, requests: Sequence[MetricEdgeRequest]) -> list[TemplateClaim]:
    """The accepted templates. A target that is no candidate is left to whoever asked to refuse."""
    tokens = min(CALL_TOKENS, inquiry.prompt_tokens) - count_tokens(inquiry.prompts["metric_edges"].system)

    def render(units: Sequence[Judgement]) -> str:
        shown = _Shown(units)
        return inquiry.render("metric_edges", quotes=shown.quotes.render(), sources=shown.lines())

    pairs = min(MAX_PAIRS, 2 * inquiry.reply_tokens // _EDGE_TOKENS)
    tasks = [Task(units, render, _place, _text) for units in _packed(requests, tokens, pairs)]
    claims = []
    for part in inquiry.asker.ask("metric_edges", "metric_edges", MetricEdgesReply, tasks):
        shown = _Shown(part.units)
        for item in part.reply.edges:
            source = shown.source(item.source)
            if source is None:
                detail = f"source {item.source!r} is none of those asked about"
                inquiry.refuse("metric_edges", item, "malformed", detail)
            else:
                claims.append(_claim(source, item, shown.candidates[source]))
    return claims


class _Shown:
    """What a call shows of some judgements: its sources with their candidates, and the distinct quotes."""

    def __init__(self, units: Sequence[Judgement]) -> None:
        self.candidates: dict[Metric, list[Metric]] = {}
        self._evidence: dict[Metric, tuple[Quote, ...]] = {}
        for unit in units:
            self.candidates.setdefault(unit.source, []).append(unit.candidate)
            self._evidence[unit.source] = unit.quotes
        self.quotes = LabelledQuotes(quote for quotes in self._evidence.values() for quote in quotes)

    def lines(self) -> str:
        """A line a source and an indented one a candidate; a metric is described where it comes first."""
        described: set[Metric] = set()
        lines = []
        for number, (source, candidates) in enumerate(self.candidates.items(), start=1):
            labels = self.quotes.labels(self._evidence[source])
            lines.append(f"S{number}. {_described(source, described)} {labels}")
            lines += [f"    - {_described(candidate, described)}" for candidate in candidates]
        return "\n".join(lines)

    def source(self, label: str) -> Metric | None:
        """The source of a label, or of a name that a model wrote in its stead."""
        sources = list(self.candidates)
        match = _LABEL.fullmatch(label)
        if match:
            position = int(match.group(1))
            return sources[position - 1] if 0 < position <= len(sources) else None
        return _by_name(label, sources)


def _described(metric: Metric, described: set[Metric]) -> str:
    if metric in described:
        return metric.label
    described.add(metric)
    return metric_line(metric)


def _by_name(name: str, metrics: Sequence[Metric]) -> Metric | None:
    wanted = fold(metric_name(name)).singular
    return next((metric for metric in metrics if fold(metric.name).singular == wanted), None)


def _claim(source: Metric, item: MetricEdgeItem, candidates: Sequence[Metric]) -> TemplateClaim:
    target = _by_name(item.target, candidates)
    return TemplateClaim(
        source=source.name,
        target=target.name if target else item.target,
        mechanism=one_line(item.mechanism),
        confidence=item.confidence,
    )


Shown = tuple[str, str]
"""Something that a call shows: (whose it is, its text). What is nobody's is shown once a call."""


@dataclass
class _Call:
    """A call that is being filled: its units, what it already shows, and the tokens that takes."""

    units: list[Judgement] = field(default_factory=list)
    shown: set[Shown] = field(default_factory=set)
    tokens: int = 0

    def cost(self, sizes: Mapping[Shown, int]) -> int:
        """Tokens of what is new here."""
        return sum(size for what, size in sizes.items() if what not in self.shown)

    def add(self, units: Sequence[Judgement], sizes: Mapping[Shown, int]) -> None:
        """Take the units of a source in."""
        self.tokens += self.cost(sizes)
        self.shown.update(sizes)
        self.units += units


def _packed(requests: Sequence[MetricEdgeRequest], tokens: int, pairs: int) -> list[tuple[Judgement, ...]]:
    """Requests in their order, as many to a call as have so many tokens and pairs; at least one."""
    calls = [_Call()]
    for request in requests:
        units = _judgements(request, tokens // 2)
        sizes = _sizes(units)
        call = calls[-1]
        full = len(call.units) + len(units) > pairs or call.tokens + call.cost(sizes) > tokens
        if call.units and full:
            calls.append(_Call())
        calls[-1].add(units, sizes)
    return [tuple(call.units) for call in calls if call.units]


def _judgements(request: MetricEdgeRequest, quote_tokens: int) -> list[Judgement]:
    quotes = fitting_quotes(request.evidence, quote_tokens, MAX_QUOTES)
    return [Judgement(request.source, candidate, quotes) for candidate in request.candidates]


def _sizes(units: Sequence[Judgement]) -> dict[Shown, int]:
    """What the units of a source show: descriptions and quotes, and the label of each candidate."""
    metrics = dict.fromkeys(metric for unit in units for metric in (unit.source, unit.candidate))
    sizes = {("", metric_line(metric)): _tokens(metric_line(metric)) for metric in metrics}
    sizes |= {(unit.source.name, unit.candidate.label): _tokens(unit.candidate.label) + 1 for unit in units}
    quotes = units[0].quotes if units else ()
    sizes |= {("", shown_text(quote)): shown_tokens(quote) for quote in quotes}
    return sizes


@lru_cache(maxsize=16_384)
def _tokens(text: str) -> int:
    return count_tokens(text)


def _place(units: Sequence[Judgement]) -> str:
    sources = list(dict.fromkeys(unit.source.name for unit in units))
    span = sources[0] if len(sources) == 1 else f"{sources[0]} to {sources[-1]}"
    return f"effects of {span} ({len(units)} pairs)"


def _text(units: Sequence[Judgement]) -> str:
    return "\n".join(dict.fromkeys(quote.text for unit in units for quote in unit.quotes))
