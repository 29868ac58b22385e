"""Tier 2: pairs by number, quotes by label."""

from __future__ import annotations

from aitia.analyst.llm.node_edges import judge_node_edges
from aitia.analyst.protocols import NodeEdgeRequest, VariablePair
from aitia.spec.claims import RelationClaim
from aitia.spec.model import Quote, Variable

SALT = Quote(text="Salt corrodes the hull.", chunk_id="c1")
LONG = Quote(text="A corroded hull " + "needs more repairs and " * 20, chunk_id="c2")
RUST, COST, SPEED = (
    Variable(metric=name, entities=("trawler",)) for name in ("Corrosion", "RepairCost", "Speed")
)
REQUEST = NodeEdgeRequest(
    (
        VariablePair(RUST, COST, (LONG, SALT)),
        VariablePair(RUST, SPEED, (SALT,)),
        VariablePair(SPEED, COST),
    )
)


def edge(pair, quote="", polarity="positive", confidence=0.8):
    return {
        "pair": pair,
        "mechanism": "it does",
        "polarity": polarity,
        "confidence": confidence,
        "quote": quote,
    }


def test_quotes_are_listed_once_and_cut(ask):
    inquiry, llm = ask({"edges": []})
    judge_node_edges(inquiry, [REQUEST])
    user = llm.requests[0].user
    assert user.endswith(
        "## Pairs\n"
        "1. Corrosion(trawler) -> RepairCost(trawler) [Q1 Q2]\n"
        "2. Corrosion(trawler) -> Speed(trawler) [Q2]\n"
        "3. Speed(trawler) -> RepairCost(trawler) []"
    )
    shown = next(line for line in user.splitlines() if line.startswith("A corroded hull"))
    assert len(shown) <= 300
    assert LONG.text.startswith(shown + " ")


def test_a_label_brings_the_whole_quote(ask):
    inquiry, _ = ask({"edges": [edge(1, "Q1", "negative")]})
    assert judge_node_edges(inquiry, [REQUEST]) == [
        RelationClaim(
            source="Corrosion(trawler)",
            target="RepairCost(trawler)",
            mechanism="it does",
            confidence=0.8,
            polarity="negative",
            quote=LONG,
        )
    ]


def test_a_quote_about_another_pair_is_none_and_halves_the_confidence(ask):
    inquiry, _ = ask({"edges": [edge(2, "Q1"), edge(3, ""), edge(2, "Q9")]})
    claims = judge_node_edges(inquiry, [REQUEST])
    assert [(claim.quote, claim.confidence) for claim in claims] == [(None, 0.4)] * 3


def test_an_unknown_pair_is_refused(ask):
    inquiry, _ = ask({"edges": [edge(4, "Q1"), edge(0, "Q1")]})
    assert judge_node_edges(inquiry, [REQUEST]) == []
    assert {one.detail for one in inquiry.rejected} == {
        "pair 4 is none of those asked about",
        "pair 0 is none of those asked about",
    }


def test_pairs_keep_their_numbers_when_a_call_is_halved(ask):
    inquiry, llm = ask("no JSON at all", {"edges": []}, {"edges": [edge(3)]})
    (claim,) = judge_node_edges(inquiry, [REQUEST])
    assert (claim.source, claim.target) == ("Speed(trawler)", "RepairCost(trawler)")
    assert "2. Corrosion(trawler) -> Speed(trawler) [Q1]" in llm.requests[2].user


def test_each_request_is_one_call(ask):
    inquiry, llm = ask({"edges": [edge(1, "Q2")]})
    assert len(judge_node_edges(inquiry, [REQUEST, NodeEdgeRequest(REQUEST.pairs[:1])])) == 2
    assert len(llm.requests) == 2
