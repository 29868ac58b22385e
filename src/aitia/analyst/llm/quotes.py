"""Quotes as a judge is shown them: each once, under a label that its reply refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from aitia.analyst.llm.passages import FENCE_TOKENS, Passages
from aitia.corpus.tokens import count_tokens
from aitia.spec.model import Quote

SHOWN_CHARACTERS = 300

_LABEL = re.compile(r"\W*Q?\s*(\d{1,6})\W*", re.IGNORECASE)


class LabelledQuotes:
    """The distinct quotes of a call, Q1, Q2, ... in the order given."""

    def __init__(self, quotes: Iterable[Quote]) -> None:
        self._quotes = tuple(dict.fromkeys(quotes))
        self._position = {quote: position for position, quote in enumerate(self._quotes, start=1)}

    def render(self) -> str:
        """The quotes in their fences, each cut to 300 characters."""
        texts = [(quote.chunk_id, shown_text(quote)) for quote in self._quotes]
        return Passages(texts, letter="Q").render() if texts else "(none)"

    def labels(self, quotes: Sequence[Quote]) -> str:
        """The labels of some of the quotes, as ``[Q3 Q7]``."""
        return f"[{' '.join(f'Q{self._position[quote]}' for quote in dict.fromkeys(quotes))}]"

    def find(self, label: str) -> Quote | None:
        """The whole quote behind a label."""
        match = _LABEL.fullmatch(label)
        position = int(match.group(1)) if match else 0
        return self._quotes[position - 1] if 0 < position <= len(self._quotes) else None


def shown_text(quote: Quote) -> str:
    """What is shown of a quote: at most 300 characters, cut at a word."""
    if len(quote.text) <= SHOWN_CHARACTERS:
        return quote.text
    cut = quote.text[:SHOWN_CHARACTERS]
    return cut.rpartition(" ")[0] or cut


@lru_cache(maxsize=16_384)
def shown_tokens(quote: Quote) -> int:
    """What a quote takes of a prompt, with its fences."""
    return count_tokens(shown_text(quote)) + FENCE_TOKENS


def fitting_quotes(quotes: Iterable[Quote], tokens: int, most: int) -> tuple[Quote, ...]:
    """The first distinct quotes, at most ``most``, that have so many tokens together."""
    kept = []
    for quote in list(dict.fromkeys(quotes))[:most]:
        tokens -= shown_tokens(quote)
        if tokens < 0:
            break
        kept.append(quote)
    return tuple(kept)
