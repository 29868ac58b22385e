"""The vocabulary that a prompt lists, found again in the sentences it asks about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aitia.testing.stand_in.prompt import Listed
from aitia.testing.stand_in.text import Mention, Sentence, find_mentions
from aitia.testing.stand_in.world import singular

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|\w+?")
_SPLIT = re.compile(r"\W+|_")
_FILLERS = frozenset(["of", "in", "by", "with", "for", "and", "the", "to"])


@dataclass(frozen=True)
class Names:
    """The listed entities by their first word, longest first: (words, name, dimension)."""

    by_first: Mapping[str, Sequence[tuple[tuple[str, ...], str, str]]]
    dimensions: frozenset[str]

    def find(self, sentence: Sentence) -> list[Mention]:
        """The mentions of a sentence in order, by listed name where one is listed.

        What names a kind of thing is a mention of the dimension of that name although no list has it.
        """
        taken = [False] * len(sentence.keys)
        found: list[Mention] = []
        for mention in find_mentions(sentence):
            listed = self._listed(sentence, mention.first)
            if listed is not None and listed.last == mention.last:
                found.append(listed)
            elif mention.axis in self.dimensions:
                found.append(mention)
            else:
                continue
            taken[mention.first : mention.last] = [True] * (mention.last - mention.first)
        for position in range(len(sentence.keys)):
            listed = None if taken[position] else self._listed(sentence, position)
            if listed is not None and not any(taken[position : listed.last]):
                found.append(listed)
                taken[position : listed.last] = [True] * (listed.last - position)
        return sorted(found, key=lambda mention: mention.first)

    def _listed(self, sentence: Sentence, first: int) -> Mention | None:
        for words, name, dimension in self.by_first.get(sentence.keys[first], ()):
            if sentence.keys[first : first + len(words)] == words:
                return Mention(first, first + len(words), words, name, dimension)
        return None


def read_names(dimensions: Mapping[str, Iterable[str]]) -> Names:
    """The names to look for; of an entity in two dimensions the first counts."""
    by_first: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for dimension, entities in dimensions.items():
        for name in entities:
            words = tuple(singular(word) for word in name.replace("-", " ").split())
            if words:
                by_first.setdefault(words[0], []).append((words, name, dimension))
    ranked = {first: sorted(rows, key=lambda row: -len(row[0])) for first, rows in by_first.items()}
    return Names(ranked, frozenset(dimensions))


def name_words(name: str) -> tuple[str, ...]:
    """The words of ``CamelCase``, ``snake_case`` or plain names, singular and in lower case."""
    return tuple(singular(word) for part in _SPLIT.split(name) for word in _WORD.findall(part))


def attribute_words(metric: Listed) -> tuple[str, ...]:
    """What a metric's name says beyond the dimensions that it is measured along; all of it if that is nothing."""
    words = name_words(metric.name)
    along = {word for dimension in metric.signature for word in name_words(dimension)} | _FILLERS
    return tuple(word for word in words if word not in along) or words
