"""Which variables a sentence mentions, and where.

The longest known name wins at each word. Then, in this order:

- an attribute with an entity of its metric's signature beside it is one mention ("melanoma stage", "the
  stage of the melanoma", "size and stage of the melanoma"); entities that the text lists as its values fill
  the rest of the signature ("side effects of surgery include pain"); what stays open is ``any``, also where
  another entity is near, because nearness is often wrong;
- two entities of which one is the other's ("surgery for melanoma") are a mention of the metric between
  their dimensions, if there is one;
- an entity, or a dimension's own noun ("the treatment"), is a mention of its dimension's state metric.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aitia.analyst.rules.attributes import LINKS, owned_entities
from aitia.analyst.rules.candidates import RELATION
from aitia.analyst.rules.folding import fold
from aitia.analyst.rules.language import Sentence, Tag
from aitia.analyst.rules.phrases import EntitySpan, PhraseTable, entity_table, fold_sentence
from aitia.analyst.rules.states import STATE
from aitia.analyst.rules.terms import NOMINAL, Key, key_of
from aitia.analyst.rules.wordlists import word_lists
from aitia.spec.model import ANY, Dimension, Metric, Variable

_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z]|\d|$)|[A-Z]?[a-z]+|\d+|[A-Z]+")
_BESIDE = (Tag.DETERMINER, Tag.PRONOUN, Tag.ADJECTIVE, Tag.NUMBER)
_LIST = frozenset({",", "and", "or", "/", "&"})
_MAX_GAP = 4


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``first`` to ``last`` (inclusive) of a sentence that mention a variable."""

    first: int
    last: int
    variable: Variable


@dataclass(slots=True)
class _AttributeSpan:
    """An attribute's tokens, the metrics it may be of, and the entity it is said of."""

    first: int
    last: int
    metrics: tuple[Metric, ...]
    owner: EntitySpan | None = None


def attribute_words(metric: Metric) -> Key:
    """The folded words of a metric's name, without a leading dimension of its own signature."""
    words = _name_words(metric)
    for dimension in metric.signature:
        prefix = key_of(dimension)
        if len(words) > len(prefix) and words[: len(prefix)] == prefix:
            return words[len(prefix) :]
    return words


def _name_words(metric: Metric) -> Key:
    return tuple(fold(word) for word in _CAMEL.findall(metric.name)) or (fold(metric.name),)


class MentionIndex:
    """Finds the variables that sentences mention; built once for a vocabulary."""

    def __init__(self, dimensions: Sequence[Dimension], metrics: Sequence[Metric]) -> None:
        self._entities = entity_table(dimensions)
        self._states: dict[str, Metric] = {}
        self._relations: dict[tuple[str, ...], Metric] = {}
        attributes: dict[Key, list[Metric]] = defaultdict(list)
        for metric in metrics:
            if metric.category == STATE and len(metric.signature) == 1:
                self._states.setdefault(metric.signature[0], metric)
            elif metric.category == RELATION:
                self._relations.setdefault(metric.signature, metric)
            else:
                attributes[attribute_words(metric)].append(metric)
                attributes[_name_words(metric)].append(metric)
        self._attributes: PhraseTable[tuple[Metric, ...]] = PhraseTable()
        for key, named in attributes.items():
            self._attributes.add_key(key, tuple(dict.fromkeys(named)))

    def find(self, sentence: Sentence) -> list[Mention]:
        """The mentions of a sentence, in order; spans are equal (one for each listed value) or disjoint."""
        words = fold_sentence(sentence)
        entities, attributes = self._spans(sentence, words)
        _bind(sentence, words, entities, attributes)
        taken = {id(one.owner) for one in attributes}
        mentions = [m for one in attributes for m in self._attribute_mentions(words, one, entities)]
        free = [span for span in entities if id(span) not in taken]
        for owner, owned in owned_entities(sentence, words, free):
            metric = self._relations.get((owner.dimension, owned.dimension))
            if metric is not None and not {id(owner), id(owned)} & taken:
                taken |= {id(owner), id(owned)}
                variable = Variable(metric=metric.name, entities=(owner.entity, owned.entity))
                mentions.append(Mention(min(owner.first, owned.first), max(owner.last, owned.last), variable))
        mentions += [
            Mention(span.first, span.last, Variable(metric=state.name, entities=(span.entity,)))
            for span in free
            if id(span) not in taken and (state := self._states.get(span.dimension)) is not None
        ]
        return sorted(mentions, key=lambda mention: (mention.first, mention.last, mention.variable.key))

    def _spans(
        self, sentence: Sentence, words: Sequence[str]
    ) -> tuple[list[EntitySpan], list[_AttributeSpan]]:
        entities: list[EntitySpan] = []
        attributes: list[_AttributeSpan] = []
        position = 0
        while position < len(words):
            entity = self._entities.match(sentence, words, position)
            attribute = self._attributes.match(sentence, words, position)
            if attribute is not None and sentence.tokens[attribute[0] - 1].tag not in NOMINAL:
                attribute = None
            axis_only = entity is not None and entity[1][1] == ANY
            if attribute and (entity is None or attribute[0] + axis_only > entity[0]):
                attributes.append(_AttributeSpan(position, attribute[0] - 1, attribute[1]))
                position = attribute[0]
            elif entity:
                span = EntitySpan(position, entity[0] - 1, *entity[1])
                if not _is_aside(sentence, words, span):
                    entities.append(span)
                position = entity[0]
            else:
                position += 1
        return entities, attributes

    def _attribute_mentions(
        self, words: Sequence[str], one: _AttributeSpan, entities: Sequence[EntitySpan]
    ) -> Iterator[Mention]:
        owner = one.owner
        metric = next(
            (m for m in one.metrics if owner is not None and owner.dimension in m.signature), one.metrics[0]
        )
        first = min(one.first, owner.first) if owner else one.first
        last = max(one.last, owner.last) if owner else one.last
        bound = {owner.dimension: owner.entity} if owner else {}
        unbound = [axis for axis in metric.signature if axis not in bound][-1:]
        values = [span.entity for span in _values(words, first, last, entities) if span.dimension in unbound]
        for value in dict.fromkeys(values) or [ANY]:
            filled = {**dict.fromkeys(unbound, value), **bound}
            bindings = tuple(filled.get(axis, ANY) for axis in metric.signature)
            yield Mention(first, last, Variable(metric=metric.name, entities=bindings))


