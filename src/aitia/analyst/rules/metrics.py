"""Metrics: what the corpus measures or states of the entities of its dimensions.

Three kinds: the state of a dimension's entities, what entities of one dimension have of another
("treatment of a disease"), and attributes ("stage of a disease").
"""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.rules.attributes import survey
from aitia.analyst.rules.candidates import attribute_candidates, relation_candidates
from aitia.analyst.rules.describe import describe
from aitia.analyst.rules.dimensions import sentences_of
from aitia.analyst.rules.states import state_candidates
from aitia.analyst.rules.terms import read_terms
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import MetricClaim
from aitia.spec.model import Dimension, OutcomeConfig


def find_metrics(
    windows: Sequence[ReadingWindow], dimensions: Sequence[Dimension], outcomes: OutcomeConfig
) -> list[MetricClaim]:
    """A state metric for each dimension, the metrics between two, and attributes, best supported first."""
    terms = read_terms(sentences_of(windows))
    found = survey(terms, dimensions)
    candidates = [
        *state_candidates(terms, dimensions),
        *relation_candidates(found),
        *attribute_candidates(terms, found, dimensions),
    ]
    return [
        MetricClaim(
            name=candidate.name,
            signature=candidate.signature,
            description=described.text,
            category=candidate.category,
            support=candidate.support,
            quote=described.quote,
        )
        for candidate, described in zip(
            candidates, describe(terms, found, dimensions, candidates), strict=True
        )
    ]


def consolidate_metrics(claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
    """One claim a name, best supported first."""
    first: dict[str, MetricClaim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.support, claim.name)):
        first.setdefault(claim.name, claim)
    return list(first.values())
