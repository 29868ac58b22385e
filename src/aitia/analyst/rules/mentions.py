"""Which variables a sentence mentions, and where.

Longest match first. An attribute beside an entity of its dimension ("melanoma stage", "stage of the
melanoma") is one mention of the attribute's metric; an entity alone is a mention of its dimension's
state metric; an attribute alone is the metric with the nearest fitting entity of the sentence, else
``any``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aitia.analyst.rules.folding import fold
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.terms import Key, key_of
from aitia.spec.model import ANY, Dimension, Metric, Variable

STATE = "state"
"""The category of the metric that stands for the presence of a dimension's entities."""

_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z]|\d|$)|[A-Z]?[a-z]+|\d+|[A-Z]+")
_LINKS = frozenset(
    {"of", "for", "in", "from", "to", "the", "a", "an", "this", "that", "your", "her", "his", "their"}
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``first`` to ``last`` (inclusive) of a sentence that mention a variable."""

    first: int
    last: int
    variable: Variable


@dataclass(frozen=True, slots=True)
class _Span:
    first: int
    last: int
    dimension: str
    entity: str


def attribute_key(metric: Metric) -> Key:
    """The words of a metric's name, without a leading dimension of its own signature."""
    words = tuple(fold(word) for word in _CAMEL.findall(metric.name))
    for dimension in metric.signature:
        prefix = key_of(dimension)
        if len(words) > len(prefix) and words[: len(prefix)] == prefix:
            return words[len(prefix) :]
    return words


class MentionIndex:
    """Finds the variables that sentences mention; built once for a vocabulary."""

    def __init__(self, dimensions: Sequence[Dimension], metrics: Sequence[Metric]) -> None:
        self._entities: dict[Key, tuple[str, str]] = {}
        for dimension in dimensions:
            for entity in dimension.entities:
                self._entities.setdefault(key_of(entity), (dimension.name, entity))
            for alias, entity in dimension.aliases.items():
                self._entities.setdefault(key_of(alias), (dimension.name, entity))
        self._state = {
            metric.signature[0]: metric
            for metric in reversed(metrics)
            if metric.category == STATE and len(metric.signature) == 1
        }
        self._attributes: dict[Key, Metric] = {}
        for metric in metrics:
            if metric.category != STATE:
                self._attributes.setdefault(attribute_key(metric), metric)
        lengths: dict[str, int] = {}
        for key in [*self._entities, *self._attributes]:
            lengths[key[0]] = max(lengths.get(key[0], 0), len(key))
        self._lengths = lengths

    def find(self, sentence: Sentence) -> list[Mention]:
        """The mentions of a sentence, in order, no two overlapping."""
        folded = [fold(token.text) for token in sentence.tokens]
        entities: list[_Span] = []
        attributes: list[tuple[int, int, Metric]] = []
        position = 0
        while position < len(folded):
            end = self._match(folded, position)
            if end == position:
                position += 1
                continue
            key = tuple(folded[position:end])
            if key in self._entities:
                entities.append(_Span(position, end - 1, *self._entities[key]))
            elif sentence.tokens[end - 1].tag in (Tag.NOUN, Tag.PROPER):
                attributes.append((position, end - 1, self._attributes[key]))
            position = end
        return self._bind(folded, entities, attributes)

    def _match(self, folded: list[str], position: int) -> int:
        longest = min(self._lengths.get(folded[position], 0), len(folded) - position)
        for length in range(longest, 0, -1):
            key = tuple(folded[position : position + length])
            if key in self._entities or key in self._attributes:
                return position + length
        return position

    def _bind(
        self, folded: list[str], entities: list[_Span], attributes: list[tuple[int, int, Metric]]
    ) -> list[Mention]:
        mentions: list[Mention] = []
        used: set[int] = set()
        for first, last, metric in attributes:
            bound: dict[str, str] = {}
            start, end = first, last
            for index, span in enumerate(entities):
                if span.dimension not in metric.signature or span.dimension in bound:
                    continue
                if span.last == first - 1 or (
                    0 < span.first - last <= 5 and _links(folded, last, span.first)
                ):
                    bound[span.dimension] = span.entity
                    start, end = min(start, span.first), max(end, span.last)
                    used.add(index)
            variable = Variable(
                metric=metric.name, entities=tuple(bound.get(d, ANY) for d in metric.signature)
            )
            mentions.append(Mention(start, end, variable))
        for index, span in enumerate(entities):
            state = self._state.get(span.dimension)
            if index not in used and state is not None:
                mentions.append(
                    Mention(span.first, span.last, Variable(metric=state.name, entities=(span.entity,)))
                )
        return sorted(mentions, key=lambda mention: (mention.first, mention.last))


def _links(folded: list[str], last: int, first: int) -> bool:
    return first > last + 1 and all(word in _LINKS for word in folded[last + 1 : first])
