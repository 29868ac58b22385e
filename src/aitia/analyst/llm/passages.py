"""Text as a prompt shows it, between fences and under labels; and what a reply says of it, checked.

A document may hold anything, fences and instructions too. Each fence carries a mark that is made from
the texts and occurs in none of them, so no text can end its own fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from aitia.corpus.document import content_hash
from aitia.corpus.fold import Folded, fold_text
from aitia.corpus.words import word_starts
from aitia.spec.model import Quote

MIN_WORDS = 3
"""Fewer words stand in a text by chance, and are no evidence."""
MIN_PART_WORDS = 4
MAX_CHARACTERS, CUT_CHARACTERS = 600, 400
"""A quote of the first length or more is cut at a word border to at most the second."""

FENCE_TOKENS = 36
"""What a fence takes beside its text, about."""

_ELLIPSIS = re.compile(r"[\[(]?\s*(?:\.\s?\.\s?\.+|…)\s*[\])]?")
_NOT_WORDS = re.compile(r"[^\w\s]")
_LOOSE_ENDS = " \"'.,;:"


class Passages:
    """The texts of one request: (chunk id, text), labelled with the letter and their position from 1."""

    def __init__(self, texts: Sequence[tuple[str, str]], letter: str = "P") -> None:
        self._texts = tuple(texts)
        self._letter = letter
        self.mark = _mark([text for _, text in self._texts])
        self._label = re.compile(rf"\W*(?:{letter})?\s*(\d{{1,9}})(?:\s+{self.mark})?\W*", re.IGNORECASE)

    def render(self) -> str:
        """All texts in their fences, verbatim."""
        return "\n".join(self._fence(number, text) for number, (_, text) in enumerate(self._texts, start=1))

    def locate(self, label: str, quote: str) -> Quote | None:
        """Where a quote stands, in the words of the chunk; None if it is not verbatim (folded) anywhere.

        It is looked for in the labelled text, then in all others, where it must be in one chunk only. Of a
        quote with an ellipsis the longest part of 4 words counts.
        """
        labelled = self._position(label)
        for words in _readings(quote):
            if labelled is not None and (found := self._find(labelled, words)):
                return found
            elsewhere = [
                found for position in range(len(self._texts)) if (found := self._find(position, words))
            ]
            if len({found.chunk_id for found in elsewhere}) == 1:
                return elsewhere[0]
        return None

    def _fence(self, number: int, text: str) -> str:
        name = f"{self._letter}{number} {self.mark}"
        return f"<<<{name}>>>\n{text}\n<<<end {name}>>>"

    def _position(self, label: str) -> int | None:
        match = self._label.fullmatch(label)
        position = int(match.group(1)) - 1 if match else -1
        return position if 0 <= position < len(self._texts) else None

    @cached_property
    def _folded(self) -> list[Folded]:
        return [fold_text(text) for _, text in self._texts]

    def _find(self, position: int, words: str) -> Quote | None:
        folded = self._folded[position]
        start = folded.text.find(words)
        if start < 0:
            return None
        chunk_id, text = self._texts[position]
        first, last = folded.origin[start], folded.origin[start + len(words) - 1]
        return Quote(text=_shortened(text[first : last + 1]), chunk_id=chunk_id)


def count_mentions(names: Iterable[str], text: str) -> dict[str, int]:
    """How often each name stands in the text as whole words, both folded. A name within another counts too."""
    folded = fold_text(text).text
    return {name: sum(1 for _ in _starts(fold_text(name).text.strip(), folded)) for name in names}


def find_answer(answer: str, text: str) -> str | None:
    """The words of the text that are an answer, both folded and without loose ends, as whole words."""
    folded = fold_text(text)
    words = fold_text(answer).text.strip(f"{_LOOSE_ENDS}!?…。！？")
    start = next(_starts(words, folded.text), None)
    if start is None:
        return None
    return text[folded.origin[start] : folded.origin[start + len(words) - 1] + 1]


def _mark(texts: Sequence[str]) -> str:
    mark = content_hash(*texts)[:8]
    while any(mark in text.casefold() for text in texts):
        mark = content_hash(mark, *texts)[:8]
    return mark


def _readings(quote: str) -> Iterator[str]:
    """What of a quote may stand in a text, folded, best first; nothing if it has too few words."""
    folded = fold_text(quote).text.strip()
    if _count_words(folded) < MIN_WORDS:
        return
    yield folded
    trimmed = folded.strip(_LOOSE_ENDS + "…")
    if trimmed != folded and _count_words(trimmed) >= MIN_WORDS:
        yield trimmed
    parts = [part.strip(_LOOSE_ENDS) for part in _ELLIPSIS.split(folded)]
    if len(parts) > 1:
        yield from sorted(
            (part for part in parts if _count_words(part) >= MIN_PART_WORDS), key=len, reverse=True
        )


def _count_words(text: str) -> int:
    return len(word_starts(_NOT_WORDS.sub("", text)))


def _shortened(text: str) -> str:
    if len(text) < MAX_CHARACTERS:
        return text
    starts = word_starts(text)
    return text[: starts[starts <= CUT_CHARACTERS + 1][-1]].rstrip()[:CUT_CHARACTERS]


def _starts(name: str, text: str) -> Iterator[int]:
    """Where a name stands as whole words, without overlaps."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        whole = not _joined(text[start - 1 : start + 1] if start else "") and not _joined(
            text[end - 1 : end + 1]
        )
        if whole:
            yield start
        start = text.find(name, end if whole else start + 1)


def _joined(pair: str) -> bool:
    """Whether two neighbours are inside one word. Chinese and Japanese characters are words themselves."""
    return len(pair) == 2 and pair.isalnum() and (pair.isascii() or len(word_starts(pair)) == 1)
