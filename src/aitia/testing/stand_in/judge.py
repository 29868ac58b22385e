"""Answers to the prompts that judge pairs: of metrics, and of variables."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from aitia.testing.stand_in.prompt import Listed, Read, read_parts
from aitia.testing.stand_in.propose import Reply
from aitia.testing.stand_in.relate import ANY, find_cues
from aitia.testing.stand_in.text import Sentence, read_sentence
from aitia.testing.stand_in.vocabulary import attribute_words, name_words

TOGETHER, ALIKE, STRANGE = 0.9, 0.6, 0.3
"""Shares of metric pairs that are accepted: a quote speaks of both, their names share a word, neither."""

QUOTED, UNQUOTED = 0.9, 0.75
"""Shares of variable pairs that are accepted where no quote names both ends: with quotes, without any.

They are liberal, because the published graphs, of 8 to 10 edges a node, are.
"""

_SOURCE = re.compile(r"^(S\d+)\. ([^(\n]+)\((.*?)\).*?\[([^\]\n]*)\] *$")
_CANDIDATE = re.compile(r"^\s+- ([^(\n]+)\((.*?)\)")
_PAIR = re.compile(r"^(\d+)\. (.+?\)) -> (.+?\)) \[([^\]\n]*)\] *$", re.MULTILINE)
_KEY = re.compile(r"^([^(]+)\((.*)\)$", re.DOTALL)


def judge_metrics(prompt: Read) -> Reply:
    """Shares of the candidates that a quote of the source speaks of, that are named alike, and of the rest."""
    quotes = _quoted_words(prompt)
    edges: list[dict[str, Any]] = []
    source, near, label = Listed("", (), ""), frozenset[str](), ""
    for line in prompt.section("sources").splitlines():
        head = _SOURCE.match(line)
        if head:
            label, name, parts, shown = head.groups()
            source = Listed(name.strip(), read_parts(parts), "")
            near = frozenset().union(*(quotes.get(each, frozenset()) for each in shown.split()))
        candidate = _CANDIDATE.match(line)
        if candidate and label:
            target = Listed(candidate.group(1).strip(), read_parts(candidate.group(2)), "")
            confidence = _template_confidence(source, target, near)
            if confidence:
                mechanism = f"a different {' '.join(attribute_words(source))} changes the {target.name}"
                edges.append(
                    {"source": label, "target": target.name, "mechanism": mechanism, "confidence": confidence}
                )
    return {"edges": edges}


def _template_confidence(source: Listed, target: Listed, near: frozenset[str]) -> float:
    """In [0, 1]; 0 refuses."""
    chance = _chance(source.name, target.name)
    if near.issuperset(attribute_words(target)):
        return 0.8 if chance < TOGETHER else 0.0
    if set(name_words(source.name)) & set(name_words(target.name)):
        return 0.6 if chance < ALIKE else 0.0
    return 0.4 if chance < STRANGE else 0.0


def judge_variables(prompt: Read) -> Reply:
    """The pairs whose ends a quote names together, and shares of the others, with quotes and without."""
    quotes = {label: read_sentence(label, text) for label, text in prompt.fenced.items()}
    edges = []
    for number, source, target, shown in _PAIR.findall(prompt.section("pairs")):
        labels = [label for label in shown.split() if label in quotes]
        quote = next((label for label in labels if _names_both(quotes[label], source, target)), "")
        if not quote and _chance(source, target) >= (QUOTED if labels else UNQUOTED):
            continue
        read = quotes[quote or labels[0]] if labels else None
        cue = next((cue for _, cue in find_cues(read)), None) if read else None
        edges.append(
            {
                "pair": int(number),
                "mechanism": " ".join(read.words[:12]) if read else f"{source} acts on {target}",
                "polarity": cue.polarity if cue else "unclear",
                "confidence": (0.8 if cue else 0.6) if quote else 0.4,
                "quote": read.label if read else "",
            }
        )
    return {"edges": edges}


def _names_both(quote: Sentence, source: str, target: str) -> bool:
    keys = frozenset(quote.keys)
    return all(keys.issuperset(_entity_words(end)) for end in (source, target))


def _entity_words(key: str) -> set[str]:
    match = _KEY.match(key)
    parts = read_parts(match.group(2)) if match else ()
    return {word for part in parts if part != ANY for word in name_words(part)}


def _quoted_words(prompt: Read) -> dict[str, frozenset[str]]:
    return {label: frozenset(read_sentence(label, text).keys) for label, text in prompt.fenced.items()}


def _chance(*words: str) -> float:
    """A number in [0, 1) that depends on the words only."""
    digest = hashlib.blake2b("\n".join(words).encode("utf-8", "replace"), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48
