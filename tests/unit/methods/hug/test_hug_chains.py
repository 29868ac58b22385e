from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aitia.analyst.graph_protocols import PathVerdict
from aitia.analyst.rules.paths import refine_paths
from aitia.corpus.chunk import Chunk
from aitia.methods.hug.chains import chain_document, find_chains
from aitia.methods.hug.config import Ablation, QuerySettings
from aitia.methods.hug.entities import Entity, EntityGraph
from aitia.methods.hug.hierarchy import Hierarchy
from aitia.methods.hug.nodes import node_arrays, read_nodes
from aitia.methods.hug.search import causal_ways, search
from aitia.methods.hug.ways import best_ways

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
    def chains(refine=lambda requests: refine_paths("", requests), limit=10, allowed=None, asked=None):
        settings = QuerySettings(preset="paper", seeds=1, dense_share=1.0)
        walk = search(nodes, "", QUESTION, settings, Ablation())
        if asked is not None:
            walk = replace(walk, asked=np.array(asked, bool))
        ways = best_ways(causal_ways(nodes, walk, Ablation(), allowed), nodes, limit)
        return find_chains(ways, walk, nodes, Records(graph), refine, allowed)

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
    assert first.documents == ("name 3", "name 4")  # of its links, and not the other that names the fuse
    assert second.documents == ("name 2", "name 5")  # of the gate; to be of a module is stated nowhere
    assert second.request.passages == ("text", "text")
    assert first.request.confidences == (0.5, 0.9)
    assert second.request.confidences == (1.0, 0.75, 1.0)


def test_a_chain_rests_on_allowed_documents_only(chains):
    without_the_cause = np.array([True, True, True, True, False, False])
    told = [(chain.request.nodes, chain.documents) for chain in chains(allowed=without_the_cause)]
    assert told[0] == (("pump", "[Wet]", "[Dry]", "fuse"), ("name 2",))
    assert all("switch" not in nodes[-1:] or "[Dry]" in nodes for nodes, _ in told)
    nothing = chains(allowed=np.zeros(6, bool))
    assert {chain.verdict.verdict for chain in nothing} == {"spurious"}  # to share a module is no cause
    assert {chain.documents for chain in nothing} == {()}


def test_a_chain_of_which_the_question_speaks_nowhere_is_not_confirmed_nor_judged(chains):
    judged = []

    def refine(requests):
        judged.extend(requests)
        return refine_paths("", requests)

    found = chains(refine, asked=[False] * 6 + [True, True])
    assert judged == []
    assert {(chain.verdict.verdict, chain.verdict.reason) for chain in found} == {
        ("spurious", "The question speaks of nothing in it.")
    }
    some = chains(asked=[False] * 5 + [True] * 3)  # the switch
    assert [chain.request.nodes for chain in some if chain.holds] == [("fuse", "relay", "switch")]


def test_chains_that_hold_are_numbered_first_and_without_holes(chains):
    def refine(requests):
        return [
            PathVerdict(each.number, "causal" if each.number != 1 else "spurious", "", 1.0)
            for each in requests
        ]

    found = chains(refine)
    assert [chain.name for chain in found] == [f"P{number}" for number in range(1, len(found) + 1)]
    assert found[-1].request.number == 1
    assert [chain.holds for chain in found] == [True] * (len(found) - 1) + [False]


def test_entities_without_a_link_have_no_ways():
    hierarchy = Hierarchy((), np.zeros(0, np.int64), np.zeros(0, np.int64), (), ())
    graph = EntityGraph(
        (Entity("pump", "part", ("pump",), (0,)), Entity("leak", "fault", ("leak",), (0,))), ()
    )
    vectors = np.array([[1, 0], [0.6, 0.8]], np.float32)
    nodes = read_nodes(node_arrays(graph, hierarchy, [], vectors, {"c0": 0}), 1)
    walk = search(nodes, "Where is the pump?", QUESTION, QuerySettings(), Ablation())
    assert best_ways(causal_ways(nodes, walk, Ablation()), nodes, 10) == []


def test_the_document_parts_causal_from_spurious_and_says_which_chunk_belongs_to_which(chains, graph):
    document = chain_document(chains(), Records(graph))
    assert [path["name"] for path in document["causal_paths"]] == ["P1", "P2", "P3"]
    assert document["causal_paths"][0]["confidence"] == 0.45  # .5 * .9
    assert document["chains_note"] == ""
    ids = {chunk.id: chunk.document_id for chunk in Records(graph).chunks()}
    assert {ids[each]: names for each, names in document["chains_of"].items()} == {
        "d0": ["P3"], "d2": ["P2", "P3"], "d3": ["P1"], "d4": ["P1"], "d5": ["P2", "P3"],
    }  # fmt: skip


def test_when_every_path_is_refused_it_is_said(chains, graph):
    def refuse(requests):
        return [PathVerdict(each.number, "spurious", "no", 0.5) for each in requests]

    document = chain_document(chains(refuse), Records(graph))
    assert document["causal_paths"] == []
    assert document["spurious"][0] == {
        "name": "P1",
        "path": ["fuse", "relay", "switch"],
        "edge_types": ["structural", "causal"],
        "relations": ["drive", "drive"],
        "reason": "no",
    }
    assert document["chains_note"] == "no causal chain confirmed"


def test_a_path_without_a_verdict_is_not_causal(chains):
    assert {chain.verdict.verdict for chain in chains(lambda requests: [], limit=2)} == {"spurious"}
