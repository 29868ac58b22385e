"""Outcomes: one call, a small sample, names of metrics only."""

from __future__ import annotations

from aitia.analyst.llm.outcomes import SAMPLE_CHUNKS, propose_outcomes
from aitia.corpus.chunk import Chunk
from aitia.corpus.reading import ReadingWindow
from aitia.spec.claims import OutcomeClaim


def test_one_call_names_roles_and_strangers_are_rejected(ask, harbour, ship_metrics):
    inquiry, llm = ask(
        {
            "outcomes": [
                {"metric": "Repair cost(ship)", "role": "terminal", "reason": "It is paid."},
                {"metric": "Weather", "role": "outcome", "reason": "?"},
                {"metric": "Speed", "role": "cause", "reason": "?"},
            ]
        }
    )
    assert propose_outcomes(inquiry, ship_metrics, [harbour, harbour]) == [
        OutcomeClaim(metric="RepairCost", role="terminal", reason="It is paid.")
    ]
    assert sorted(one.reason for one in inquiry.rejected) == ["malformed", "unknown_metric"]
    assert len(llm.requests) == 1


def test_the_sample_is_small_and_the_same_for_every_order_of_reading(ask, ship_metrics):
    chunks = [Chunk("d", "d.md", n, n, n + 1, f"passage number {n} of many") for n in range(100)]
    inquiry, llm = ask({"outcomes": []})
    propose_outcomes(inquiry, ship_metrics, [ReadingWindow(tuple(chunks))])
    propose_outcomes(
        inquiry, ship_metrics, [ReadingWindow(tuple(chunks[50:])), ReadingWindow(tuple(chunks[:50]))]
    )
    first, second = (
        {line for line in request.user.splitlines() if line.startswith("passage number")}
        for request in llm.requests
    )
    assert first == second
    assert len(first) == SAMPLE_CHUNKS


def test_without_metrics_nothing_is_asked(ask, harbour):
    inquiry, llm = ask({"outcomes": []})
    assert propose_outcomes(inquiry, [], [harbour]) == []
    assert llm.requests == []
