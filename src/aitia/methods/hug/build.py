"""The HugRAG build: entities, merges, modules, gates, and one edge index over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from typing import Any, Protocol, runtime_checkable

import numpy as np

from aitia.analyst.graph_protocols import CausalGateJudge, EntityExtractor, ModuleSummarizer
from aitia.clients.protocols import Embedder
from aitia.errors import UsageError
from aitia.graph.communities import max_module_levels
from aitia.methods.build import BuildRequest, Built
from aitia.methods.hug.canonical import Canonical, canonicalise
from aitia.methods.hug.config import BuildSettings, build_warnings
from aitia.methods.hug.decide import Wishes, read_gates, read_merges, set_gates
from aitia.methods.hug.entities import EntityGraph, collect_entities, worth_keeping
from aitia.methods.hug.gate_names import Module, Modules
from aitia.methods.hug.gates import Gate, judge_gates
from aitia.methods.hug.hierarchy import Hierarchy, build_hierarchy, given_hierarchy
from aitia.methods.hug.nodes import node_arrays
from aitia.retrieval.dense import Vectors, pool, unit_rows
from aitia.spec.model import Quote

MENTION_WEIGHT = 0.5
"""Share of the mean of its chunks in an entity's vector; the rest is its name."""
EXAMPLES = 3
"""Quotes that the record of a link or gate keeps."""


@runtime_checkable
class GraphAnalyst(EntityExtractor, ModuleSummarizer, CausalGateJudge, Protocol):
    """What HugRAG's build needs of an analyst."""


def build(request: BuildRequest, settings: BuildSettings) -> Built:
    """Build the graph. Deterministic for the same request, settings and analyst.

    Raises:
        UsageError: the analyst does not read entities.

    """
    analyst: Any = request.analyst
    if not isinstance(analyst, GraphAnalyst):
        raise UsageError(f"the {request.analyst.name} analyst does not build hug yet; use --analyst rules")
    request.report("entities")
    rows = {chunk.id: row for row, chunk in enumerate(request.chunks)}
    graph, canonical, wishes = _entities(request, settings, analyst, rows)
    request.report("modules")
    documents = len(request.corpus.documents)
    if request.given is not None and request.given.modules:
        hierarchy = given_hierarchy(graph, analyst, request.given.modules)
    else:
        levels = max_module_levels(documents) if settings.levels is None else min(settings.levels - 1, 3)
        hierarchy = build_hierarchy(graph, analyst, levels, settings.seed)
    summaries = request.embedder.embed([f"{each.title}. {each.summary}" for each in hierarchy.summaries])
    request.report("gates")
    gates: list[Gate] = []
    if settings.gates:
        document_of = {chunk.id: chunk.document_id for chunk in request.chunks}
        gates = judge_gates(graph, hierarchy, summaries, analyst, settings, document_of)
    wishes = read_gates(wishes, Modules(_modules(graph, hierarchy), canonical.name_of))
    gates = set_gates(gates, wishes, hierarchy.keys)
    vectors = _entity_vectors(graph, request)
    return Built(
        arrays=node_arrays(graph, hierarchy, gates, np.concatenate([vectors, summaries]), rows),
        facts={
            "entities": len(graph.entities),
            "links": len(graph.links),
            "modules": len(hierarchy.keys),
            "gates": sum(gate.accepted for gate in gates),
            "gates_judged": len(gates),
            "merges": sum(not merge.suggested for merge in canonical.merges),
            "warnings": _warnings(graph, hierarchy, gates, settings, documents),
        },
        rejected=tuple(request.analyst.rejected),
        records=_records(graph, hierarchy, gates, canonical),
        unread=tuple(sorted(request.analyst.unread, key=astuple)),
        decided=wishes.decided,
    )


