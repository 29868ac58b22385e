"""What each prompt's reply looks like: the JSON schema sent along is made from these models.

Every field is required and none has a bound, because strict structured output refuses both defaults and
bounds; what a schema cannot say, the validators check. A reply is read item by item: what does not
validate is one malformed claim, and the others count.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from aitia.spec.model import Polarity


class _Part(BaseModel):
    """A part of a reply; fields that a model adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise ValueError(f"{value:g} is not between 0 and 1")
    return value


def _named(value: str) -> str:
    if not value.strip():
        raise ValueError("a name cannot be empty")
    return value.strip()


def _rating(value: int) -> int:
    if not 0 <= value <= 2:
        raise ValueError(f"{value} is not 0, 1 or 2")
    return value


Confidence = Annotated[float, AfterValidator(_share)]
Name = Annotated[str, AfterValidator(_named)]
Rating = Annotated[int, AfterValidator(_rating)]


class EntityItem(_Part):
    """An entity of a dimension."""

    name: Name
    aliases: tuple[str, ...]


class DimensionItem(_Part):
    """A dimension, with a quote from the passage of that label."""

    name: Name
    description: str
    entities: tuple[EntityItem, ...]
    passage: str
    quote: str


class DimensionsReply(_Part):
    """Of the prompt ``dimensions``."""

    dimensions: tuple[DimensionItem, ...]


class DimensionGroup(_Part):
    """Claims, by number, that are one dimension."""

    name: Name
    description: str
    members: tuple[int, ...]


class DimensionGroupsReply(_Part):
    """Of the prompt ``consolidate_dimensions``."""

    groups: tuple[DimensionGroup, ...]


class MetricItem(_Part):
    """A metric, with a quote from the passage of that label."""

    name: Name
    signature: tuple[Name, ...]
    description: str
    category: str
    passage: str
    quote: str


class MetricsReply(_Part):
    """Of the prompt ``metrics``."""

    metrics: tuple[MetricItem, ...]


class MetricGroup(_Part):
    """Claims, by number, that are one metric."""

    name: Name
    signature: tuple[Name, ...]
    description: str
    category: str
    members: tuple[int, ...]


class MetricGroupsReply(_Part):
    """Of the prompt ``consolidate_metrics``."""

    groups: tuple[MetricGroup, ...]


class OutcomeItem(_Part):
    """The role of a metric."""

    metric: Name
    role: Literal["terminal", "outcome"]
    reason: str


class OutcomesReply(_Part):
    """Of the prompt ``outcomes``."""

    outcomes: tuple[OutcomeItem, ...]


class VariableItem(_Part):
    """A metric with its entities, with a quote from the passage of that label."""

    metric: Name
    entities: tuple[str, ...]
    passage: str
    quote: str


class RelationItem(_Part):
    """A stated effect between two variables, with a quote from the passage of that label."""

    source: Name
    target: Name
    mechanism: str
    polarity: Polarity
    confidence: Confidence
    passage: str
    quote: str


class ClaimsReply(_Part):
    """Of the prompt ``claims``: relations, and the variables that stand in none of them."""

    relations: tuple[RelationItem, ...]
    variables: tuple[VariableItem, ...]


class MetricEdgeItem(_Part):
    """An accepted template: the source by its label, the target by its name."""

    source: Name
    target: Name
    mechanism: str
    confidence: Confidence


class MetricEdgesReply(_Part):
    """Of the prompt ``metric_edges``."""

    edges: tuple[MetricEdgeItem, ...]


class NodeEdgeItem(_Part):
    """An accepted pair by its number, and the label of the quote that states it."""

    pair: int
    mechanism: str
    polarity: Polarity
    confidence: Confidence
    quote: str


class NodeEdgesReply(_Part):
    """Of the prompt ``node_edges``."""

    edges: tuple[NodeEdgeItem, ...]


class QuestionItem(_Part):
    """A question that a passage answers, and the answer."""

    question: Name
    answer: Name


class QuestionsReply(_Part):
    """Of the prompt ``questions``."""

    questions: tuple[QuestionItem, ...]


class NamedItem(_Part):
    """An entity of the passages, as they name it."""

    name: Name
    kind: str


class LinkItem(_Part):
    """A stated link between two entities, with a quote from the passage of that label."""

    source: Name
    target: Name
    relation: Name
    causal: bool
    negated: bool
    confidence: Confidence
    passage: str
    quote: str


class EntitiesReply(_Part):
    """Of the prompt ``entities``."""

    entities: tuple[NamedItem, ...]
    links: tuple[LinkItem, ...]


class ModuleItem(_Part):
    """A module, by its number, summarised."""

    module: int
    title: Name
    summary: Name


class ModulesReply(_Part):
    """Of the prompt ``modules``."""

    modules: tuple[ModuleItem, ...]


class GateItem(_Part):
    """A pair of modules by its number: why, and how sure either direction is."""

    pair: int
    reason: str
    forward: Confidence
    backward: Confidence


class GatesReply(_Part):
    """Of the prompt ``gates``."""

    gates: tuple[GateItem, ...]


class PathItem(_Part):
    """The verdict on a path by its number."""

    path: int
    reason: str
    verdict: Literal["causal", "spurious"]
    confidence: Confidence


class PathsReply(_Part):
    """Of the prompt ``paths``."""

    paths: tuple[PathItem, ...]


class FactItem(_Part):
    """A fact that a text states."""

    fact: Name


class FactsReply(_Part):
    """Of the prompt ``facts``."""

    facts: tuple[FactItem, ...]


class SupportItem(_Part):
    """Whether a fact, by its label, is supported."""

    fact: Name
    reason: str
    supported: bool


class SupportReply(_Part):
    """Of the prompts ``compare_facts`` and ``support``."""

    verdicts: tuple[SupportItem, ...]


class RelevanceItem(_Part):
    """How far a context answers a question."""

    reason: str
    rating: Rating


class RelevanceReply(_Part):
    """Of the prompt ``relevance``, whose list has one item."""

    ratings: tuple[RelevanceItem, ...]


class CorrectItem(_Part):
    """Whether an answer is correct."""

    reason: str
    correct: bool


class CorrectReply(_Part):
    """Of the prompt ``correct``, whose list has one item."""

    judgements: tuple[CorrectItem, ...]
