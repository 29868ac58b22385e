"""The LLM analyst: every protocol of the seam by prompts to a chat model, each claim checked by code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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
from aitia.analyst.llm import (
    answers,
    claims,
    dimensions,
    entities,
    gates,
    metric_edges,
    metrics,
    modules,
    node_edges,
    outcomes,
    paths,
    questions,
)
from aitia.analyst.llm.inquiry import Inquiry
from aitia.analyst.llm.prompt import Prompt
from aitia.analyst.protocols import (
    AnswerDraft,
    MetricEdgeRequest,
    NodeEdgeRequest,
    NumberedEvidence,
    Unread,
)
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLM
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


class LLMAnalyst:
    """Implements `aitia.analyst.protocols.Analyst`, the seam of QCG-RAG and HugRAG, and answers that stream.

    Variables and relations of a window come in one reply. It is kept until the relations are asked for,
    because by then the dimensions may have grown and the prompt would be another.
    """

    name = "llm"

    def __init__(self, llm: LLM, settings: LLMSettings, prompts: Mapping[str, Prompt]) -> None:
        self._inquiry = Inquiry(llm, prompts, settings)
        self._read: dict[tuple[tuple[str, ...], ...], claims.Read] = {}

    @property
    def rejected(self) -> Sequence[Rejection]:
        """What came back and was no claim of its kind, so far."""
        return self._inquiry.rejected

    @property
    def unread(self) -> Sequence[Unread]:
        """The parts that got no usable reply, so far."""
        return self._inquiry.asker.unread

    def propose_outcomes(self, metrics: Sequence[Metric], windows: Windows) -> list[OutcomeClaim]:
        """Roles by one call, from the metrics and a sample of passages."""
        return outcomes.propose_outcomes(self._inquiry, metrics, windows)

    def find_dimensions(self, windows: Windows, outcomes: OutcomeConfig) -> list[DimensionClaim]:
        """One call a window."""
        return dimensions.find_dimensions(self._inquiry, windows, outcomes)

    def consolidate_dimensions(self, claims: Sequence[DimensionClaim], limit: int) -> list[DimensionClaim]:
        """One call."""
        return dimensions.consolidate_dimensions(self._inquiry, claims, limit)

    def find_metrics(
        self, windows: Windows, dimensions: Sequence[Dimension], outcomes: OutcomeConfig
    ) -> list[MetricClaim]:
        """One call a window."""
        return metrics.find_metrics(self._inquiry, windows, dimensions, outcomes)

    def consolidate_metrics(self, claims: Sequence[MetricClaim], limit: int) -> list[MetricClaim]:
        """One call."""
        return metrics.consolidate_metrics(self._inquiry, claims, limit)

    def find_variables(
        self, windows: Windows, dimensions: Sequence[Dimension], metrics: Sequence[Metric]
    ) -> list[VariableClaim]:
        """One call a window, which finds the relations too."""
        return claims.variable_claims(self._replies(windows, dimensions, metrics), dimensions, metrics)

    def find_relations(
        self,
        windows: Windows,
        dimensions: Sequence[Dimension],
        metrics: Sequence[Metric],
        variables: Sequence[Variable],
    ) -> list[RelationClaim]:
        """No call after `find_variables` over the same windows and metrics."""
        return claims.relation_claims(self._replies(windows, dimensions, metrics))

    def judge_metric_edges(self, requests: Sequence[MetricEdgeRequest]) -> list[TemplateClaim]:
        """A call for as many sources as fit one."""
        return metric_edges.judge_metric_edges(self._inquiry, requests)

    def judge_node_edges(self, requests: Sequence[NodeEdgeRequest]) -> list[RelationClaim]:
        """A call a request."""
        return node_edges.judge_node_edges(self._inquiry, requests)

    def write_questions(self, chunks: Sequence[Chunk], count: int) -> list[QuestionClaim]:
        """One call a chunk."""
        return questions.write_questions(self._inquiry, chunks, count)

    def extract_entities(self, chunks: Sequence[Chunk]) -> ExtractedEntities:
        """A call for as many chunks of a document as are read at once."""
        return entities.extract_entities(self._inquiry, chunks)

    def summarize_modules(self, requests: Sequence[ModuleRequest]) -> list[ModuleSummary]:
        """Several modules a call."""
        return modules.summarize_modules(self._inquiry, requests)

    def judge_gates(self, requests: Sequence[GateRequest]) -> list[GateClaim]:
        """Several pairs a call, both directions at once."""
        return gates.judge_gates(self._inquiry, requests)

    def refine_paths(self, question: str, requests: Sequence[PathRequest]) -> list[PathVerdict]:
        """One call, if the paths fit one."""
        return paths.refine_paths(self._inquiry, question, requests)

    def write_answer(
        self, question: str, evidence: Sequence[NumberedEvidence], language: str | None
    ) -> AnswerDraft:
        """One call."""
        return answers.write_answer(self._inquiry, question, evidence, language)

    def stream_answer(
        self,
        question: str,
        evidence: Sequence[NumberedEvidence],
        language: str | None,
        on_text: Callable[[str], None],
    ) -> AnswerDraft:
        """One call, its text given to ``on_text`` as it comes."""
        return answers.stream_answer(self._inquiry, question, evidence, language, on_text)

    def _replies(
        self, windows: Windows, dimensions: Sequence[Dimension], metrics: Sequence[Metric]
    ) -> claims.Read:
        chunks = (tuple(chunk.id for chunk in window.chunks) for window in windows)
        key = (tuple(metric.label for metric in metrics), *chunks)
        if key not in self._read:
            self._read[key] = claims.read_windows(self._inquiry, windows, dimensions, metrics)
        return self._read[key]
