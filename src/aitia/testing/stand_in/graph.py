"""Answers to the prompts of HugRAG: entities with their links, summaries of modules, gates and paths."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from aitia.testing.stand_in.prompt import Read
from aitia.testing.stand_in.propose import Reply, find_things
from aitia.testing.stand_in.relate import find_cues, weigh_cue
from aitia.testing.stand_in.text import Mention, Sentence, cut_quote, read_sentence, sentences
from aitia.testing.stand_in.vocabulary import read_names

MOST_ENTITIES, MOST_LINKS = 60, 60
"""How much a model lists in one reply."""
NAMED, QUOTED = 3, 3
"""Entities of a title, and quotes of a summary."""

_MODULE = re.compile(r"^(\d+)\. Entities: (.*)\n +Links: (.*)\n +Quotes: \[([^\]\n]*)\]$", re.MULTILINE)
_SIDE = re.compile(r"^(M\d+)\. .*Entities: (.*)$", re.MULTILINE)
_PAIR = re.compile(r"^(\d+)\. (M\d+) and (M\d+) \[([^\]\n]*)\]$", re.MULTILINE)
_PATH = re.compile(r"^(\d+)\. (.*) \[[^\]\n]*\]$", re.MULTILINE)
_ALONG = re.compile(r"-\[[^\]\n]*: (?:causal|gate)\]->")


def find_entities(prompt: Read) -> Reply:
    """The things that the passages name, causes between them, and neighbours in a sentence."""
    things: dict[Sentence, list[Mention]] = defaultdict(list)
    for sentence, mention in find_things(sentences(prompt.fenced)):
        things[sentence].append(mention)
    entities: dict[str, Reply] = {}
    links: dict[tuple[str, str, bool], Reply] = {}
    for sentence, mentions in things.items():
        mentions.sort(key=lambda mention: mention.first)
        for mention in mentions:
            entities.setdefault(
                mention.surface.lower(), {"name": mention.surface, "kind": mention.axis or "thing"}
            )
        for link in (*_causes(sentence, mentions), *_neighbours(sentence, mentions)):
            links.setdefault((link["source"].lower(), link["target"].lower(), link["causal"]), link)
    return {"entities": list(entities.values())[:MOST_ENTITIES], "links": list(links.values())[:MOST_LINKS]}


def _causes(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Reply]:
    """From the thing before a word of effect to the one behind it, or back."""
    for position, cue in find_cues(sentence):
        before = [mention for mention in mentions if mention.last <= position][-1:]
        behind = [mention for mention in mentions if mention.first >= position + len(cue.words)][:1]
        polarity, confidence = weigh_cue(sentence, position, cue)
        words = " ".join(sentence.words[position : position + len(cue.words)])
        for cause, effect in zip(*((behind, before) if cue.reverse else (before, behind)), strict=False):
            if cause.key != effect.key:
                denied = polarity == "none"
                yield _link(
                    sentence, cause, effect, words, causal=True, negated=denied, confidence=confidence
                )


def _neighbours(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Reply]:
    for one, other in pairwise(mentions):
        if one.key != other.key:
            yield _link(sentence, one, other, "with", causal=False, negated=False, confidence=0.5)


def _link(sentence: Sentence, source: Mention, target: Mention, relation: str, **said: Any) -> Reply:
    first, last = min(source.first, target.first), max(source.last, target.last)
    return {
        "source": source.surface,
        "target": target.surface,
        "relation": relation,
        **said,
        "passage": sentence.label,
        "quote": cut_quote(sentence, first, last),
    }


def summarise_modules(prompt: Read) -> Reply:
    """A module by its first entities and its first quotes."""
    modules = []
    for number, listed, links, labels in _MODULE.findall(prompt.section("modules")):
        names = [name.strip() for name in listed.split(";")]
        said = [f"It is about {' and '.join(names[:NAMED])}."]
        said += [prompt.fenced[label] for label in labels.split()[:QUOTED] if label in prompt.fenced]
        said += [f"It is said that {links}."] if len(said) == 1 else []
        modules.append({"module": int(number), "title": ", ".join(names[:NAMED]), "summary": " ".join(said)})
    return {"modules": modules}


def judge_modules(prompt: Read) -> Reply:
    """A pair by the words of effect that stand between names of both; one counts half, two for sure."""
    members = {
        label: [name.strip() for name in listed.split(";")]
        for label, listed in _SIDE.findall(prompt.section("modules"))
    }
    gates = []
    for number, first, second, labels in _PAIR.findall(prompt.section("pairs")):
        sides = {first: members.get(first, []), second: members.get(second, [])}
        quotes = [
            read_sentence(label, prompt.fenced[label]) for label in labels.split() if label in prompt.fenced
        ]
        ways = [way for quote in quotes for way in _ways(quote, sides)]
        forward, backward = ways.count((first, second)), ways.count((second, first))
        gates.append(
            {
                "pair": int(number),
                "reason": f"{forward} statements lead on and {backward} back",
                "forward": _sure(forward),
                "backward": _sure(backward),
            }
        )
    return {"gates": gates}


def _ways(quote: Sentence, sides: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """From which side to which each word of effect of a quote leads."""
    mentions = read_names(sides).find(quote)
    for position, cue in find_cues(quote):
        before = [mention.axis for mention in mentions if mention.last <= position][-1:]
        behind = [mention.axis for mention in mentions if mention.first >= position + len(cue.words)][:1]
        denied = weigh_cue(quote, position, cue)[0] == "none"
        for one, other in zip(before, behind, strict=False):
            if one != other and not denied:
                yield (other, one) if cue.reverse else (one, other)


def _sure(count: int) -> float:
    return (0.1, 0.7)[count] if count < 2 else 0.9


def judge_paths(prompt: Read) -> Reply:
    """A path is causal if it has a cause that is told along it, and none against."""
    paths = []
    for number, told in _PATH.findall(prompt.section("paths")):
        causal = bool(_ALONG.search(told)) and ", against]" not in told and ": negated]" not in told
        paths.append(
            {
                "path": int(number),
                "reason": "each step leads to the next" if causal else "a step leads nowhere",
                "verdict": "causal" if causal else "spurious",
                "confidence": 0.8,
            }
        )
    return {"paths": paths}
