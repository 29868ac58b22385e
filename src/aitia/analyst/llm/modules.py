"""Summaries of modules: several modules a call, each from its entities, links and best quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aitia.analyst.graph_protocols import ModuleRequest, ModuleSummary
from aitia.analyst.llm.ask import Task
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.packing import begins_by_content, pack
from aitia.analyst.llm.quotes import LabelledQuotes, fitting_quotes, shown_tokens
from aitia.analyst.llm.replies import ModulesReply
from aitia.analyst.llm.vocabulary import one_line
from aitia.corpus.tokens import count_tokens

CALL_TOKENS = 6_000
MOST = 8
"""Modules a call; fewer where the reply has no room for them."""
QUOTES = 10
"""Quotes a module, the most central first."""
SUMMARY_TOKENS = 200

Numbered = tuple[int, ModuleRequest]


def summarize_modules(inquiry: Inquiry, requests: Sequence[ModuleRequest]) -> list[ModuleSummary]:
    """A summary for each module that the model summarised, in the order of the requests."""

    def render(units: Sequence[Numbered]) -> str:
        quotes = LabelledQuotes(quote for _, request in units for quote in request.quotes)
        lines = [_line(number, request, quotes) for number, request in units]
        return inquiry.render("modules", quotes=quotes.render(), modules="\n".join(lines))

    tasks = [
        Task(tuple(enumerate(call, start=1)), render, _place, _text) for call in _calls(inquiry, requests)
    ]
    said: dict[str, ModuleSummary] = {}
    for part in inquiry.asker.ask("modules", "modules", ModulesReply, tasks):
        asked = dict(part.units)
        for item in part.reply.modules:
            request = inquiry.asked("modules", "module", item.module, asked, item)
            if request is not None:
                summary = ModuleSummary(request.key, one_line(item.title), one_line(item.summary))
                said.setdefault(request.key, summary)
    return [said[request.key] for request in requests if request.key in said]


def _calls(inquiry: Inquiry, requests: Sequence[ModuleRequest]) -> list[tuple[ModuleRequest, ...]]:
    """Modules in the order of their keys, which are of their content."""
    tokens = min(CALL_TOKENS, inquiry.prompt_tokens) - count_tokens(inquiry.prompts["modules"].system)
    most = max(1, min(MOST, inquiry.reply_tokens // SUMMARY_TOKENS))
    shown = [
        replace(request, quotes=fitting_quotes(request.quotes, tokens // 2, QUOTES))
        for request in sorted(requests, key=lambda request: request.key)
    ]
    return pack(shown, _tokens, tokens, most, lambda request: begins_by_content(request.key, most))


def _tokens(request: ModuleRequest) -> int:
    return count_tokens(_line(0, request, LabelledQuotes(request.quotes))) + sum(
        shown_tokens(quote) for quote in request.quotes
    )


def _line(number: int, request: ModuleRequest, quotes: LabelledQuotes) -> str:
    entities, links = (
        "; ".join(one_line(each) for each in part) for part in (request.entities, request.links)
    )
    labels = quotes.labels(request.quotes)
    return f"{number}. Entities: {entities}\n    Links: {links or '(none)'}\n    Quotes: {labels}"


def _place(units: Sequence[Numbered]) -> str:
    _, first = units[0]
    return f"{len(units)} modules from {' / '.join(first.entities[:3])}"


def _text(units: Sequence[Numbered]) -> str:
    return "\n".join(
        text
        for _, request in units
        for text in (*request.entities, *request.links, *(quote.text for quote in request.quotes))
    )
