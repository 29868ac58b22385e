"""What pages show, without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aitia.errors import UsageError
from aitia.retrieval.result import Evidence
from aitia.spec.decisions import Decided, Decision
from aitia.web.pages import PAGES
from aitia.web.pages.ask import _first_shared, parse_settings
from aitia.web.pages.audit import _item, progress
from aitia.web.pages.graph import draw_causal
from aitia.web.pages.passage import mark_span
from aitia.workflows import curate
from aitia.workflows.graph_tables import GraphTables
from aitia.workflows.index import open_index
from aitia.workflows.queue import QueueItem

ASSETS = Path(__file__).parents[3] / "web-assets"
PARAMETERS = {
    "metric": "?name=Level",
    "edges": "?source=Level&target=Mortality",
    "ask": "?q=Why do mites raise mortality?&budget=20",
    "compare": "?q=mites&b_retrieval=plain:bm25",
    "why": "?q=Why do mites raise mortality?&find=cold",
}


def passages(folder) -> list[str]:
    return [chunk.id for chunk in open_index(folder).store.chunks()]


@pytest.mark.parametrize("slug", [page.slug for page in PAGES])
def test_every_page_is_served(client, tiny, slug):
    parameters = PARAMETERS.get(
        slug, f"?chunk={passages(tiny)[1]}&start=0&end=5" if slug == "passage" else ""
    )
    response = client.get(f"/index/tiny/{slug}{parameters}")
    assert response.status_code == 200, response.text
    assert response.text.count("<h1") == 1
    # Nothing inline, which the policy forbids.
    assert not re.search(r"<style|\sstyle=|\son\w+=", response.text)
    assert all(
        "src=" in tag or 'type="application/json"' in tag
        for tag in re.findall(r"<script[^>]*>", response.text)
    )


@pytest.mark.parametrize(
    ("place", "status"),
    [
        ("metric?name=Nothing", 404), ("edges?source=Level&target=Nothing", 404),
        ("edges?source=Mortality&target=Level", 404), ("passage?chunk=0", 404), ("why?q=&find=x", 400),
        ("ask?q=mites&budget=x", 400), ("ask?q=mites&retrieval=no", 400), ("compare?q=mites&a=other", 404),
        ("audit?first=-1", 400),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_in_a_line(client, place, status):
    response = client.get(f"/index/tiny/{place}")
    assert response.status_code == status
    assert '<p role="alert">' in response.text


def test_edges_are_found_by_metrics_and_by_variables(client):
    by_metric = client.get("/index/tiny/edges", params={"source": "Level", "target": "Mortality"}).text
    assert by_metric.count("data-edge=") == 2
    by_key = client.get("/index/tiny/edges", params={"source": "Level(mite)", "target": "Mortality"}).text
    assert (by_key.count("data-edge="), "Mites raise the mortality of bees" in by_key) == (1, True)


def test_a_quote_is_marked_in_its_passage():
    whole = {"start": 10, "end": 20, "before": "before ", "text": "0123456789", "after": " after"}
    assert mark_span(whole, 12, 15) == [
        ("before ", False, False), ("01", True, False), ("234", True, True), ("56789", True, False),
        (" after", False, False),
    ]  # fmt: skip
    # A span that goes beyond the passage is marked as far as it is shown.
    assert [piece[0] for piece in mark_span(whole, 18, 23) if piece[2]] == ["89", " af"]
    assert [piece for piece in mark_span(whole, 0, 0) if piece[2]] == []


def test_the_drawing_holds_every_edge(tiny):
    drawn = draw_causal(GraphTables(open_index(tiny).graph))
    assert [group[0] for group in drawn["groups"]] == ["Level", "Mortality"]
    assert drawn["nodes"] == [["Level(cold)", 0], ["Level(mite)", 0], ["Mortality(bee)", 1]]
    assert drawn["edges"] == {
        "s": [0, 0, 1],
        "t": [1, 2, 2],
        "p": [3, 2, 0],
        "c": [60, 50, 85],
        "e": [2, 1, 2],
    }
    assert [drawn["signs"][sign] for sign in drawn["edges"]["p"]] == ["none", "unclear", "positive"]


def evidence(document: str, start: int, end: int) -> Evidence:
    return Evidence("", "", (), document, "", start, end, 0.0)


def test_evidence_of_two_sides_is_the_same_where_its_text_overlaps():
    others = [evidence("a", 0, 10), evidence("b", 5, 9), evidence("b", 0, 6)]
    assert _first_shared(evidence("b", 0, 6), others) == 2
    assert _first_shared(evidence("b", 9, 12), others) == 0
    assert _first_shared(evidence("c", 0, 100), others) == 0


def test_settings_are_read_as_numbers_and_words():
    assert parse_settings(" hops=2, order = cosine,beta=0.2,") == {"hops": 2, "order": "cosine", "beta": 0.2}
    with pytest.raises(UsageError, match="expected name=value"):
        parse_settings("hops")


def test_a_side_that_cannot_be_leaves_the_other(client):
    page = client.get(
        "/index/tiny/compare", params={"q": "mites", "a_set": "nothing=1", "b_retrieval": "plain:bm25"}
    )
    assert (
        page.status_code,
        page.text.count('class="notice warn"'),
        page.text.count('class="evidence"'),
    ) == (200, 1, 1)


def test_agreement_counts_an_edge_once_by_what_was_said_last():
    def decided(action, target, kind="edge", status="applied"):
        return Decided(Decision(action=action, kind=kind, target=target), status)

    history = [
        decided("accept", "a -> b"), decided("reject", "c -> d"), decided("edit", "a -> b"),
        decided("accept", "e -> f"),
        decided("accept", "g -> h", status="undone"), decided("rename", "Level", "metric"), decided("add", "i -> j"),
    ]  # fmt: skip
    assert progress(history, 7) == {"decided": 3, "left": 7, "agreed": 1}
    # Of claims that the machine refused: c -> d, which was rejected, agrees; i -> j, which was added, does not.
    refused = frozenset({"c -> d", "i -> j"})
    assert progress(history, 7, refused) == {"decided": 4, "left": 7, "agreed": 2}


def test_what_a_terminal_metric_brings_about_is_added_with_its_role():
    key = "Mortality(bee) -> Level(mite)"
    value = {"mechanism": "m", "confidence": 0.5, "polarity": "positive"}
    why = ("rejected claim: terminal source",)
    item = _item(QueueItem("rejected", "edge", key, why, 0.1, "m", value, needs="Mortality"))
    assert item["decisions"]["accept"] == [
        {"action": "role", "kind": "metric", "target": "Mortality", "value": {"to": "intermediate"}},
        {"action": "add", "kind": "edge", "target": key, "value": value},
    ]
    assert item["why"] == ["rejected: a terminal metric has no effects"]
    plain = _item(QueueItem("edge", "edge", key, (), 0.1))
    assert plain["decisions"]["accept"] == [{"action": "accept", "kind": "edge", "target": key}]


def test_decisions_show_the_signs_that_nobody_sees(own, serve):
    told = {"field": "description", "to": "left \u202e right\x07"}
    curate.decide_all(own, [Decision(action="edit", kind="metric", target="Level", value=told)])
    page = serve(folders={"tiny": own}).get("/index/tiny/history").text
    assert "left \\u202e right\\u0007" in page
    assert "\u202e" not in page
    # The same word in both places where it is counted.
    assert ">waiting</span>" in page
    overview = serve(folders={"tiny": own}).get("/index/tiny/overview").text
    assert "Decided so far: 1 waiting." in overview
    vocabulary = serve(folders={"tiny": own}).get("/index/tiny/vocabulary").text
    assert vocabulary.count('waits">waiting') == 1


@pytest.mark.parametrize("method", ["qcg", "plain"])
def test_a_method_without_claims_has_nothing_to_audit(client, monkeypatch, method):
    monkeypatch.setattr("aitia.workflows.index.Index.method", method)
    page = client.get("/index/tiny/audit").text
    assert f"built with {method}" in page
    assert "there is nothing to audit" in page
    assert "<progress" not in page


def test_a_budget_that_holds_nearly_every_passage_is_named(client):
    question = {"q": "mites", "a_budget": "9000", "b_budget": "1", "b_retrieval": "plain:bm25"}
    page = client.get("/index/tiny/compare", params=question).text
    assert page.count("of all passages; a smaller budget") == 1


def test_packages_of_the_drawing_are_pinned_by_hash_and_name_no_place():
    lock = json.loads((ASSETS / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert "node_modules/cytoscape" in packages
    assert [name for name, each in packages.items() if not each["integrity"].startswith("sha512-")] == []
    assert [name for name, each in packages.items() if "resolved" in each] == []
