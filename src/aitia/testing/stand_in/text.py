"""Sentences, their words, and the things named in them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from aitia.testing.stand_in.world import OTHER, attribute_kind, axis_of, modifies, singular, world

_END = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])|\n+")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_TOGETHER = re.compile(r"[ \n]|-")
_LONGEST_SENTENCE = 600
_LONGEST_NAME = 5

QUOTE = 240
"""Characters of a quote, about: forty words."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the label of the text it stands in.

    ``keys`` are its words in the singular; ``joined[i]``: word i follows the one before after one space.
    """

    label: str
    text: str
    spans: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    keys: tuple[str, ...]
    joined: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing named by the words ``first`` to ``last`` (exclusive) of a sentence."""

    first: int
    last: int
    key: tuple[str, ...]
    surface: str
    axis: str


def sentences(fenced: Mapping[str, str]) -> list[Sentence]:
    """The sentences of all fenced texts, in their order; an endless one is cut."""
    return [
        read_sentence(label, part[:_LONGEST_SENTENCE])
        for label, text in fenced.items()
        for part in map(str.strip, _END.split(text))
        if part
    ]


def read_sentence(label: str, text: str) -> Sentence:
    """A sentence with its words."""
    matches = list(_WORD.finditer(text))
    words = tuple(match.group() for match in matches)
    joined = tuple(
        bool(_TOGETHER.fullmatch(text, before.end(), match.start())) for before, match in pairwise(matches)
    )
    spans = tuple(match.span() for match in matches)
    return Sentence(label, text, spans, words, tuple(map(singular, words)), (False, *joined))


def cut_quote(sentence: Sentence, first: int = 0, last: int = 1) -> str:
    """The sentence; of a long one the words around those from ``first`` to ``last`` (exclusive), verbatim."""
    if len(sentence.text) <= QUOTE or not sentence.spans:
        return sentence.text[:QUOTE]
    starts = [start for start, _ in sentence.spans]
    need = sentence.spans[min(last, len(starts)) - 1][1]
    begin = starts[min(first, bisect_left(starts, need - QUOTE // 2))]
    end = bisect_right(starts, max(need, begin + QUOTE))
    return sentence.text[begin : sentence.spans[end - 1][1]]


def find_mentions(sentence: Sentence) -> list[Mention]:
    """Names of known kinds: a run of words that name kinds, the last of which decides, and what modifies it."""
    found: list[Mention] = []
    keys, joined = sentence.keys, sentence.joined
    first = 0
    position = 0
    while position < len(keys):
        if not axis_of(keys[position]):
            position += 1
            continue
        last = position + 1
        while last < len(keys) and joined[last] and axis_of(keys[last]) and last - position < _LONGEST_NAME:
            if keys[last] in keys[position:last]:
                break  # a heading, and the sentence that repeats it
            last += 1
        start = position
        while (
            start > first
            and joined[start]
            and last - start < _LONGEST_NAME
            and _modifies(sentence, start - 1)
        ):
            start -= 1
        surface = " ".join(sentence.words[start:last])
        found.append(Mention(start, last, keys[start:last], surface, axis_of(keys[last - 1])))
        first = position = last
    return found


def _modifies(sentence: Sentence, position: int) -> bool:
    word = sentence.words[position]
    acronym = word.isupper() and 1 < len(word) < 6 and word.lower() not in world().stop
    return acronym or modifies(word.lower())


def find_others(read: Iterable[Sentence], least: int = 3) -> Iterator[tuple[Sentence, Mention]]:
    """Words of no known kind that stand behind an article or preposition at least ``least`` times."""
    places = [
        (sentence, position)
        for sentence in read
        for position in range(1, len(sentence.keys))
        if sentence.joined[position]
        and sentence.keys[position - 1] in _BEFORE_NOUNS
        and _is_other(sentence.keys[position])
    ]
    counts = Counter(sentence.keys[position] for sentence, position in places)
    for sentence, position in places:
        key = sentence.keys[position]
        if counts[key] >= least:
            yield sentence, Mention(position, position + 1, (key,), sentence.words[position], OTHER)


_BEFORE_NOUNS = frozenset(["the", "a", "an", "of", "in", "on", "their", "its", "his", "her", "every", "each"])


_NO_NOUNS = ("ing", "ed", "ly", "est")


def _is_other(key: str) -> bool:
    return (
        len(key) > 3 and key.isalpha() and key not in world().stop and not key.endswith(_NO_NOUNS)
        and not (axis_of(key) or attribute_kind(key) or modifies(key))
    )  # fmt: skip


def find_attributes(sentence: Sentence) -> list[int]:
    """The positions of the words that say what is measured."""
    return [position for position, key in enumerate(sentence.keys) if attribute_kind(key)]


def content_words(sentence: Sentence) -> frozenset[str]:
    """Its words in the singular, but for those that stand in every text."""
    return frozenset(sentence.keys) - {singular(word) for word in world().stop}
