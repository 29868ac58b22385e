"""Causal gates: several pairs of modules a call, both directions of each at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aitia.analyst.graph_protocols import GateClaim, GateRequest, ModuleSummary
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.packing import begins_by_content, pack
from aitia.analyst.llm.quotes import LabelledQuotes, fitting_quotes, shown_tokens
from aitia.analyst.llm.replies import GatesReply
from aitia.analyst.llm.vocabulary import one_line
from aitia.corpus.tokens import count_tokens

CALL_TOKENS = 6_000
MOST = 12
"""Pairs a call; fewer where the reply has no room for them."""
QUOTES = 10
"""Quotes a pair, those of stated causes first."""
MEMBERS = 12
"""Names of members that a module is shown with."""
GATE_TOKENS = 80

Numbered = tuple[int, GateRequest]
Key = tuple[str, str]


def judge_gates(inquiry: Inquiry, requests: Sequence[GateRequest]) -> list[GateClaim]:
    """A claim for each pair that the model judged, in the order of the requests."""

    def render(units: Sequence[Numbered]) -> str:
        shown = _Shown(units)
        return inquiry.render(
            "gates", quotes=shown.quotes.render(), modules=shown.modules(), pairs=shown.pairs()
        )

    tasks = [
        Task(tuple(enumerate(call, start=1)), render, _place, _text) for call in _calls(inquiry, requests)
    ]
    claims: dict[Key, GateClaim] = {}
    for part in inquiry.asker.ask("gates", "gates", GatesReply, tasks):
        asked = dict(part.units)
        for item in part.reply.gates:
            request = inquiry.asked("gates", "pair", item.pair, asked, item)
            if request is not None:
                key = _key(request)
                claims.setdefault(key, GateClaim(*key, item.forward, item.backward, one_line(item.reason)))
    return [claims[_key(request)] for request in requests if _key(request) in claims]


class _Shown:
    """What a call shows of its pairs: each module once, the distinct quotes, and the pairs by number."""

    def __init__(self, units: Sequence[Numbered]) -> None:
        self._units = units
        self._members: dict[ModuleSummary, tuple[str, ...]] = {}
        for _, request in units:
            self._members.setdefault(request.first, request.first_members)
            self._members.setdefault(request.second, request.second_members)
        self._label = {module: f"M{number}" for number, module in enumerate(self._members, start=1)}
        self.quotes = LabelledQuotes(quote for _, request in units for quote in request.quotes)

    def modules(self) -> str:
        """A line a module."""
        return "\n".join(
            f"{self._label[module]}. {_described(module, members)}"
            for module, members in self._members.items()
        )

    def pairs(self) -> str:
        """A line a pair, the first module first."""
        return "\n".join(
            f"{number}. {self._label[request.first]} and {self._label[request.second]} "
            f"{self.quotes.labels(request.quotes)}"
            for number, request in self._units
        )


def _described(module: ModuleSummary, members: Sequence[str]) -> str:
    names = "; ".join(one_line(name) for name in members[:MEMBERS])
    return f"{one_line(module.title)}: {one_line(module.summary)} Entities: {names}"


def _key(request: GateRequest) -> Key:
    return request.first.key, request.second.key


def _calls(inquiry: Inquiry, requests: Sequence[GateRequest]) -> list[tuple[GateRequest, ...]]:
    """Pairs in the order of their keys, so that those of one module stand together."""
    tokens = min(CALL_TOKENS, inquiry.prompt_tokens) - count_tokens(inquiry.prompts["gates"].system)
    most = max(1, min(MOST, inquiry.reply_tokens // GATE_TOKENS))
    shown = [
        replace(request, quotes=fitting_quotes(request.quotes, tokens // 2, QUOTES))
        for request in sorted(requests, key=_key)
    ]
    return pack(
        shown, _tokens, tokens, most, lambda request: begins_by_content(" ".join(_key(request)), most)
    )


def _tokens(request: GateRequest) -> int:
    sides = (request.first, request.first_members), (request.second, request.second_members)
    modules = sum(count_tokens(_described(*side)) for side in sides)
    return modules + sum(shown_tokens(quote) for quote in request.quotes)


def _place(units: Sequence[Numbered]) -> str:
    _, first = units[0]
    return f"{len(units)} pairs of modules from {first.first.title} and {first.second.title}"


def _text(units: Sequence[Numbered]) -> str:
    shown = _Shown(units)
    return "\n".join([shown.modules(), *(quote.text for _, each in units for quote in each.quotes)])
