"""Tier 1: sources packed into calls, replies by label and name."""

from __future__ import annotations

from aitia.analyst.llm.metric_edges import judge_metric_edges
from aitia.analyst.protocols import MetricEdgeRequest
from aitia.corpus.tokens import count_tokens
from aitia.spec.claims import TemplateClaim
from aitia.spec.model import Metric, Quote

SALT = Quote(text="Salt corrodes the hull.", chunk_id="c1")
REPAIR = Quote(text="A corroded hull needs more repairs.", chunk_id="c2")


def requests_of(metrics):
    corrosion, cost, speed = metrics
    return [
        MetricEdgeRequest(corrosion, (cost, speed), (SALT, REPAIR)),
        MetricEdgeRequest(cost, (corrosion,), (REPAIR,)),
        MetricEdgeRequest(speed, (cost,)),
    ]


def edge(source, target, confidence=0.8):
    return {"source": source, "target": target, "mechanism": "it does", "confidence": confidence}


def test_sources_share_a_call_and_show_quotes_and_descriptions_once(ask, ship_metrics):
    inquiry, llm = ask({"edges": []})
    judge_metric_edges(inquiry, requests_of(ship_metrics))
    (request,) = llm.requests
    assert request.user.count("A corroded hull needs more repairs.") == 1
    assert request.user.endswith(
        "## Sources\n"
        "S1. Corrosion(ship): The Corrosion of a ship. [Q1 Q2]\n"
        "    - RepairCost(ship): The RepairCost of a ship.\n"
        "    - Speed(ship): The Speed of a ship.\n"
        "S2. RepairCost(ship) [Q2]\n"
        "    - Corrosion(ship)\n"
        "S3. Speed(ship) []\n"
        "    - RepairCost(ship)"
    )


def test_labels_and_names_become_templates(ask, ship_metrics):
    inquiry, _ = ask(
        {
            "edges": [
                edge("S1", "RepairCost"),
                edge("s2.", "corrosion(ship)"),
                edge("Speed", "Repair cost", 0.5),
            ]
        }
    )
    assert judge_metric_edges(inquiry, requests_of(ship_metrics)) == [
        TemplateClaim(source="Corrosion", target="RepairCost", mechanism="it does", confidence=0.8),
        TemplateClaim(source="RepairCost", target="Corrosion", mechanism="it does", confidence=0.8),
        TemplateClaim(source="Speed", target="RepairCost", mechanism="it does", confidence=0.5),
    ]
    assert inquiry.rejected == ()


def test_unknown_sources_are_refused_and_unknown_targets_left_to_the_caller(ask, ship_metrics):
    inquiry, _ = ask({"edges": [edge("S4", "Speed"), edge("Weather", "Speed"), edge("S1", "Weather")]})
    (claim,) = judge_metric_edges(inquiry, requests_of(ship_metrics))
    assert (claim.source, claim.target) == ("Corrosion", "Weather")
    assert [(one.reason, one.detail) for one in inquiry.rejected] == [
        ("malformed", "source 'S4' is none of those asked about"),
        ("malformed", "source 'Weather' is none of those asked about"),
    ]


def test_confidence_out_of_range_is_malformed(ask, ship_metrics):
    inquiry, _ = ask({"edges": [edge("S1", "Speed", 90)]})
    assert judge_metric_edges(inquiry, requests_of(ship_metrics)) == []
    assert inquiry.rejected[0].reason == "malformed"


def many_requests():
    metrics = [
        Metric(name=f"Metric{n}", signature=("ship",), description="word " * 30, category="x")
        for n in range(64)
    ]
    quotes = [
        Quote(text=f"Quote {n} says " + "that it is so and so " * 10, chunk_id=str(n)) for n in range(640)
    ]
    return [
        MetricEdgeRequest(
            metric, tuple(m for m in metrics if m != metric)[:25], tuple(quotes[10 * n : 10 * n + 10])
        )
        for n, metric in enumerate(metrics)
    ]


def test_calls_keep_to_their_size_and_lose_no_source(ask):
    inquiry, llm = ask({"edges": []})
    judge_metric_edges(inquiry, many_requests())
    sizes = [count_tokens(request.system + request.user) for request in llm.requests]
    assert max(sizes) <= 8_000
    assert len(sizes) <= 16
    users = "\n".join(request.user for request in llm.requests)
    assert sum(line.startswith("S") and ". Metric" in line for line in users.splitlines()) == 64
    assert users.count("    - Metric") == 64 * 25


def test_a_small_context_gets_small_calls(ask):
    inquiry, llm = ask({"edges": []}, context_tokens=4_096, max_output_tokens=1_024)
    judge_metric_edges(inquiry, many_requests()[:6])
    assert max(count_tokens(request.system + request.user) for request in llm.requests) <= 3_072
    assert inquiry.asker.unread == ()
