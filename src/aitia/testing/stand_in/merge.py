"""Answers to the prompts that consolidate: claims whose names differ in their form only are one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable

from aitia.testing.stand_in.prompt import Listed, Read, read_claims
from aitia.testing.stand_in.propose import Reply
from aitia.testing.stand_in.vocabulary import attribute_words, name_words
from aitia.testing.stand_in.world import attribute_kind

_AFTER = re.compile(r"(?: Entities: .*)?(?: ?\(support \d+\))?$")


def merge_dimensions(prompt: Read) -> Reply:
    """Dimensions by the words of their names."""
    groups = _groups((name_words(claim.name), claim) for claim in read_claims(prompt))
    return {"groups": [_group(group) for group in groups]}


def merge_metrics(prompt: Read) -> Reply:
    """Metrics by the words of their names and their signature."""
    groups = _groups(((name_words(claim.name), claim.signature), claim) for claim in read_claims(prompt))
    return {
        "groups": [
            {**_group(group), "signature": list(group[0].signature), "category": _category(group[0])}
            for group in groups
        ]
    }


def _groups(claims: Iterable[tuple[Hashable, Listed]]) -> list[list[Listed]]:
    """Two and more alike."""
    groups: dict[Hashable, list[Listed]] = defaultdict(list)
    for key, claim in claims:
        groups[key].append(claim)
    return [group for group in groups.values() if len(group) > 1]


def _group(claims: list[Listed]) -> Reply:
    first = claims[0]
    members = [claim.number for claim in claims]
    return {"name": first.name, "description": _AFTER.sub("", first.description), "members": members}


def _category(metric: Listed) -> str:
    return next((kind for word in attribute_words(metric) if (kind := attribute_kind(word))), "amount")
