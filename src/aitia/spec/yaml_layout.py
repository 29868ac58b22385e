"""The published layout of the files, as plain values, and the words at their head."""

from __future__ import annotations

from aitia.spec.model import Dimension, DomainSpec, Metric, OutcomeConfig, Relation
from aitia.spec.yaml_emit import Plain

SPEC_HEADER = """\
# The vocabulary of this index: what is measured, along which axes, and what is said to affect what.
#
# You may edit it: `aitia apply`, and the next build or update, takes each change as a decision, keeps it in
# curation.yaml and applies it to the graph. Your comments and the order stay.
#   dimensions  axes with their entities. `aliases` maps other wordings to an entity.
#   metrics     "Name(dimension, ...)". graph_role: intermediate, outcome (an end point of retrieval that
#               may have effects of its own) or terminal (has none). kind: extensible (new variables may
#               join) or fixed (only those listed below).
#   variables   a metric with an entity for each of its dimensions, or `any` where it is left open.
#   relations   source affects target. confidence: 0 to 1. polarity: positive, negative, unclear, or none
#               (stated to have no effect). quotes: the words it rests on, and the chunk they stand in."""

OUTCOMES_HEADER = """\
# What questions are about: metrics by name, one a line.
#   terminal  receives effects and has none (an end result, such as mortality)
#   outcome   ends the search for causes, but may have effects of its own"""


def spec_layout(spec: DomainSpec) -> dict[str, Plain]:
    """The sections of ``graph_spec.yaml``."""
    return {
        "dimensions": [_dimension(dimension) for dimension in spec.dimensions],
        "metrics": [_metric(metric) for metric in spec.metrics],
        "variables": [variable.key for variable in spec.variables],
        "relations": [_relation(relation) for relation in spec.relations],
    }


def outcomes_layout(outcomes: OutcomeConfig) -> dict[str, Plain]:
    """The sections of ``outcomes.yaml``."""
    return {"terminal": sorted(outcomes.terminal), "outcome": sorted(outcomes.outcome)}


def _dimension(dimension: Dimension) -> dict[str, Plain]:
    return {
        "name": dimension.name,
        "description": dimension.description,
        "entities": list(dimension.entities),
        "aliases": dict(dimension.aliases),
    }


def _metric(metric: Metric) -> dict[str, Plain]:
    return {
        "name": metric.label,
        "description": metric.description,
        "attributes": {
            "category": metric.category,
            "graph_role": metric.graph_role,
            "kind": metric.kind,
        },
    }


def _relation(relation: Relation) -> dict[str, Plain]:
    return {
        "source": relation.source,
        "target": relation.target,
        "mechanism": relation.mechanism,
        "confidence": float(relation.confidence),
        "polarity": relation.polarity,
        "quotes": [{"text": quote.text, "chunk": quote.chunk_id} for quote in relation.quotes],
    }
