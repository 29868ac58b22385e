"""Sentence spans, exact to the character.

syntok finds the boundaries of Latin-script prose; it does not know the full stops of CJK, Arabic,
Urdu and Devanagari, which are split here, behind any closing quotation marks.
"""

from __future__ import annotations

import re

from syntok import segmenter

_FOREIGN_STOP = re.compile(r"(?:[。！？｡]|[؟۔।॥](?=\s|$))[」』”’\"')\]]*")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans ``(start, end)`` of the sentences of a text, without outer white space, in order."""
    spans: list[tuple[int, int]] = []
    for paragraph in segmenter.analyze(text):
        for tokens in paragraph:
            first, last = tokens[0], tokens[-1]
            spans.extend(_cut(text, first.offset, last.offset + len(last.value)))
    return spans


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts = [match.end() for match in _FOREIGN_STOP.finditer(text, start, end)]
    spans = []
    for cut in [*cuts, end]:
        piece = text[start:cut]
        left = start + len(piece) - len(piece.lstrip())
        if piece.strip():
            spans.append((left, left + len(piece.strip())))
        start = cut
    return spans