def _is_aside(sentence: Sentence, words: Sequence[str], span: EntitySpan) -> bool:
    """Whether the entity only modifies a person or an empty noun ("cancer patients", "skin cancer app")."""
    lists = word_lists()
    phrase = next((p for p in sentence.phrases if p.first <= span.first <= p.last), None)
    if phrase is None or phrase.last <= span.last:
        return False
    head = words[phrase.last]
    return head in lists.persons or (head in lists.empty | lists.vague and head not in lists.attributes)


def _bind(
    sentence: Sentence,
    words: Sequence[str],
    entities: Sequence[EntitySpan],
    attributes: Sequence[_AttributeSpan],
) -> None:
    """Give attributes the entity beside them; of a list of attributes all take the last one's."""
    taken: set[int] = set()
    following: _AttributeSpan | None = None
    for one in reversed(attributes):
        axes = {axis for metric in one.metrics for axis in metric.signature}
        fitting = [span for span in entities if span.dimension in axes and id(span) not in taken]
        before = next((s for s in fitting if _stands_before(sentence, s, one)), None)
        after = next((s for s in fitting if _stands_after(sentence, words, one, s)), None)
        one.owner = before or after
        if one.owner is None and following is not None and following.owner is not None:
            listed = set(words[one.last + 1 : following.first]) <= _LIST
            if listed and following.owner.first > following.last and following.owner.dimension in axes:
                one.owner = following.owner
        if one.owner is not None:
            taken.add(id(one.owner))
        following = one


def _stands_before(sentence: Sentence, span: EntitySpan, one: _AttributeSpan) -> bool:
    gap = sentence.tokens[span.last + 1 : one.first]
    if span.last >= one.first or len(gap) > 1:
        return False
    return any(p.first <= span.first and one.last <= p.last for p in sentence.phrases)


def _stands_after(sentence: Sentence, words: Sequence[str], one: _AttributeSpan, span: EntitySpan) -> bool:
    gap = range(one.last + 1, span.first)
    if not 0 < len(gap) <= _MAX_GAP or words[gap[0]] not in LINKS:
        return False
    return all(sentence.tokens[position].tag in _BESIDE for position in gap[1:])


def _values(
    words: Sequence[str], first: int, last: int, entities: Sequence[EntitySpan]
) -> Iterator[EntitySpan]:
    """Entities listed as what an attribute is: "include pain and fever", "pain is a ..."."""
    lists = word_lists()
    joints = lists.be | lists.include | {word for cue in lists.class_first for word in cue}
    allowed = joints | _LIST | {"may", "can", "also", "often", "a", "an", "the", ":", "(", "common", "most"}
    position = last
    for span in entities:
        between = set(words[position + 1 : span.first])
        if span.first > position and between <= allowed and (between & joints or position > last):
            yield span
            position = span.last
    for span in entities:
        between = set(words[span.last + 1 : first])
        if span.last < first and between and between <= allowed and between & lists.be:
            yield span
