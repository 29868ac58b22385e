"""Metrics, variables and edges in plain words, as they are embedded and shown. ``any`` is never said."""

from __future__ import annotations

import re

from aitia.spec.keys import parse_key
from aitia.spec.model import ANY, Metric, Relation, Variable

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-]")


def plain_name(name: str) -> str:
    """``SideEffect`` as ``side effect``; runs of capitals stay as they are."""
    words = _CAMEL.sub(" ", name).split()
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def metric_text(metric: Metric) -> str:
    """A metric's name and description."""
    return f"{plain_name(metric.name)}: {metric.description}"


def variable_text(variable: Variable, metric: Metric) -> str:
    """A variable's metric and entities: ``side effect of chemotherapy, nausea``."""
    entities = [entity for entity in variable.entities if entity != ANY]
    name = plain_name(metric.name)
    if not entities:
        return name
    first, *rest = entities
    if first.lower() == name.lower():
        return ", ".join(entities)
    return ", ".join([f"{name} of {first}", *rest])


def edge_text(relation: Relation) -> str:
    """``source -> target: mechanism``, the published form, in plain words."""
    return f"{_key_text(relation.source)} -> {_key_text(relation.target)}: {relation.mechanism}"


def _key_text(key: str) -> str:
    name, entities = parse_key(key)
    return " ".join([plain_name(name), *(entity for entity in entities if entity != ANY)])
