"""The answer to the prompt about a window: its variables, and the effects between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from aitia.testing.stand_in.prompt import Listed, Read, read_dimensions, read_metrics, write_key
from aitia.testing.stand_in.propose import Reply, find_owner, plain_name
from aitia.testing.stand_in.text import Mention, Sentence, cut_quote, sentences
from aitia.testing.stand_in.vocabulary import Names, attribute_words, read_names
from aitia.testing.stand_in.world import Cue, world

MOST_VARIABLES, MOST_RELATIONS = 70, 30
"""How much a model lists in one reply."""

_NEAR = 8
ANY = "any"
"""The entity of a dimension that the text leaves open."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A metric of the prompt with entities bound, and the words of its sentence that name it."""

    key: str
    metric: str
    entities: tuple[str, ...]
    first: int
    last: int


def claim_effects(prompt: Read) -> Reply:
    """The variables that the passages state, and the effects between them."""
    names = read_names(read_dimensions(prompt))
    metrics = _by_first_word(read_metrics(prompt))
    variables: dict[tuple[str, str], Reply] = {}
    relations: dict[tuple[str, str], Reply] = {}
    for sentence in sentences(prompt.fenced):
        cues = list(find_cues(sentence))
        bound = _bind(sentence, names, metrics, caused=bool(cues))
        for one in bound:
            place = {"passage": sentence.label, "quote": cut_quote(sentence, one.first, one.last)}
            variables.setdefault(
                (one.key, sentence.label), {"metric": one.metric, "entities": list(one.entities), **place}
            )
        for position, cue in cues:
            for ends, relation in _effects(sentence, bound, position, cue):
                relations.setdefault(ends, relation)
    return {
        "variables": _spread(list(variables.values()), MOST_VARIABLES),
        "relations": _spread(list(relations.values()), MOST_RELATIONS),
    }


def _spread(found: list[Reply], most: int) -> list[Reply]:
    """As many as a model lists, from all over the window."""
    count = min(most, len(found))
    return [found[position * len(found) // count] for position in range(count)]


def _by_first_word(metrics: Sequence[Listed]) -> Mapping[str, list[tuple[tuple[str, ...], Listed]]]:
    table: dict[str, list[tuple[tuple[str, ...], Listed]]] = {}
    for metric in metrics:
        words = attribute_words(metric)
        table.setdefault(words[0], []).append((words, metric))
    return table


def _bind(
    sentence: Sentence,
    names: Names,
    metrics: Mapping[str, list[tuple[tuple[str, ...], Listed]]],
    *,
    caused: bool,
) -> list[Bound]:
    """A binding for each attribute word and metric; of things without one, where an effect is stated."""
    mentions = names.find(sentence)
    if not mentions:
        return []
    present = frozenset(sentence.keys)
    found: dict[str, Bound] = {}
    for position, key in enumerate(sentence.keys):
        for words, metric in metrics.get(key, ()):
            if present.issuperset(words):
                bound = _nearest(metric, sentence, mentions, position)
                if bound is not None:
                    found.setdefault(bound.key, bound)
    for mention in mentions if caused else ():
        axis = world().axes.get(mention.axis)
        for words, metric in metrics.get(axis.default.lower(), ()) if axis else ():
            if len(words) == 1 and metric.signature == (mention.axis,):
                bound = _bound(metric, (plain_name(mention.surface),), mention.first, mention.last)
                found.setdefault(bound.key, bound)
    return sorted(found.values(), key=lambda bound: (bound.first, bound.last, bound.key))


def _nearest(metric: Listed, sentence: Sentence, mentions: Sequence[Mention], position: int) -> Bound | None:
    """Entities by nearness to the attribute; its owner first. Nothing if every dimension stays open."""
    owner = find_owner(sentence, mentions, position)
    entities = []
    first = last = position
    for dimension in metric.signature:
        fitting = [mention for mention in mentions if mention.axis == dimension]
        best = min(fitting, key=lambda mention: _distance(mention, position, owner), default=None)
        if best is None or _distance(best, position, owner) > _NEAR:
            entities.append(ANY)
            continue
        entities.append(plain_name(best.surface))
        first, last = min(first, best.first), max(last, best.last - 1)
    if all(entity == ANY for entity in entities) and metric.signature:
        return None
    return _bound(metric, tuple(entities), first, last + 1)


def _distance(mention: Mention, position: int, owner: Mention | None) -> int:
    if mention == owner:
        return 0
    return max(mention.first - position, position - mention.last + 1, 1)


def _bound(metric: Listed, entities: tuple[str, ...], first: int, last: int) -> Bound:
    return Bound(write_key(metric.name, entities), metric.name, entities, first, last)


def find_cues(sentence: Sentence) -> Iterator[tuple[int, Cue]]:
    """The words of effect of a sentence and where they begin."""
    cues = world().cues
    words = tuple(word.lower() for word in sentence.words)
    after = 0
    for position, word in enumerate(words):
        if position < after:
            continue
        for cue in cues.get(word, ()):
            if words[position : position + len(cue.words)] == cue.words:
                after = position + len(cue.words)
                yield position, cue
                break


def weigh_cue(sentence: Sentence, position: int, cue: Cue) -> tuple[str, float]:
    """The sign of an effect, and how surely it is stated, by the words before the cue."""
    near = {word.lower() for word in sentence.words[max(0, position - 3) : position]}
    return "none" if near & world().negations else cue.polarity, 0.6 if near & world().hedges else 0.85


def _effects(
    sentence: Sentence, bound: Sequence[Bound], position: int, cue: Cue
) -> Iterator[tuple[tuple[str, str], Reply]]:
    """The nearest variables before and behind the cue, two on each side."""
    before = [one for one in bound if one.last <= position][-2:]
    behind = [one for one in bound if one.first >= position + len(cue.words)][:2]
    causes, results = (behind, before) if cue.reverse else (before, behind)
    polarity, confidence = weigh_cue(sentence, position, cue)
    for cause in causes:
        for result in results:
            if cause.key != result.key:
                relation = {
                    "source": cause.key,
                    "target": result.key,
                    "mechanism": " ".join(sentence.words[max(0, position - 3) : position + 6]),
                    "polarity": polarity,
                    "confidence": confidence,
                    "passage": sentence.label,
                    "quote": cut_quote(sentence, *sorted((cause.first, result.first))),
                }
                yield (cause.key, result.key), relation
