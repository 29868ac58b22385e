"""Checks of a causal graph: ends, roles, evidence, the specification, and the arrays that are walked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.graph.causal import CausalGraph, EdgeEvidence
from aitia.spec.model import ANY
from aitia.workflows.check_text import wrong_vectors
from aitia.workflows.index import Index


def _variables(index: Index) -> Iterator[str]:
    """A variable binds an entity of each dimension of a known metric."""
    members = {each.name: {*each.entities, ANY} for each in index.store.dimensions()}
    metrics = {metric.name: metric for metric in index.graph.metrics}
    for metric in metrics.values():
        for axis in metric.signature:
            if axis not in members:
                yield f"metric {metric.label}: its dimension {axis} is missing"
    for variable in index.graph.variables:
        known = metrics.get(variable.metric)
        if known is None:
            yield f"variable {variable.key}: its metric is missing"
        elif len(variable.entities) != len(known.signature):
            yield f"variable {variable.key}: {len(variable.entities)} entities for {known.label}"
        else:
            for axis, entity in zip(known.signature, variable.entities, strict=True):
                if entity not in members.get(axis, {entity}):
                    yield f"variable {variable.key}: {entity} is no entity of {axis}"


def _edges(index: Index) -> Iterator[str]:
    """An edge has two known ends, a share as confidence, and no terminal source; and it is there once."""
    graph = index.graph
    rows = range(len(graph.variables))
    terminal = {metric.name for metric in graph.metrics if metric.graph_role == "terminal"}
    times = Counter((edge.source, edge.target) for edge in graph.edges)
    for number, edge in enumerate(graph.edges):
        if edge.source not in rows or edge.target not in rows:
            yield f"edge {number}: an end is no variable ({edge.source} -> {edge.target})"
            continue
        name = _name(graph, number)
        if edge.source == edge.target:
            yield f"{name}: it leads to itself"
        if not 0 <= edge.confidence <= 1:
            yield f"{name}: its confidence is {edge.confidence}"
        if edge.polarity not in ("positive", "negative", "unclear", "none"):
            yield f"{name}: its polarity is {edge.polarity!r}"
        if graph.variables[edge.source].metric in terminal:
            yield f"{name}: a terminal metric has an effect"
        if times[edge.source, edge.target] > 1:
            yield f"{name}: it is there {times[edge.source, edge.target]} times"


def _evidence(index: Index) -> Iterator[str]:
    """A piece of evidence is a span of its chunk's document, and its quote stands there."""
    chunks = index.store.chunks()
    texts = {document.id: document.text for document in index.store.documents()}
    for number, edge in enumerate(index.graph.edges):
        for item in edge.evidence:
            fault = _fault(item, chunks, texts)
            if fault:
                yield f"{_name(index.graph, number)}: {fault}"


def _fault(item: EdgeEvidence, chunks: list[Chunk], texts: dict[str, str]) -> str | None:
    if not 0 <= item.chunk < len(chunks):
        return f"its evidence is in chunk {item.chunk}, and there are {len(chunks)}"
    chunk = chunks[item.chunk]
    where = f"{chunk.path} at {item.start}-{item.end}"
    if not (item.start < chunk.end and item.end > chunk.start):
        return f"its evidence, {where}, does not touch chunk {chunk.id}"
    if item.found_by in ("chunk", "cosine"):
        whole = (item.start, item.end, item.quote) == (chunk.start, chunk.end, "")
        return None if whole else f"its evidence by vector, {where}, is not the whole chunk {chunk.id}"
    if item.found_by not in ("quote", "mention"):
        return f"its evidence, {where}, was found by {item.found_by!r}"
    if not item.quote or texts.get(chunk.document_id, "")[item.start : item.end] != item.quote:
        return f"its quote is not the text of {where}"
    return None


def _specification(index: Index) -> Iterator[str]:
    """The graph is over the vocabulary that was built."""
    spec, graph = index.spec, index.graph
    pairs = (
        ("dimensions", spec.dimensions, tuple(index.store.dimensions())),
        ("metrics", spec.metrics, graph.metrics),
        ("variables", spec.variables, graph.variables),
    )
    for name, written, stored in pairs:
        if sorted(written, key=str) != sorted(stored, key=str):
            yield f"{name}: those of the specification and those of the graph differ"


def _arrays(index: Index) -> Iterator[str]:
    """What is walked is what is shown."""
    expected = index.graph.arrays()
    for name in expected.__dataclass_fields__:
        if not np.array_equal(index.store.array(f"graph_{name}"), getattr(expected, name)):
            yield f"array graph_{name}: it is not that of the graph's rows"
    count = len(index.graph.variables)
    yield from wrong_vectors("variable_vectors", index.store.array("variable_vectors"), count, index)


def _thresholds(index: Index) -> Iterator[str]:
    facts, recorded = index.store.facts(), index.settings["thresholds"]
    for name in ("tau_e", "tau_min"):
        if facts.get(name) is None or facts[name] != recorded.get(name):
            yield f"threshold {name}: {facts.get(name)} in the index, {recorded.get(name)} beside it"


def _name(graph: CausalGraph, edge: int) -> str:
    source, target = graph.edges[edge].source, graph.edges[edge].target
    ends = [graph.variables[row].key if row < len(graph.variables) else str(row) for row in (source, target)]
    return f"edge {ends[0]} -> {ends[1]}"


GRAPH_CHECKS = (_variables, _edges, _evidence, _specification, _arrays, _thresholds)
