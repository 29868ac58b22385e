"""Paths: causal or spurious by number, with a reason."""

from __future__ import annotations

from aitia.analyst.graph_protocols import PathRequest, PathVerdict
from aitia.analyst.llm.paths import UNJUDGED, refine_paths

SALT, PAINT = "Salt corrodes the hull.", "Paint lies beside the ferry."
PATHS = [
    PathRequest(1, ("salt", "hull"), ("causal",), ("corrodes",), (SALT,)),
    PathRequest(
        2,
        ("paint", "ferry", "[Storms]", "hull"),
        ("structural", "hierarchical", "gate, against"),
        ("lies beside", "part of", "brings about"),
        (PAINT, SALT),
    ),
]


def said(path, verdict="causal", reason="It  does.", confidence=0.8):
    return {"path": path, "reason": reason, "verdict": verdict, "confidence": confidence}


def test_paths_are_told_with_their_direction_and_passages(ask):
    inquiry, llm = ask({"paths": []})
    refine_paths(inquiry, "Why does a hull\nrust?", PATHS)
    user = llm.requests[0].user
    assert user.startswith("## Question\nWhy does a hull rust?\n")
    assert user.count(SALT) == 1
    assert user.endswith(
        "## Paths\n"
        "1. salt -[corrodes: causal]-> hull [Q1]\n"
        "2. paint -[lies beside: structural]-> ferry -[part of: hierarchical]-> [Storms] "
        "<-[brings about: gate, against]- hull [Q2 Q1]"
    )


def test_verdicts_by_number_the_first_of_each(ask):
    inquiry, _ = ask({"paths": [said(2, "Spurious"), said(1), said(1, "spurious"), said(9)]})
    assert refine_paths(inquiry, "Why?", PATHS) == [
        PathVerdict(1, "causal", "It does.", 0.8),
        PathVerdict(2, "spurious", "It does.", 0.8),
    ]
    assert [one.detail for one in inquiry.rejected] == ["path 9 is none of those asked about"]


def test_a_path_without_a_verdict_is_spurious_for_that_reason(ask):
    inquiry, _ = ask({"paths": [said(1, "perhaps"), said(2)]})
    assert refine_paths(inquiry, "Why?", PATHS)[0] == PathVerdict(1, "spurious", UNJUDGED, 0.0)
    assert [one.reason for one in inquiry.rejected] == ["malformed"]


def test_a_useless_call_is_halved_and_what_stays_unread_is_named(ask):
    inquiry, _ = ask("no", {"paths": [said(1)]}, "no")
    assert [one.verdict for one in refine_paths(inquiry, "Why?", PATHS)] == ["causal", "spurious"]
    assert [one.place for one in inquiry.asker.unread] == ["1 paths from paint to hull"]


def test_no_paths_no_call(ask):
    inquiry, llm = ask({"paths": []})
    assert refine_paths(inquiry, "Why?", []) == []
    assert llm.requests == []
