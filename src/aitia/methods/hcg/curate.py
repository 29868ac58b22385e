"""The graph in force: decisions replayed over the machine's, with what they touch judged, linked and embedded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from aitia.graph.curation import Replayed, replay
from aitia.graph.domain import DomainGraph
from aitia.graph.redone import Redone, with_redone
from aitia.methods.build import BuildRequest
from aitia.methods.hcg.build import graph_arrays, variable_vectors
from aitia.methods.hcg.config import BuildSettings
from aitia.methods.hcg.link import link_evidence
from aitia.methods.hcg.redo import found_relations, mentions_of, redo_metrics
from aitia.spec.model import Relation
from aitia.storage.contents import Array


@dataclass(frozen=True)
class Curated:
    """The domain in force with its arrays, what became of each decision, and what was judged again."""

    domain: DomainGraph
    arrays: Mapping[str, Array]
    replayed: Replayed
    redone: tuple[Redone, ...]


def curate(
    machine: DomainGraph,
    request: BuildRequest,
    settings: BuildSettings,
    tau_e: float,
    kept: Sequence[Redone] = (),
) -> Curated:
    """Replay the decisions of the request over what the machine made.

    Deterministic: it depends on the machine's graph, the decisions and the analyst, not on what was applied
    before. The analyst is asked only about edited metrics that are not among the ``kept``.
    """
    edited = replay(machine, request.decisions).edited
    redone = redo_metrics(machine, edited, request, settings, tau_e, kept)
    replayed = replay(with_redone(machine, redone), request.decisions)
    domain = replayed.domain
    mentions = mentions_of(domain, request)
    if replayed.unlinked:
        relations = _unlinked(replayed)
        linked, _ = link_evidence(
            domain.spec, mentions, found_relations((), relations), request, settings, tau_e
        )
        evidence = {(edge.source, edge.target): edge.evidence for edge in linked.edges}
        edges = tuple(
            replace(edge, evidence=evidence.get((edge.source, edge.target), edge.evidence))
            for edge in domain.graph.edges
        )
        domain = replace(domain, graph=replace(domain.graph, edges=edges))
    vectors = variable_vectors(domain.spec, mentions, request)
    return Curated(domain, graph_arrays(domain.graph, vectors), replayed, redone)


def _unlinked(replayed: Replayed) -> list[Relation]:
    """The edges that have no evidence yet, with the quotes that a person gave."""
    graph = replayed.domain.graph
    quotes = {relation.pair: relation.quotes for relation in replayed.domain.relations}
    found = []
    for row in replayed.unlinked:
        edge = graph.edges[row]
        pair = graph.variables[edge.source].key, graph.variables[edge.target].key
        found.append(
            Relation(
                source=pair[0], target=pair[1], mechanism=edge.mechanism, confidence=edge.confidence,
                polarity=edge.polarity, quotes=quotes.get(pair, ()),
            )
        )  # fmt: skip
    return found
