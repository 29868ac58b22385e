"""Metrics: names, counted support, merged signatures."""

from __future__ import annotations

from aitia.analyst.llm.metrics import consolidate_metrics, find_metrics
from aitia.spec.claims import MetricClaim
from aitia.spec.model import OutcomeConfig, Quote


def item(name, signature=("ship",), quote="more repairs, and repairs of the hull", passage="P1"):
    return {
        "name": name,
        "signature": list(signature),
        "description": "What\nit is.",
        "category": "cost",
        "passage": passage,
        "quote": quote,
    }


def claim(name, support, signature=("ship",), description="", category="state"):
    return MetricClaim(
        name=name, signature=signature, description=description, category=category, support=support
    )


def test_support_counts_the_passages_with_the_words_of_the_name(ask, harbour, ship):
    inquiry, llm = ask({"metrics": [item("repair cost"), item("ShipHull(ship)"), item("Buoyancy")]})
    claims = find_metrics(inquiry, [harbour], [ship], OutcomeConfig())
    assert claims[0] == MetricClaim(
        name="RepairCost",
        signature=("ship",),
        description="What it is.",
        category="cost",
        support=1,
        quote=Quote(text="more repairs, and repairs of the hull", chunk_id=harbour.chunks[0].id),
    )
    assert [(one.name, one.support) for one in claims[1:]] == [("ShipHull", 2), ("Buoyancy", 1)]
    assert "## Dimensions\n- ship: Ships. Entities: ferry; trawler\n" in llm.requests[0].user


def test_without_a_verbatim_quote_a_metric_counts_for_nothing(ask, harbour, ship):
    inquiry, _ = ask({"metrics": [item("Hull", quote="hulls are made of steel")]})
    (found,) = find_metrics(inquiry, [harbour], [ship], OutcomeConfig())
    assert (found.support, found.quote) == (0, None)


def test_a_name_and_signature_listed_twice_is_one_claim(ask, harbour, ship):
    inquiry, _ = ask({"metrics": [item("Hull"), item("hulls"), item("Hull", ("ship", "ship"))]})
    found = find_metrics(inquiry, [harbour], [ship], OutcomeConfig())
    assert [(one.name, one.signature) for one in found] == [("Hull", ("ship",)), ("Hull", ("ship", "ship"))]


def test_a_group_takes_the_signature_that_the_model_chose_of_its_members(ask):
    group = {
        "name": "Repair cost",
        "signature": ["ship", "yard"],
        "description": "All of it.",
        "category": "outcome",
        "members": [1, 2],
    }
    inquiry, llm = ask({"groups": [group]})
    merged = consolidate_metrics(
        inquiry,
        [claim("RepairCost", 4), claim("MendingCost", 3, ("ship", "yard")), claim("Speed", 1)],
        24,
    )
    assert merged == [
        MetricClaim(
            name="RepairCost",
            signature=("ship", "yard"),
            description="All of it.",
            category="outcome",
            support=7,
        ),
        claim("Speed", 1),
    ]
    assert "2. MendingCost(ship, yard): " in llm.requests[0].user


def test_a_signature_of_unknown_dimensions_is_not_taken(ask):
    group = {"name": "Cost", "signature": ["planet"], "description": "", "category": "", "members": [1, 2]}
    inquiry, _ = ask({"groups": [group]})
    (merged,) = consolidate_metrics(
        inquiry, [claim("RepairCost", 4, description="Best."), claim("MendingCost", 3, category="x")], 24
    )
    assert merged == MetricClaim(
        name="Cost", signature=("ship",), description="Best.", category="state", support=7
    )


def test_one_name_is_one_claim_before_the_model_is_asked(ask):
    inquiry, llm = ask({"groups": []})
    merged = consolidate_metrics(
        inquiry, [claim("Speed", 1), claim("speeds", 3), claim("Speed", 2, ("ship", "yard"))], 24
    )
    assert [(one.name, one.signature, one.support) for one in merged] == [
        ("speeds", ("ship",), 4),
        ("Speed", ("ship", "yard"), 2),
    ]
    assert len(llm.requests) == 1
