from __future__ import annotations

import numpy as np
import pytest

from aitia.analyst.graph_protocols import PathVerdict
from aitia.analyst.rules.paths import refine_paths
from aitia.corpus.chunk import Chunk
from aitia.methods.hug.chains import chain_document, find_chains
from aitia.methods.hug.config import Ablation, QuerySettings
from aitia.methods.hug.search import causal_ways, search

QUESTION = np.array([1.0, 0.0], np.float32)


class Records:
    """The part of a store that chains read; chunk i of document i."""

    def __init__(self, graph):
        names = [entity.name for entity in graph.entities]
        self._records = {
            "entities": [{"name": name} for name in names],
            "links": [{"relation": link.relation} for link in graph.links],
            "modules": [{"title": "Wet"}, {"title": "Dry"}],
        }
        self._chunks = [Chunk(f"d{row}", f"d{row}.txt", 0, 0, 4, "text") for row in range(6)]

    def records(self, kind):
        return self._records[kind]

    def chunks(self, rows=None):
        return self._chunks if rows is None else [self._chunks[row] for row in rows]

    def document_names(self):
        return {f"d{row}": f"name {row}" for row in range(6)}


@pytest.fixture
def chains(graph, nodes):
    def chains(refine=lambda requests: refine_paths("", requests), limit=10):
        settings = QuerySettings(preset="paper", seeds=1, dense_share=1.0)
        walk = search(nodes, "", QUESTION, settings, Ablation())
        ways = causal_ways(nodes, walk, Ablation())
        return find_chains(walk, ways, nodes, Records(graph), refine, limit)

    return chains


def test_chains_begin_at_the_seed_and_are_told_from_cause_to_effect(chains):
    told = [(chain.name, chain.request.nodes, chain.request.edge_types) for chain in chains()]
    assert told[0] == ("P1", ("fuse", "relay", "switch"), ("structural", "causal"))
    gated = ("hierarchical", "gate", "hierarchical")
    assert [each[1:] for each in told[1:3]] == [
        (("pump", "[Wet]", "[Dry]", "fuse"), gated),
        (("valve", "pump", "[Wet]", "[Dry]", "fuse"), ("structural", *gated)),
    ]  # the gasket's would be the third through one gate


def test_relations_and_passages_of_a_chain(chains):
    first, second = chains()[:2]
    assert first.request.relations == ("drive", "drive")
    assert second.request.relations == ("part of", "brings about", "part of")
    assert first.documents == ("name 0", "name 3", "name 4")
    assert second.request.passages == ("text", "text")


def test_the_document_parts_causal_from_spurious_and_says_which_chunk_belongs_to_which(chains, graph):
    document = chain_document(chains(), Records(graph))
    assert [path["name"] for path in document["causal_paths"]] == ["P1", "P2", "P3"]
    assert document["causal_paths"][0]["confidence"] == 0.9
    assert document["chains_note"] == ""
    ids = {chunk.id: chunk.document_id for chunk in Records(graph).chunks()}
    assert {ids[each]: names for each, names in document["chains_of"].items()} == {
        "d0": ["P1", "P2", "P3"], "d1": ["P3"], "d3": ["P1", "P2", "P3"], "d4": ["P1"],
    }  # fmt: skip


def test_when_every_path_is_refused_it_is_said(chains, graph):
    def refuse(requests):
        return [PathVerdict(each.number, "spurious", "no", 0.5) for each in requests]

    document = chain_document(chains(refuse), Records(graph))
    assert document["causal_paths"] == []
    assert document["spurious"][0] == {"name": "P1", "path": ["fuse", "relay", "switch"], "reason": "no"}
    assert document["chains_note"] == "no causal chain confirmed"


def test_a_path_without_a_verdict_is_not_causal(chains):
    assert {chain.verdict.verdict for chain in chains(lambda requests: [], limit=2)} == {"spurious"}
