"""What an update leaves as the build made it: vocabulary, templates, thresholds, and verdicts that were paid for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aitia.graph.causal import Template
from aitia.spec.claims import Rejection, Verdict
from aitia.spec.model import Dimension, Metric, OutcomeConfig

Pair = tuple[str, str]
"""Source and target of a candidate edge, by key."""


@dataclass(frozen=True)
class ClosedVocabulary:
    """What stage 1 closes before variables are read: nothing that is read later changes it.

    The dimensions have the entities that were found first; those admitted with variables are not among them.
    """

    dimensions: tuple[Dimension, ...]
    metrics: tuple[Metric, ...]
    outcomes: OutcomeConfig
    rejected: tuple[Rejection, ...] = ()


@dataclass(frozen=True)
class Earlier:
    """What was judged before, and over which variables (keys) and chunks (ids), so that only new pairs are asked."""

    verdicts: tuple[Verdict, ...]
    variables: frozenset[str]
    chunks: frozenset[str]


@dataclass(frozen=True)
class Frozen:
    """What a build from a frozen vocabulary is given.

    ``read_under``: the path that a document (by id) was first read under, where it is another now; it
    decides which documents are read together. ``earlier`` is None for an analyst that costs nothing: it
    looks for new entities of the dimensions again, which a model brings with the variables, and judges every
    pair again, by today's quotes.
    """

    vocabulary: ClosedVocabulary
    templates: tuple[Template, ...]
    tau_e: float
    tau_min: float
    read_under: Mapping[str, str] = field(default_factory=dict)
    earlier: Earlier | None = None
