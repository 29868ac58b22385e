"""The seam: everything that needs judgement about language, as small protocols.

Each has a rule-based implementation (``analyst/rules``) and, for what a model does better, one that
asks an LLM. All take plain values and return claims; none writes, and none decides what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import (
    DimensionClaim,
    MetricClaim,
    OutcomeClaim,
    Rejection,
    RelationClaim,
    TemplateClaim,
    VariableClaim,
)
from aitia.spec.model import Dimension, Metric, OutcomeConfig, Quote, Variable


@dataclass(frozen=True, slots=True)
class MetricEdgeRequest:
    """Tier 1, one source metric: which of the candidates does it influence?

    ``dimensions`` are those of the signatures: the rules need them to see a metric in a quote.
    """

    source: Metric
    candidates: tuple[Metric, ...]
    evidence: tuple[Quote, ...] = ()
    dimensions: tuple[Dimension, ...] = ()


@dataclass(frozen=True, slots=True)
class VariablePair:
    """Tier 2, one candidate edge with the quotes that mention both ends."""

    source: Variable
    target: Variable
    evidence: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeEdgeRequest:
    """Tier 2, one batch: pairs of variables under accepted templates.

    ``metrics`` and ``dimensions`` are those of the pairs' variables: the rules need them to see a
    variable in a quote. ``support`` counts the seed relations by source and target metric.
    """

    pairs: tuple[VariablePair, ...]
    metrics: tuple[Metric, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    support: Mapping[tuple[str, str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumberedEvidence:
    """Evidence as the answer sees it; citations use ``number``."""

    number: int
    text: str
    citation: str


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer and the evidence numbers it rests on."""

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """What the writer returns; ``sufficient`` is false when the evidence does not hold an answer."""

    sentences: tuple[AnswerSentence, ...]
    sufficient: bool = True


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of the work that got no usable reply: in which step, what, and why.

    ``keys`` are the ledger keys of its useless replies, which a later build asks for again.
    """

    step: str
    place: str
    reason: str
    keys: tuple[str, ...] = ()


class OutcomeProposer(Protocol):
    """Proposes which metrics are outcomes or terminal, where the user gave no outcome file."""

    def propose_outcomes(
        self, metrics: Sequence[Metric], windows: Sequence[ReadingWindow]
    ) -> list[OutcomeClaim]:
        """A role for the metrics that deserve one."""
        ...


class DimensionFinder(Protocol):
    """Finds the axes of the domain and their entities."""

    def find_dimensions(
        self, windows: Sequence[ReadingWindow], outcomes: OutcomeConfig
    ) -> list[DimensionClaim]:
        """Claims over all windows, synonyms not yet merged."""
        ...

    def consolidate_dimensions(self, claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
        """Synonyms merged, best supported first; at most ``limit`` are meant to be kept."""
        ...


class MetricFinder(Protocol):
    """Finds the metrics of the domain over fixed dimensions."""

    def find_metrics(
        self, windows: Sequence[ReadingWindow], dimensions: Sequence[Dimension], outcomes: OutcomeConfig
    ) -> list[MetricClaim]:
        """Claims over all windows, synonyms not yet merged."""
        ...

    def consolidate_metrics(self, claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
        """Synonyms merged, best supported first; at most ``limit`` are meant to be kept."""
        ...


class VariableFinder(Protocol):
    """Binds entities to metrics."""

    def find_variables(
        self, windows: Sequence[ReadingWindow], dimensions: Sequence[Dimension], metrics: Sequence[Metric]
    ) -> list[VariableClaim]:
        """A claim for each binding that the text states, with its quote; repeats are allowed."""
        ...


class RelationFinder(Protocol):
    """Finds stated effects between variables."""

    def find_relations(
        self,
        windows: Sequence[ReadingWindow],
        dimensions: Sequence[Dimension],
        metrics: Sequence[Metric],
        variables: Sequence[Variable],
    ) -> list[RelationClaim]:
        """A claim for each stated effect or non-effect, with its quote."""
        ...


class MetricEdgeJudge(Protocol):
    """Tier 1: judges which metrics influence which."""

    def judge_metric_edges(self, requests: Sequence[MetricEdgeRequest]) -> list[TemplateClaim]:
        """The accepted templates of all requests."""
        ...


class NodeEdgeJudge(Protocol):
    """Tier 2: judges concrete pairs of variables."""

    def judge_node_edges(self, requests: Sequence[NodeEdgeRequest]) -> list[RelationClaim]:
        """The accepted edges of all requests."""
        ...


class AnswerWriter(Protocol):
    """Writes a cited answer from numbered evidence."""

    def write_answer(
        self, question: str, evidence: Sequence[NumberedEvidence], language: str | None
    ) -> AnswerDraft:
        """Sentences with citations, in the question's language unless one is given."""
        ...


@runtime_checkable
class StreamingWriter(AnswerWriter, Protocol):
    """A writer whose words can be shown while it writes."""

    def stream_answer(
        self,
        question: str,
        evidence: Sequence[NumberedEvidence],
        language: str | None,
        on_text: Callable[[str], None],
    ) -> AnswerDraft:
        """As ``write_answer``; ``on_text`` is given the text piece by piece, citations not yet checked."""
        ...


class Analyst(
    OutcomeProposer,
    DimensionFinder,
    MetricFinder,
    VariableFinder,
    RelationFinder,
    MetricEdgeJudge,
    NodeEdgeJudge,
    AnswerWriter,
    Protocol,
):
    """All of the seam that HCG-RAG and answering need; ``name`` is the ``--analyst`` value.

    What an analyst could not return as claims it keeps: ``rejected`` what was no claim, ``unread`` the
    parts without a usable reply. Both depend on the requests only, not on their order in time.
    """

    name: str

    @property
    def rejected(self) -> Sequence[Rejection]:
        """What came back and was no claim of its kind, so far."""
        ...

    @property
    def unread(self) -> Sequence[Unread]:
        """The parts that got no usable reply, so far."""
        ...
