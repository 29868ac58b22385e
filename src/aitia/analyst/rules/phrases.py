"""Finding known names in sentences: the longest that begins at a word, over folded words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from aitia.analyst.rules.folding import fold
from aitia.analyst.rules.language import Sentence, is_acronym
from aitia.analyst.rules.terms import Key, key_of
from aitia.spec.model import ANY, Dimension

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class EntitySpan:
    """Tokens ``first`` to ``last`` (inclusive) that name an entity of a dimension."""

    first: int
    last: int
    dimension: str
    entity: str


class PhraseTable(Generic[Value]):
    """Values by name. A name that is an acronym matches only where the text writes it so: "ALL" is not "all"."""

    def __init__(self) -> None:
        self._values: dict[Key, Value] = {}
        self._acronyms: set[Key] = set()
        self._longest: dict[str, int] = {}

    def add(self, name: str, value: Value) -> None:
        """Add a name, unless an equal one is there."""
        key = key_of(name)
        if key and key not in self._values:
            self.add_key(key, value)
            if len(key) == 1 and is_acronym(name):
                self._acronyms.add(key)

    def add_key(self, key: Key, value: Value) -> None:
        """Add folded words."""
        self._values[key] = value
        self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def match(self, sentence: Sentence, folded: Sequence[str], position: int) -> tuple[int, Value] | None:
        """The end (exclusive) and value of the longest name that begins at a token."""
        longest = min(self._longest.get(folded[position], 0), len(folded) - position)
        for end in range(position + longest, position, -1):
            key = tuple(folded[position:end])
            if key in self._values and (
                key not in self._acronyms or is_acronym(sentence.tokens[position].text)
            ):
                return end, self._values[key]
        return None


def fold_sentence(sentence: Sentence) -> tuple[str, ...]:
    """The folded words of a sentence, token for token."""
    return tuple(fold(token.text) for token in sentence.tokens)


def entity_table(dimensions: Sequence[Dimension]) -> PhraseTable[tuple[str, str]]:
    """Dimension and entity by entity name and alias; the first dimension wins.

    A dimension's own name ("the treatment") stands for its reserved entity.
    """
    table: PhraseTable[tuple[str, str]] = PhraseTable()
    for dimension in dimensions:
        table.add(dimension.name, (dimension.name, ANY))
    for dimension in dimensions:
        for entity in dimension.entities:
            table.add(entity, (dimension.name, entity))
    for dimension in dimensions:
        for alias, entity in dimension.aliases.items():
            table.add(alias, (dimension.name, entity))
    return table


def entity_spans(
    table: PhraseTable[tuple[str, str]], sentence: Sentence, folded: Sequence[str]
) -> Iterator[EntitySpan]:
    """The entities that a sentence names, in order, no two overlapping."""
    position = 0
    while position < len(folded):
        found = table.match(sentence, folded, position)
        if found is None:
            position += 1
            continue
        end, (dimension, entity) = found
        yield EntitySpan(position, end - 1, dimension, entity)
        position = end
