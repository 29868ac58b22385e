"""Metrics: attributes that the corpus gives to the entities of its dimensions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from aitia.analyst.rules.dimensions import sentences_of
from aitia.analyst.rules.mentions import STATE
from aitia.analyst.rules.terms import Key, key_of, read_terms
from aitia.analyst.rules.wordlists import word_lists
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import MetricClaim
from aitia.spec.model import Dimension, Metric, OutcomeConfig

_LINKS = frozenset({"of", "for", "in", "the", "a", "an", "this", "your", "her", "his", "their", "its"})


def find_metrics(
    windows: Sequence[ReadingWindow], dimensions: Sequence[Dimension], outcomes: OutcomeConfig
) -> list[MetricClaim]:
    """A state metric for each dimension, then attributes by how many entities have them."""
    entity_of = {key_of(entity): d.name for d in dimensions for entity in d.entities}
    fillers: dict[tuple[str, str], Counter[Key]] = defaultdict(Counter)
    for read in read_terms(sentences_of(windows)).sentences:
        terms = read.terms
        folded = read.words
        for term in terms:
            for cut in range(1, len(term.key)):
                if term.key[:cut] in entity_of:
                    fillers[" ".join(term.key[cut:]), entity_of[term.key[:cut]]][term.key[:cut]] += 1
        for left, right in pairwise(terms):
            between = folded[left.last + 1 : right.first]
            if (
                between
                and between[0] in ("of", "for", "in")
                and set(between) <= _LINKS
                and right.key in entity_of
            ):
                fillers[left.head, entity_of[right.key]][right.key] += 1
    return [*(_state(d) for d in dimensions), *_attributes(fillers, dimensions)]


def consolidate_metrics(claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
    """One claim a name, best supported first."""
    first: dict[str, MetricClaim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.support, claim.name)):
        first.setdefault(claim.name, claim)
    return list(first.values())


def metrics_of(claims: Sequence[MetricClaim]) -> list[Metric]:
    """Claims as metrics without roles."""
    return [
        Metric(name=c.name, signature=c.signature, description=c.description, category=c.category)
        for c in claims
    ]


def camel(words: str) -> str:
    """``side effect`` as ``SideEffect``."""
    return "".join(word[:1].upper() + word[1:] for word in words.replace("-", " ").split())


def _state(dimension: Dimension) -> MetricClaim:
    examples = ", ".join(dimension.entities[:5])
    return MetricClaim(
        name=camel(dimension.name),
        signature=(dimension.name,),
        description=f"Presence or use of a {dimension.name}, such as {examples}.",
        category=STATE,
        support=1_000_000,
    )


def _attributes(
    fillers: dict[tuple[str, str], Counter[Key]], dimensions: Sequence[Dimension]
) -> list[MetricClaim]:
    lists = word_lists()
    names = {dimension.name for dimension in dimensions}
    claims = []
    for (attribute, dimension), entities in sorted(fillers.items()):
        head = attribute.split()[-1]
        if head in lists.empty or head in lists.persons or len(entities) < 3:
            continue
        name = camel(attribute) if attribute not in names else camel(f"{dimension} {attribute}")
        top = [" ".join(key) for key, _ in sorted(entities.items(), key=lambda pair: (-pair[1], pair[0]))[:5]]
        claims.append(
            MetricClaim(
                name=name,
                signature=(dimension,),
                description=f"The {attribute} of a {dimension}, such as {', '.join(top)}.",
                category=lists.attributes.get(head, "property"),
                support=len(entities) * (5 if head in lists.attributes else 1),
            )
        )
    return claims
