from __future__ import annotations

import pytest

from aitia.analyst.graph_protocols import EntityMention, ExtractedEntities, LinkClaim, ModuleSummary
from aitia.methods.hug.canonical import Canonical
from aitia.methods.hug.entities import collect_entities, worth_keeping
from aitia.methods.hug.hierarchy import build_hierarchy, link_weights
from aitia.spec.model import Quote

ROWS = {"c0": 0, "c1": 1, "c2": 2}


def claim(source, target, relation="with", chunk="c0", **sense):
    return LinkClaim(source, target, relation, Quote(text=f"{source} {target}", chunk_id=chunk), **sense)


def mentions(*pairs):
    return tuple(EntityMention(chunk, name, kind) for chunk, name, kind in pairs)


FOUND = ExtractedEntities(
    mentions(
        ("c0", "pump", "device"), ("c1", "pumps", "device"), ("c1", "valve", "device"), ("c2", "seal", "part"),
        ("c2", "rag", "thing"), ("c2", "pump", "machine"),
    ),
    (
        claim("pump", "valve", "drive", confidence=0.5),
        claim("valve", "pumps", "feed", chunk="c1", confidence=0.6),
        claim("seal", "valve", "break", causal=True, confidence=0.9),
        claim("seal", "pump", "harm", negated=True),
        claim("rag", "pump", "wipe"),
    ),
)  # fmt: skip
CANONICAL = Canonical({"pump": "pump", "pumps": "pump", "valve": "valve", "seal": "seal"}, ())


def test_a_name_is_kept_for_its_chunks_or_for_a_stated_cause():
    assert worth_keeping(FOUND, 2) == {"pump": 2, "pumps": 1, "valve": 1, "seal": 1}
    assert "rag" in worth_keeping(FOUND, 1)
    assert set(worth_keeping(ExtractedEntities(FOUND.mentions), 2)) == {"pump", "pumps"}


def test_entities_have_all_their_names_chunks_and_the_commonest_kind():
    graph = collect_entities(FOUND, CANONICAL, ROWS)
    assert [(each.name, each.kind, each.names, each.chunks) for each in graph.entities] == [
        ("pump", "device", ("pump", "pumps"), (0, 1, 2)),
        ("seal", "part", ("seal",), (2,)),
        ("valve", "device", ("valve",), (1,)),
    ]


def test_links_of_one_sense_are_one_and_a_denied_one_stands_apart():
    graph = collect_entities(FOUND, CANONICAL, ROWS)
    told = [(each.source, each.target, each.relation, each.causal, each.negated) for each in graph.links]
    assert told == [
        (
            0,
            2,
            "drive",
            False,
            False,
        ),  # side by side has no direction: both sentences, the first of two words
        (1, 0, "harm", False, True),
        (1, 2, "break", True, False),
    ]
    assert graph.links[0].confidence == 0.6
    assert len(graph.links[0].quotes) == 2
    assert graph.walked() == [0, 2]


def test_a_link_weighs_its_sentences_over_how_often_its_ends_are_named():
    graph = collect_entities(FOUND, CANONICAL, ROWS)
    assert link_weights(graph).tolist() == pytest.approx([2 * 0.6 / 3**0.5, 0.9])


class Summarizer:
    def __init__(self):
        self.requests = []

    def summarize_modules(self, requests):
        self.requests += requests
        return [ModuleSummary(each.key, "Title", "says nothing") for each in requests]


def test_modules_are_summarised_from_their_most_important_entities_and_links():
    graph = collect_entities(FOUND, CANONICAL, ROWS)
    summarizer = Summarizer()
    hierarchy = build_hierarchy(graph, summarizer, 2, 0)
    (request,) = summarizer.requests
    assert request.entities == ("valve", "seal", "pump")  # by weighted degree: 1.59, .9, .69
    assert request.links == ("seal break valve", "pump drive valve")
    assert [quote.text for quote in request.quotes] == ["seal valve", "pump valve", "valve pumps"]
    assert hierarchy.home(3).tolist() == [0, 0, 0]
    assert hierarchy.unnamed(graph) == 1
    again = build_hierarchy(graph, Summarizer(), 2, 0)
    assert again.keys == hierarchy.keys


def test_a_module_that_nobody_summarised_is_its_members():
    class Silent:
        def summarize_modules(self, requests):
            return []

    graph = collect_entities(FOUND, CANONICAL, ROWS)
    (said,) = build_hierarchy(graph, Silent(), 2, 0).summaries
    assert (said.title, said.summary) == ("valve / seal / pump", "valve, seal, pump")
