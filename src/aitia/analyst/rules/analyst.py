"""The rules analyst: every protocol of the seam without a model, a network or a price."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.analyst.graph_protocols import (
    ExtractedEntities,
    GateClaim,
    GateRequest,
    ModuleRequest,
    ModuleSummary,
    PathRequest,
    PathVerdict,
    QuestionClaim,
)
from aitia.analyst.protocols import (
    AnswerDraft,
    MetricEdgeRequest,
    NodeEdgeRequest,
    NumberedEvidence,
    Unread,
)
from aitia.analyst.rules import (
    answers,
    dimensions,
    extract,
    gates,
    judges,
    metrics,
    modules,
    outcomes,
    paths,
    questions,
    relations,
    variables,
)
from aitia.corpus.chunk import Chunk
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
from aitia.spec.model import Dimension, Metric, OutcomeConfig, Variable

Windows = Sequence[ReadingWindow]


class RulesAnalyst:
    """Implements `aitia.analyst.protocols.Analyst`; without state, so one serves any number of threads."""

    name = "rules"
    rejected: Sequence[Rejection] = ()
    unread: Sequence[Unread] = ()

    def propose_outcomes(self, metrics: Sequence[Metric], windows: Windows) -> list[OutcomeClaim]:
        """Roles by the words that metrics are named with."""
        return outcomes.propose_outcomes(metrics, windows)

    def find_dimensions(self, windows: Windows, outcomes: OutcomeConfig) -> list[DimensionClaim]:
        """Classes of entities that the text itself names."""
        return dimensions.find_dimensions(windows, outcomes)

    def consolidate_dimensions(self, claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
        """Synonyms merged, best supported first."""
        return dimensions.consolidate_dimensions(claims, limit)

    def find_metrics(
        self, windows: Windows, dimensions: Sequence[Dimension], outcomes: OutcomeConfig
    ) -> list[MetricClaim]:
        """Attributes that the text gives to entities."""
        return metrics.find_metrics(windows, dimensions, outcomes)

    def consolidate_metrics(self, claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
        """Synonyms merged, best supported first."""
        return metrics.consolidate_metrics(claims, limit)

    def find_variables(
        self, windows: Windows, dimensions: Sequence[Dimension], metrics: Sequence[Metric]
    ) -> list[VariableClaim]:
        """The bindings that sentences mention."""
        return variables.find_variables(windows, dimensions, metrics)

    def find_relations(
        self,
        windows: Windows,
        dimensions: Sequence[Dimension],
        metrics: Sequence[Metric],
        variables: Sequence[Variable],
    ) -> list[RelationClaim]:
        """The effects that sentences state between variables."""
        return relations.find_relations(windows, dimensions, metrics, variables)

    def judge_metric_edges(self, requests: Sequence[MetricEdgeRequest]) -> list[TemplateClaim]:
        """The templates that quotes state."""
        return judges.judge_metric_edges(requests)

    def judge_node_edges(self, requests: Sequence[NodeEdgeRequest]) -> list[RelationClaim]:
        """The pairs that quotes state."""
        return judges.judge_node_edges(requests)

    def write_answer(
        self, question: str, evidence: Sequence[NumberedEvidence], language: str | None
    ) -> AnswerDraft:
        """The most relevant sentences of the evidence, verbatim and cited."""
        return answers.write_answer(question, evidence, language)

    def write_questions(self, chunks: Sequence[Chunk], count: int) -> list[QuestionClaim]:
        """The sentences of each chunk, with the question that a definition answers."""
        return questions.write_questions(chunks, count)

    def extract_entities(self, chunks: Sequence[Chunk]) -> ExtractedEntities:
        """Noun phrases, and what links them within sentences."""
        return extract.extract_entities(chunks)

    def summarize_modules(self, requests: Sequence[ModuleRequest]) -> list[ModuleSummary]:
        """The most central sentences of each module."""
        return modules.summarize_modules(requests)

    def judge_gates(self, requests: Sequence[GateRequest]) -> list[GateClaim]:
        """The way in which stated causes between two modules point."""
        return gates.judge_gates(requests)

    def refine_paths(self, question: str, requests: Sequence[PathRequest]) -> list[PathVerdict]:
        """Whether the causal links of each path point along it."""
        return paths.refine_paths(question, requests)
