"""Answers to the prompts that make the vocabulary: dimensions, metrics, outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from aitia.testing.stand_in.prompt import Read, read_dimensions, read_metrics
from aitia.testing.stand_in.text import (
    Mention,
    Sentence,
    cut_quote,
    find_attributes,
    find_mentions,
    find_others,
    sentences,
)
from aitia.testing.stand_in.vocabulary import Names, attribute_words, read_names
from aitia.testing.stand_in.world import attribute_kind, world

MOST_ENTITIES, MOST_METRICS = 60, 30
"""How much a model lists in one reply."""

Reply = dict[str, Any]
Attributed = tuple[str, tuple[str, ...]]

_OF = frozenset(["of", "for", "in", "from"])
_BESIDE = frozenset(["in", "with", "by", "after", "for", "during", "among", "against"])
_REACH = 4


def propose_dimensions(prompt: Read) -> Reply:
    """The kinds of things that the passages name, each with its entities, most often named first."""
    read = sentences(prompt.fenced)
    surfaces: dict[str, dict[tuple[str, ...], Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    first: dict[str, tuple[str, str]] = {}
    for sentence, mention in find_things(read):
        surfaces[mention.axis][mention.key][plain_name(mention.surface)] += 1
        if mention.axis not in first:
            first[mention.axis] = (sentence.label, cut_quote(sentence, mention.first, mention.last))
    axes = [
        {
            "name": axis.name,
            "description": f"{axis.description}.",
            "entities": _entities(surfaces[axis.name]),
            "passage": first[axis.name][0],
            "quote": first[axis.name][1],
        }
        for axis in world().axes.values()
        if axis.name in surfaces
    ]
    return {"dimensions": [axis for axis in axes if axis["entities"]]}


def find_things(read: Sequence[Sentence]) -> Iterator[tuple[Sentence, Mention]]:
    """What sentences name: things of a known kind, then others that are named often."""
    for sentence in read:
        for mention in find_mentions(sentence):
            yield sentence, mention
    yield from find_others(read)


def _entities(surfaces: dict[tuple[str, ...], Counter[str]]) -> list[Reply]:
    """Names of several words, and single ones that come twice."""
    kept = [(counts.total(), key) for key, counts in surfaces.items() if counts.total() > 1 or len(key) > 1]
    kept.sort(key=lambda row: (-row[0], row[1]))
    entities = []
    for _, key in kept[:MOST_ENTITIES]:
        name, *others = sorted(surfaces[key], key=lambda surface: (-surfaces[key][surface], surface))
        entities.append({"name": name, "aliases": others[:3]})
    return entities


def plain_name(surface: str) -> str:
    """In lower case, except for acronyms."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in surface.split())


def propose_metrics(prompt: Read) -> Reply:
    """What the passages say is so much, or so, of the things of given dimensions."""
    names = read_names(read_dimensions(prompt))
    found: dict[Attributed, Reply] = {}
    counts: Counter[Attributed] = Counter()
    for sentence in sentences(prompt.fenced):
        for metric, owner in _attributed(sentence, names):
            counts[metric] += 1
            if metric not in found:
                found[metric] = _metric(*metric, sentence, owner)
    ranked = sorted(found, key=lambda metric: (-counts[metric], metric))[:MOST_METRICS]
    return {"metrics": [found[metric] for metric in ranked]}


def _attributed(sentence: Sentence, names: Names) -> Iterator[tuple[Attributed, Mention]]:
    """An attribute and the dimension of what has it; of two, where another thing stands beside it."""
    mentions = names.find(sentence)
    for position in find_attributes(sentence):
        owner = find_owner(sentence, mentions, position)
        attribute = sentence.keys[position]
        if owner is None or owner.axis == attribute:
            continue
        yield (attribute, (owner.axis,)), owner
        other = _beside(sentence, mentions, max(owner.last, position + 1))
        if other is not None and other.axis != owner.axis:
            yield (attribute, (owner.axis, other.axis)), owner
    for mention in mentions:
        axis = world().axes.get(mention.axis)
        if axis is not None:
            yield (axis.default.lower(), (mention.axis,)), mention


def find_owner(sentence: Sentence, mentions: Sequence[Mention], position: int) -> Mention | None:
    """What has the attribute: named just before it, or after 'of'."""
    for mention in mentions:
        if mention.last == position and sentence.joined[position]:
            return mention
        if position < mention.first <= position + _REACH and sentence.keys[position + 1] in _OF:
            return mention
    return None


def _beside(sentence: Sentence, mentions: Sequence[Mention], position: int) -> Mention | None:
    """What a preposition at a position joins."""
    if position >= len(sentence.keys) or sentence.keys[position] not in _BESIDE:
        return None
    near = (mention for mention in mentions if position < mention.first < position + _REACH)
    return next(near, None)


def _metric(attribute: str, signature: tuple[str, ...], sentence: Sentence, thing: Mention) -> Reply:
    owner, *others = signature
    said = cut_quote(sentence, thing.first, thing.last)
    beside = f", by {others[0]}" if others else ""
    return {
        "name": "".join(_camel(word) for word in (owner, attribute, *(["by", *others] if others else []))),
        "signature": list(signature),
        "description": f"The {attribute} of a {owner}, such as {plain_name(thing.surface)}{beside}: {said}",
        "category": attribute_kind(attribute) or "amount",
        "passage": sentence.label,
        "quote": said,
    }


def _camel(words: str) -> str:
    return "".join(word.capitalize() for word in words.replace("-", " ").split())


_ENDS = frozenset(["mortality", "death", "survival"])


def propose_outcomes(prompt: Read) -> Reply:
    """What ends a life ends a chain; other results, risks and burdens are outcomes."""
    roles = []
    for metric in read_metrics(prompt):
        words = attribute_words(metric)
        kinds = {attribute_kind(word) for word in words}
        if _ENDS.intersection(words):
            roles.append({"metric": metric.name, "role": "terminal", "reason": "nothing follows from it"})
        elif kinds & {"outcome", "risk", "burden"}:
            roles.append({"metric": metric.name, "role": "outcome", "reason": "what people care about"})
    return {"outcomes": roles}