def _entities(
    request: BuildRequest, settings: BuildSettings, analyst: EntityExtractor, rows: Mapping[str, int]
) -> tuple[EntityGraph, Canonical, Wishes]:
    """What the chunks name, names merged; or the graph that was given, whose names are told apart already."""
    if request.given is not None:
        found = request.given.found
        canonical = Canonical({mention.name: mention.name for mention in found.mentions}, ())
        return (
            collect_entities(found, canonical, rows, given=True),
            canonical,
            read_merges(request.decisions, ()),
        )
    found = analyst.extract_entities(request.chunks)
    counts = worth_keeping(found, settings.min_chunks)
    wishes = read_merges(request.decisions, counts)
    canonical = canonicalise(
        counts, request.embedder.embed, settings.merge_cosine, wishes.apart, wishes.together
    )
    return collect_entities(found, canonical, rows), canonical, wishes


def _entity_vectors(graph: EntityGraph, request: BuildRequest) -> Vectors:
    """The name of each entity, and the mean of the chunks that name it."""
    embedder: Embedder = request.embedder
    names = embedder.embed([entity.name for entity in graph.entities])
    if not len(names):
        return names
    chunks = pool(graph.places(len(request.chunks)), request.text.chunk_vectors)
    return unit_rows((1 - MENTION_WEIGHT) * names + MENTION_WEIGHT * chunks)


def _modules(graph: EntityGraph, hierarchy: Hierarchy) -> list[Module]:
    return [
        Module(said.key, said.title, tuple(graph.entities[one].name for one in rows.tolist()))
        for said, rows in zip(hierarchy.summaries, hierarchy.members, strict=True)
    ]


def _warnings(
    graph: EntityGraph, hierarchy: Hierarchy, gates: Sequence[Gate], settings: BuildSettings, documents: int
) -> list[str]:
    warnings = build_warnings(settings, documents)
    if not any(link.causal for link in graph.links):
        warnings.append("no stated cause in the corpus; the graph has no causal link and no gate")
    elif settings.gates and not any(gate.accepted for gate in gates):
        warnings.append("no causal gate; modules are joined by links and levels only")
    unnamed = (
        0 if graph.given else hierarchy.unnamed(graph)
    )  # how a given summary speaks is its author's affair
    if unnamed:
        warnings.append(f"{unnamed} of {len(hierarchy.keys)} summaries name none of their entities")
    return warnings


def _records(
    graph: EntityGraph, hierarchy: Hierarchy, gates: Sequence[Gate], canonical: Canonical
) -> Mapping[str, list[dict[str, Any]]]:
    """What a person may read, by kind; links, entities and modules in the order of the arrays."""
    names = [entity.name for entity in graph.entities]
    home = hierarchy.home(len(names)).tolist()
    keys = [*hierarchy.keys, ""]  # the last is for "no module", which is -1
    titles = [*(summary.title for summary in hierarchy.summaries), ""]
    return {
        "entities": [
            {
                "name": entity.name,
                "kind": entity.kind,
                "names": list(entity.names),
                "chunks": len(entity.chunks),
                "module": keys[home[row]],
                "module_title": titles[home[row]],
            }
            for row, entity in enumerate(graph.entities)
        ],
        "links": [
            {
                "source": names[link.source],
                "target": names[link.target],
                "relation": link.relation,
                "causal": link.causal,
                "negated": link.negated,
                "confidence": link.confidence,
                "quotes": _quoted(link.quotes),
            }
            for link in graph.links
        ],
        "modules": [
            {
                "key": key,
                "level": int(hierarchy.levels[row]),
                "parent": keys[int(hierarchy.parents[row])],
                "parent_title": titles[int(hierarchy.parents[row])],
                "title": hierarchy.summaries[row].title,
                "summary": hierarchy.summaries[row].summary,
                "entities": [names[one] for one in hierarchy.members[row].tolist()],
            }
            for row, key in enumerate(hierarchy.keys)
        ],
        "gates": [
            {
                "source": keys[gate.source],
                "target": keys[gate.target],
                "source_title": titles[gate.source],
                "target_title": titles[gate.target],
                "confidence": gate.confidence,
                "reverse": gate.reverse,
                "accepted": gate.accepted,
                "reason": gate.reason,
                "quotes": _quoted(gate.quotes),
            }
            for gate in gates
        ],
        "merges": [asdict(merge) for merge in canonical.merges],
    }


def _quoted(quotes: Sequence[Quote]) -> list[list[str]]:
    """The first quotes with their chunks' ids."""
    return [[quote.chunk_id, quote.text] for quote in quotes[:EXAMPLES]]
