"""Claims: what an analyst asserts, before anything outside it has accepted or rejected it.

Names in a claim are the analyst's own words; assembly resolves them against the vocabulary and
either accepts the claim or keeps it as a `Rejection` with a reason code. Nothing is dropped silently.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aitia.spec.model import Frozen, Polarity, Quote


class EntityClaim(Frozen):
    """An entity of a dimension, its other surface forms, and how often the text names it."""

    name: str
    aliases: tuple[str, ...] = ()
    mentions: int = Field(default=1, ge=0)


class DimensionClaim(Frozen):
    """An axis; ``support`` counts the mentions behind it and ranks it under a tier's cap."""

    name: str
    description: str = ""
    entities: tuple[EntityClaim, ...] = ()
    support: int = Field(default=1, ge=0)
    quote: Quote | None = None


class MetricClaim(Frozen):
    """A metric over named dimensions; ``support`` ranks it under a tier's cap."""

    name: str
    signature: tuple[str, ...]
    description: str
    category: str
    support: int = Field(default=1, ge=0)
    quote: Quote | None = None


class VariableClaim(Frozen):
    """A metric with entities bound to its signature; ``any`` where the text leaves one open."""

    metric: str
    entities: tuple[str, ...]
    quote: Quote | None = None


class RelationClaim(Frozen):
    """A directed effect between two variables, written as keys ``Metric(entity, ...)``."""

    source: str
    target: str
    mechanism: str
    confidence: float = Field(ge=0, le=1)
    polarity: Polarity = "unclear"
    quote: Quote | None = None


class TemplateClaim(Frozen):
    """A tier-1 edge: metric ``source`` influences metric ``target`` in general."""

    source: str
    target: str
    mechanism: str
    confidence: float = Field(ge=0, le=1)


class Verdict(Frozen):
    """What a judge said of a pair of variables that it was asked about, by key; no claim: no effect.

    ``shown``: it was shown quotes. ``chunks``: those of the quotes, else some that name both ends, else one that
    names each. ``lapsed``: the quotes have left the corpus since, and the claims with them; the pair is asked
    about again when a new chunk names both.
    """

    source: str
    target: str
    claims: tuple[RelationClaim, ...] = ()
    shown: bool = False
    chunks: tuple[str, ...] = ()
    lapsed: bool = False


class OutcomeClaim(Frozen):
    """A proposed role for a metric."""

    metric: str
    role: Literal["terminal", "outcome"]
    reason: str = ""


class MalformedClaim(Frozen):
    """Something an analyst returned that is no claim of its kind: kept as the JSON it came in."""

    kind: str
    text: str


Claim = (
    DimensionClaim
    | MetricClaim
    | VariableClaim
    | RelationClaim
    | TemplateClaim
    | OutcomeClaim
    | MalformedClaim
)

ReasonCode = Literal[
    "unknown_dimension",
    "unknown_metric",
    "unknown_entity",
    "wrong_arity",
    "unknown_endpoint",
    "ambiguous_endpoint",
    "ambiguous_name",
    "self_loop",
    "terminal_source",
    "duplicate",
    "over_cap",
    "fixed_metric",
    "reserved_name",
    "empty",
    "not_judged_causal",
    "not_asked",
    "malformed",
    "from_example",
]


class Rejection(Frozen):
    """A claim that was not accepted, why, and what it might have meant."""

    claim: Claim
    reason: ReasonCode
    detail: str = ""
    candidates: tuple[str, ...] = ()


class Admission(Frozen):
    """Growth of an extensible set: an entity of a dimension, or a variable a relation spoke of.

    ``owner`` is the dimension or the metric; ``quote`` is the evidence, which an entity always has.
    """

    what: Literal["entity", "variable"]
    owner: str
    name: str
    quote: Quote | None = None
