"""Merging relations that say something about the same pair.

The rules are associative for quotes, confidence and mechanism, so that merging in two steps (a build,
then an update) gives what merging at once gives. Confidence is the **maximum**, not the noisy-or: claims
from neighbouring windows are not independent, and repetition already shows in the number of quotes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from aitia.spec.model import Polarity, Quote, Relation


def merge_relations(relations: Iterable[Relation]) -> list[Relation]:
    """One relation a pair, ordered by pair, whatever the order given."""
    groups: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        groups[relation.pair].append(relation)
    return [_merged(groups[pair]) for pair in sorted(groups)]


def merge_polarities(polarities: Iterable[Polarity]) -> Polarity:
    """The sign that the claims agree on; ``unclear`` if they contradict each other.

    An ``unclear`` effect says nothing against a sign, but it does contradict a non-effect.
    """
    stated = set(polarities)
    if stated == {"none"}:
        return "none"
    for sign in ("positive", "negative"):
        if stated <= {sign, "unclear"} and sign in stated:
            return sign
    return "unclear"


def ordered_quotes(quotes: Iterable[Quote | None]) -> tuple[Quote, ...]:
    """Distinct quotes by chunk and text."""
    distinct = {(quote.chunk_id, quote.text): quote for quote in quotes if quote}
    return tuple(distinct[key] for key in sorted(distinct)) if len(distinct) > 1 else tuple(distinct.values())


def _merged(group: list[Relation]) -> Relation:
    if len(group) == 1 and len(group[0].quotes) < 2:
        return group[0]
    first = min(group, key=lambda known: (-known.confidence, known.mechanism == "", known.mechanism))
    return first.model_copy(
        update={
            "polarity": merge_polarities(relation.polarity for relation in group),
            "quotes": ordered_quotes(quote for relation in group for quote in relation.quotes),
        }
    )
