"""Summaries of modules for HugRAG: their most central sentences, or their members in a list."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.graph_protocols import ModuleRequest, ModuleSummary

LEAST, MOST = 2, 4
"""Sentences of a summary."""
LISTED = 8
"""Entities and links that a list names."""
LONGEST = 60
"""Words of a sentence; a longer one is mostly several glued together."""
TITLE = 3


def summarize_modules(requests: Sequence[ModuleRequest]) -> list[ModuleSummary]:
    """A summary for each module, without a word that is not the corpus's own or a name."""
    return [
        ModuleSummary(request.key, " / ".join(request.entities[:TITLE]), _summary(request))
        for request in requests
    ]


def _summary(request: ModuleRequest) -> str:
    sentences = _central(request)
    if len(sentences) >= LEAST:
        return " ".join(sentences)
    links = "; ".join(request.links[:LISTED])
    listed = f"entities: {', '.join(request.entities[:LISTED])}; links: {links or 'none'}"
    return " ".join([*sentences, listed])


def _central(request: ModuleRequest) -> list[str]:
    """The sentences that together name the most important entities, each chosen for what it adds.

    The entity of rank r is worth 1 / r, once.
    """
    left = {name.lower(): 1 / rank for rank, name in reversed(list(enumerate(request.entities, 1)))}
    texts = dict.fromkeys(" ".join(quote.text.split()) for quote in request.quotes)
    named = {
        text: {name for name in left if name in text.lower()}
        for text in texts
        if len(text.split()) <= LONGEST
    }
    chosen: list[str] = []
    while named and len(chosen) < MOST:
        best = max(named, key=lambda text: sum(left[name] for name in sorted(named[text] & left.keys())))
        fresh = named.pop(best) & left.keys()
        if not fresh:
            break
        chosen.append(best)
        for name in fresh:
            del left[name]
    order = list(texts)
    return sorted(chosen, key=order.index)
