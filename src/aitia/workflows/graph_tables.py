"""The causal graph as tables that a person looks into: metrics and what is between them, then the edges.

Everything is computed from arrays that are made once, so that a graph of 20,000 edges is filtered in a few
milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from aitia.graph.causal import CausalEdge, CausalGraph
from aitia.spec.model import Polarity

POLARITIES: tuple[str, ...] = get_args(Polarity)

Indices = NDArray[np.int64]
Row = dict[str, Any]


@dataclass(frozen=True)
class EdgeFilter:
    """Which edges: every field that is given must fit.

    ``source_metric``, ``target_metric``, ``metric`` (either end) are names, ``variable`` (either end) is a
    key, ``text`` is part of a key or mechanism. ``evidence``: ``quote``, ``other`` (found by vector or place
    alone) or ``none``.
    """

    source_metric: str | None = None
    target_metric: str | None = None
    metric: str | None = None
    variable: str | None = None
    polarity: str | None = None
    min_confidence: float = 0.0
    max_confidence: float = 1.0
    evidence: str | None = None
    text: str = ""


@dataclass(frozen=True)
class GraphTables:
    """A graph, and its columns. Edges of polarity ``none`` are in it, marked as such."""

    graph: CausalGraph

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Of the variables, by row."""
        return tuple(variable.key for variable in self.graph.variables)

    @cached_property
    def metric_row(self) -> dict[str, int]:
        """The row of each metric's name."""
        return {metric.name: row for row, metric in enumerate(self.graph.metrics)}

    @cached_property
    def metric_of(self) -> Indices:
        """The metric of each variable, shape (variables,)."""
        return np.array([self.metric_row[each.metric] for each in self.graph.variables], np.int64)

    @cached_property
    def ends(self) -> Indices:
        """Source and target of each edge, shape (2, edges)."""
        pairs = [(edge.source, edge.target) for edge in self.graph.edges]
        return np.array(pairs, np.int64).reshape(-1, 2).T

    @cached_property
    def confidence(self) -> NDArray[np.float64]:
        """Of each edge, shape (edges,)."""
        return np.array([edge.confidence for edge in self.graph.edges], float)

    @cached_property
    def polarity(self) -> Indices:
        """Of each edge, as its place in `POLARITIES`, shape (edges,)."""
        return np.array([POLARITIES.index(edge.polarity) for edge in self.graph.edges], np.int64)

    @cached_property
    def evidence(self) -> Indices:
        """Pieces of evidence of each edge, shape (edges,)."""
        return np.array([len(edge.evidence) for edge in self.graph.edges], np.int64)

    @cached_property
    def quotes(self) -> Indices:
        """Those of each edge that are the claim's own words, shape (edges,)."""
        return np.array(
            [sum(e.found_by == "quote" for e in edge.evidence) for edge in self.graph.edges], np.int64
        )

    @cached_property
    def _texts(self) -> NDArray[np.str_]:
        """What a search looks into, shape (edges,)."""
        texts = [
            f"{self.keys[edge.source]}\n{self.keys[edge.target]}\n{edge.mechanism}".casefold()
            for edge in self.graph.edges
        ]
        return np.array(texts, object)

    @cached_property
    def _order(self) -> Indices:
        """Edges, the best supported first: by pieces of evidence, then confidence, then as they stand."""
        return np.lexsort((-self.confidence, -self.evidence)).astype(np.int64)

    @cached_property
    def _row_of(self) -> dict[tuple[int, int], int]:
        return {(edge.source, edge.target): row for row, edge in enumerate(self.graph.edges)}

    def metrics(self) -> list[Row]:
        """Metrics in name order, with their variables and the edges out and in."""
        size = len(self.graph.metrics)
        variables, out, into = (
            np.bincount(rows, minlength=size).tolist()
            for rows in (self.metric_of, *(self.metric_of[end] for end in self.ends))
        )
        return [
            {
                "name": metric.name,
                "label": metric.label,
                "role": metric.graph_role,
                "kind": metric.kind,
                "category": metric.category,
                "description": metric.description,
                "variables": variables[row],
                "out": out[row],
                "in": into[row],
            }
            for row, metric in enumerate(self.graph.metrics)
        ]

    def links(self) -> list[Row]:
        """Ordered pairs of metrics with edges between their variables, by (source, target)."""
        return self._links

    @cached_property
    def _links(self) -> list[Row]:
        size = len(self.graph.metrics)
        pair = self.metric_of[self.ends[0]] * size + self.metric_of[self.ends[1]]
        pairs, member = np.unique(pair, return_inverse=True)
        count = np.bincount(member, minlength=len(pairs))
        signs = np.bincount(
            member * len(POLARITIES) + self.polarity, minlength=len(pairs) * len(POLARITIES)
        ).reshape(len(pairs), len(POLARITIES))
        quoted = np.bincount(member, self.quotes > 0, len(pairs)).astype(np.int64)
        best = np.zeros(len(pairs))
        np.maximum.at(best, member, self.confidence)
        mean = np.bincount(member, self.confidence, len(pairs)) / np.maximum(count, 1)
        templates = {(each.source, each.target): each for each in self.graph.templates}
        names = [metric.name for metric in self.graph.metrics]
        rows = []
        for row, number in enumerate(pairs.tolist()):
            source, target = names[number // size], names[number % size]
            template = templates.get((source, target))
            rows.append(
                {
                    "source": source,
                    "target": target,
                    "edges": int(count[row]),
                    **dict(zip(POLARITIES, signs[row].tolist(), strict=True)),
                    "quoted": int(quoted[row]),
                    "confidence": round(float(best[row]), 4),
                    "mean_confidence": round(float(mean[row]), 4),
                    "mechanism": template.mechanism if template else "",
                    "template_confidence": template.confidence if template else None,
                }
            )
        return rows

    def variables(self, metric: str | None = None, text: str = "") -> list[Row]:
        """Variables, of a metric or of all, those with the most edges first."""
        size = len(self.keys)
        out, into = (np.bincount(end, minlength=size) for end in self.ends)
        wanted = self.metric_row.get(metric, -1) if metric is not None else None
        rows = np.arange(size) if wanted is None else np.flatnonzero(self.metric_of == wanted)
        order = rows[np.argsort(-(out + into)[rows], kind="stable")]
        searched = text.casefold()
        return [
            {
                "key": self.keys[row],
                "metric": self.graph.variables[row].metric,
                "entities": list(self.graph.variables[row].entities),
                "out": int(out[row]),
                "in": int(into[row]),
            }
            for row in order.tolist()
            if searched in self.keys[row].casefold()
        ]

    def find_edges(self, fits: EdgeFilter) -> Indices:
        """The rows of the edges that fit, the best supported first."""
        kept = (self.confidence >= fits.min_confidence) & (self.confidence <= fits.max_confidence)
        source, target = self.metric_of[self.ends[0]], self.metric_of[self.ends[1]]
        if fits.source_metric is not None:
            kept &= source == self.metric_row.get(fits.source_metric, -1)
        if fits.target_metric is not None:
            kept &= target == self.metric_row.get(fits.target_metric, -1)
        if fits.metric is not None:
            row = self.metric_row.get(fits.metric, -1)
            kept &= (source == row) | (target == row)
        if fits.variable is not None:
            variable = self.graph.row_of.get(fits.variable, -1)
            kept &= (self.ends == variable).any(axis=0)
        if fits.polarity is not None:
            kept &= self.polarity == POLARITIES.index(fits.polarity)
        kept &= self._fits_evidence(fits.evidence)
        if fits.text:
            searched = fits.text.casefold()
            kept &= np.array([searched in each for each in self._texts], bool)
        return self._order[kept[self._order]]

    def _fits_evidence(self, kind: str | None) -> NDArray[np.bool_]:
        if kind == "quote":
            return np.asarray(self.quotes > 0)
        if kind == "other":
            return np.asarray((self.evidence > 0) & (self.quotes == 0))
        if kind == "none":
            return np.asarray(self.evidence == 0)
        return np.ones(len(self.evidence), bool)

    def edge_row(self, row: int) -> Row:
        """An edge without its evidence."""
        edge = self.graph.edges[row]
        return {
            "source": self.keys[edge.source],
            "target": self.keys[edge.target],
            "polarity": edge.polarity,
            "confidence": edge.confidence,
            "evidence": len(edge.evidence),
            "quoted": int(self.quotes[row]),
            "mechanism": edge.mechanism,
        }

    def edge(self, source: str, target: str) -> CausalEdge | None:
        """The edge between two keys."""
        rows = self.graph.row_of.get(source, -1), self.graph.row_of.get(target, -1)
        row = self._row_of.get(rows)
        return None if row is None else self.graph.edges[row]

    def resting_on(self, chunk: int) -> list[tuple[int, int, int]]:
        """Edges (by row) with evidence in a chunk (by row), and the span of each piece."""
        return self._by_chunk.get(chunk, [])

    @cached_property
    def _by_chunk(self) -> dict[int, list[tuple[int, int, int]]]:
        places: dict[int, list[tuple[int, int, int]]] = {}
        for row, edge in enumerate(self.graph.edges):
            for item in edge.evidence:
                places.setdefault(item.chunk, []).append((row, item.start, item.end))
        return places
