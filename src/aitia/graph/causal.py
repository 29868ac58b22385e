"""The causal graph: variables and directed edges with mechanism and evidence.

Two views of the same graph. `CausalGraph` holds values a person reads; `GraphArrays` holds what
retrieval needs, in arrays, and is all that is loaded to answer a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aitia.graph.csr import Adjacency, adjacency
from aitia.graph.order import Indices, ascending
from aitia.spec.model import Metric, Polarity, Variable

if TYPE_CHECKING:
    import networkx

FoundBy = Literal["quote", "mention", "chunk", "cosine"]
ROLES = ("intermediate", "outcome", "terminal")


@dataclass(frozen=True, slots=True)
class EdgeEvidence:
    """Why an edge is believed: a chunk (by row), a span of its document, and how it was found.

    ``quote``: the claim's own words, found verbatim. ``mention``: a sentence that names both ends.
    ``chunk``: a chunk that names both ends, in different sentences. ``cosine``: the chunk nearest to the
    edge's text. The last two have no quote and span the chunk.
    """

    chunk: int
    start: int
    end: int
    quote: str
    found_by: FoundBy


@dataclass(frozen=True, slots=True)
class CausalEdge:
    """An effect of one variable (by row) on another. Polarity ``none`` is a non-effect, never walked."""

    source: int
    target: int
    mechanism: str
    confidence: float
    polarity: Polarity
    evidence: tuple[EdgeEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A tier-1 edge between metrics, by name."""

    source: str
    target: str
    mechanism: str
    confidence: float


@dataclass(frozen=True)
class GraphArrays:
    """The graph as retrieval walks it. Variables are rows; edges of polarity ``none`` are absent.

    ``sources``, ``targets``: (edges,). ``metric_of``: (variables,), rows into the metrics, which are in
    name order. ``roles``: (metrics,), indices into `ROLES`. ``edge_of``, ``chunk_of``: one entry a piece
    of evidence, in edge order.
    """

    sources: Indices
    targets: Indices
    metric_of: Indices
    roles: Indices
    edge_of: Indices
    chunk_of: Indices

    @property
    def nodes(self) -> int:
        """The number of variables."""
        return len(self.metric_of)

    @cached_property
    def forward(self) -> Adjacency:
        """Edges by source."""
        return adjacency(self.sources, self.targets, self.nodes)

    @cached_property
    def backward(self) -> Adjacency:
        """Edges by target."""
        return adjacency(self.targets, self.sources, self.nodes)

    @cached_property
    def is_outcome(self) -> NDArray[np.bool_]:
        """Which variables end retrieval: those of outcome and terminal metrics, shape (variables,)."""
        return np.asarray(self.roles[self.metric_of] > 0) if self.nodes else np.zeros(0, bool)

    @cached_property
    def by_metric(self) -> MetricRows:
        """All variables by metric."""
        return _by_metric(np.arange(self.nodes), self.metric_of)

    @cached_property
    def outcomes(self) -> MetricRows:
        """The variables of outcome and terminal metrics, by metric."""
        rows = np.flatnonzero(self.is_outcome)
        return _by_metric(rows, self.metric_of[rows])

    @cached_property
    def outcome_group(self) -> Indices:
        """The group of each variable in `outcomes`, shape (variables,); -1 for the others."""
        groups = np.full(self.nodes, -1, np.int64)
        groups[self.outcomes.variables] = np.repeat(
            np.arange(len(self.outcomes.metrics)), self.outcomes.sizes
        )
        return groups

    @cached_property
    def evidence_by_chunk(self) -> ChunkEvidence:
        """All evidence, chunk by chunk."""
        order = ascending(self.chunk_of)
        chunks, starts = _runs(self.chunk_of[order])
        edges = self.edge_of[order]
        return ChunkEvidence(chunks, starts, self.sources[edges], self.targets[edges])


class MetricRows(NamedTuple):
    """Variables by metric, ascending: those of ``metrics[i]`` are ``sizes[i]`` from ``starts[i]`` on."""

    metrics: Indices
    starts: Indices
    sizes: Indices
    variables: Indices

    def of(self, metric: int) -> Indices:
        """The variables of a metric that has some."""
        group = self.metrics.searchsorted(metric)
        return self.variables[self.starts[group] :][: self.sizes[group]]


class ChunkEvidence(NamedTuple):
    """Evidence grouped by chunk: that of ``chunks[i]`` begins at ``starts[i]``. Both ends of its edge."""

    chunks: Indices
    starts: Indices
    sources: Indices
    targets: Indices


def _by_metric(variables: Indices, metric_of: Indices) -> MetricRows:
    order = ascending(metric_of)
    metrics, starts = _runs(metric_of[order])
    return MetricRows(metrics, starts, np.diff(starts, append=len(order)), variables[order])


def _runs(values: Indices) -> tuple[Indices, Indices]:
    """The distinct values of an ascending array, and where each begins."""
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    return values[starts], starts


@dataclass(frozen=True)
class CausalGraph:
    """The whole graph as values: metrics in name order, variables in key order, edges by (source, target)."""

    metrics: tuple[Metric, ...]
    variables: tuple[Variable, ...]
    templates: tuple[Template, ...]
    edges: tuple[CausalEdge, ...]

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """The row of each variable's key."""
        return {variable.key: row for row, variable in enumerate(self.variables)}

    def arrays(self) -> GraphArrays:
        """What retrieval walks."""
        metric_row = {metric.name: row for row, metric in enumerate(self.metrics)}
        walked = [edge for edge in self.edges if edge.polarity != "none"]
        return GraphArrays(
            sources=np.array([edge.source for edge in walked], np.int64),
            targets=np.array([edge.target for edge in walked], np.int64),
            metric_of=np.array([metric_row[variable.metric] for variable in self.variables], np.int64),
            roles=np.array([ROLES.index(metric.graph_role) for metric in self.metrics], np.int64),
            edge_of=np.array([row for row, edge in enumerate(walked) for _ in edge.evidence], np.int64),
            chunk_of=np.array([item.chunk for edge in walked for item in edge.evidence], np.int64),
        )

    def to_networkx(self) -> networkx.DiGraph[str]:
        """A directed networkx graph: nodes are variable keys, attributes as in this class."""
        import networkx

        graph: networkx.DiGraph[str] = networkx.DiGraph()
        role_of = {metric.name: metric.graph_role for metric in self.metrics}
        for variable in self.variables:
            graph.add_node(variable.key, metric=variable.metric, entities=list(variable.entities),
                           graph_role=role_of[variable.metric])  # fmt: skip
        for edge in self.edges:
            graph.add_edge(self.variables[edge.source].key, self.variables[edge.target].key,
                           mechanism=edge.mechanism, confidence=edge.confidence, polarity=edge.polarity,
                           quotes=[item.quote for item in edge.evidence if item.quote])  # fmt: skip
        return graph
