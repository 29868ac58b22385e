"""The domain specification S = (A, M, V0, R0) of HCG-RAG (Definition 1): values, no behaviour.

A *variable* is a metric with one entity bound to every dimension of its signature, and is named by
its key, ``Metric(entity, entity)``. Everything here is frozen and compares by value.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from aitia.spec.keys import format_key

ANY = "any"
"""The reserved entity of a dimension that the text leaves open. Never shared, never embedded."""

GraphRole = Literal["terminal", "outcome", "intermediate"]
"""``terminal`` metrics receive edges and emit none; ``outcome`` metrics end retrieval and may emit."""

MetricKind = Literal["fixed", "extensible"]
Polarity = Literal["positive", "negative", "unclear", "none"]
"""Sign of an effect. ``none`` is a stated non-effect: stored, shown, never traversed."""


class Frozen(BaseModel):
    """A value: immutable, strict about unknown fields, and without numbers that are none."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Dimension(Frozen):
    """An axis with its entities; ``aliases`` maps other surface forms to an entity."""

    name: str
    description: str = ""
    entities: tuple[str, ...] = ()
    aliases: dict[str, str] = Field(default_factory=dict)


class Metric(Frozen):
    """A quantity or state that is measured along the dimensions of its signature."""

    name: str
    signature: tuple[str, ...]
    description: str
    category: str
    graph_role: GraphRole = "intermediate"
    kind: MetricKind = "extensible"

    @property
    def label(self) -> str:
        """The published notation, ``StagingClassification(disease, stage)``."""
        return format_key(self.name, self.signature)


class Variable(Frozen):
    """A metric with an entity (or ``any``) for each dimension of its signature, in its order."""

    metric: str
    entities: tuple[str, ...]

    @property
    def key(self) -> str:
        """The stable name, ``StagingClassification(melanoma, stage III)``."""
        return format_key(self.metric, self.entities)


class Quote(Frozen):
    """Words that stand verbatim in a chunk (after folding space, case and quotation marks)."""

    text: str
    chunk_id: str


class Relation(Frozen):
    """A directed claim between two variables, by key, with the quotes that it rests on."""

    source: str
    target: str
    mechanism: str
    confidence: float = Field(ge=0, le=1)
    polarity: Polarity = "unclear"
    quotes: tuple[Quote, ...] = ()

    @property
    def pair(self) -> tuple[str, str]:
        """What makes two relations the same edge."""
        return self.source, self.target

    @property
    def traversable(self) -> bool:
        """False for a stated non-effect, which is kept and shown but never walked."""
        return self.polarity != "none"


class OutcomeConfig(Frozen):
    """Roles given by the user, or proposed from a sample: metric names by role."""

    terminal: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()

    def role_of(self, metric: str) -> GraphRole:
        """The role of a metric, by its bare name."""
        if metric in self.terminal:
            return "terminal"
        return "outcome" if metric in self.outcome else "intermediate"


class DomainSpec(Frozen):
    """The specification as a whole, in canonical order once assembled."""

    dimensions: tuple[Dimension, ...] = ()
    metrics: tuple[Metric, ...] = ()
    variables: tuple[Variable, ...] = ()
    relations: tuple[Relation, ...] = ()

    def metric(self, name: str) -> Metric | None:
        """The metric of a bare name."""
        return next((metric for metric in self.metrics if metric.name == name), None)
