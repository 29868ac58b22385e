"""What was judged again for an edited metric, and the machine's graph with it in the place of what it had."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from aitia.corpus.document import content_hash
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.graph.domain import DomainGraph
from aitia.spec.claims import Rejection, RelationClaim, TemplateClaim
from aitia.spec.model import Metric


@dataclass(frozen=True)
class Redone:
    """The templates and edges of an edited metric, by the machine's name and rows.

    ``asked`` identifies the edits and the machine's graph that it was judged by.
    """

    metric: str
    asked: str
    templates: tuple[Template, ...]
    edges: tuple[CausalEdge, ...]
    rejected: tuple[Rejection, ...] = ()

    def row(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "metric": self.metric,
            "asked": self.asked,
            "templates": [list(astuple(each)) for each in self.templates],
            "edges": [
                [edge.source, edge.target, edge.mechanism, edge.confidence, edge.polarity,
                 [list(astuple(item)) for item in edge.evidence]]
                for edge in self.edges
            ],
            "rejected": [each.model_dump() for each in self.rejected],
        }  # fmt: skip


def read_redone(row: Mapping[str, Any]) -> Redone:
    """A row of `Redone.row`."""
    return Redone(
        row["metric"],
        row["asked"],
        tuple(Template(*each) for each in row["templates"]),
        tuple(
            CausalEdge(source, target, mechanism, confidence, polarity, _evidence(items))
            for source, target, mechanism, confidence, polarity, items in row["edges"]
        ),
        tuple(_rejection(each) for each in row["rejected"]),
    )


def _evidence(items: Sequence[Sequence[Any]]) -> tuple[EdgeEvidence, ...]:
    return tuple(EdgeEvidence(*item) for item in items)


def _rejection(row: Mapping[str, Any]) -> Rejection:
    """Stage 2 refuses claims about variables and about metrics; only the former have a polarity."""
    claim = RelationClaim if "polarity" in row["claim"] else TemplateClaim
    return Rejection.model_validate({**row, "claim": claim.model_validate(row["claim"])})


def asked_for(machine: DomainGraph, edited: Mapping[str, Metric], chunks: Sequence[str]) -> str:
    """Identifies the edits, what the machine made, and the chunks (ids, in their order)."""
    quotes = {quote: None for each in machine.quotes.values() for quote in each}
    said = (f"{quote.chunk_id}\0{quote.text}" for quote in quotes)
    names = (each.key for each in machine.graph.variables)
    pairs = (f"{each.source}\0{each.target}" for each in machine.graph.templates)
    changed = (edited[name].model_dump_json() for name in sorted(edited))
    return content_hash(*said, "", *names, "", *pairs, "", *changed, "", *chunks)


def still_good(
    kept: Sequence[Redone], machine: DomainGraph, edited: Mapping[str, Metric], chunks: Sequence[str]
) -> dict[str, Redone]:
    """What was judged by just these edits, by metric."""
    asked = asked_for(machine, edited, chunks) if edited else ""
    return {each.metric: each for each in kept if each.asked == asked and each.metric in edited}


def with_redone(machine: DomainGraph, redone: Sequence[Redone]) -> DomainGraph:
    """The machine's graph with what was judged again. An edge inside one metric has no template and stays."""
    if not redone:
        return machine
    graph, touched = machine.graph, {each.metric for each in redone}
    metric_of = [variable.metric for variable in graph.variables]
    edges = [edge for edge in graph.edges if _stays(metric_of[edge.source], metric_of[edge.target], touched)]
    edges += [edge for each in redone for edge in each.edges]
    templates = [each for each in graph.templates if not touched & {each.source, each.target}]
    templates += [template for each in redone for template in each.templates]
    return replace(
        machine,
        graph=CausalGraph(
            graph.metrics,
            graph.variables,
            tuple(sorted(templates, key=lambda each: (each.source, each.target))),
            tuple(sorted(edges, key=lambda edge: (edge.source, edge.target))),
        ),
    )


def _stays(source: str, target: str, touched: Collection[str]) -> bool:
    return source == target or (source not in touched and target not in touched)
