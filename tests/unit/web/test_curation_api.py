"""Deciding, applying and looking back over REST."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.testclient import TestClient

from aitia.testing.hash_embedder import HashEmbedder
from aitia.web import shelf
from aitia.workflows import curate
from aitia.workflows.curate import decide

MITES = "Level(mite) -> Mortality(bee)"
COLD = "Level(cold) -> Mortality(bee)"
ACCEPT = {"action": "accept", "kind": "edge", "target": MITES, "author": "ada", "reason": "as the text says"}
REJECT = {"action": "reject", "kind": "edge", "target": COLD, "author": "ada"}


@pytest.fixture
def curator(serve, own, monkeypatch) -> TestClient:
    """A client of a server over an index that may be changed."""
    monkeypatch.setattr("aitia.workflows.remake.open_embedder", lambda *_, **__: HashEmbedder())
    return serve(folders={"own": own})


def rows(client: TestClient, what: str) -> list[dict]:
    return client.get(f"/api/own/curation/{what}").json()["rows"]


def test_what_is_open(curator):
    (item,) = rows(curator, "queue")
    assert (item["topic"], item["decides"], item["key"], item["why"]) == (
        "edge",
        "edge",
        COLD,
        ["no verbatim evidence"],
    )
    assert (item["quotes"][0]["chunk"], item["quotes"][0]["start"]) == ("f887da0bbcc9b116", 0)


def test_a_decision_is_kept_with_its_author_and_time(curator, own):
    kept = curator.post("/api/own/curation/decisions", json=ACCEPT)
    assert kept.status_code == 201
    decision = kept.json()
    assert {name: decision[name] for name in ACCEPT} == ACCEPT
    assert decision["time"].endswith("Z")
    (told,) = rows(curator, "history")
    assert (told["id"], told["status"], told["pending"]) == (decision["id"], "waiting", True)
    page = curator.get("/index/own/overview").text
    assert "Decided so far: 1 waiting." in re.sub(r"<[^>]+>", "", page)
    assert "as the text says" in (own / "curation.yaml").read_text("utf-8")


def test_a_reason_may_have_lines_and_any_script(curator):
    reason = "first line\n\tsecond: \u05e9\u05dc\u05d5\u05dd, \u200fand \u00e9"
    assert curator.post("/api/own/curation/decisions", json={**ACCEPT, "reason": reason}).status_code == 201
    assert rows(curator, "history")[0]["reason"] == reason


def test_what_was_decided_is_open_no_more_until_it_is_undone(curator):
    decision = curator.post("/api/own/curation/decisions", json=REJECT).json()
    assert rows(curator, "queue") == []
    undo = {"action": "undo", "kind": "edge", "target": decision["id"], "author": "ada"}
    assert curator.post("/api/own/curation/decisions", json=undo).status_code == 201
    assert [each["key"] for each in rows(curator, "queue")] == [COLD]
    assert [each["status"] for each in rows(curator, "history")] == ["undone", "waiting"]


def test_all_or_none(curator, own):
    wrong = {**ACCEPT, "target": "Level(mit) -> Mortality(bee)"}
    refused = curator.post("/api/own/curation/decisions/all", json={"decisions": [REJECT, wrong]})
    assert refused.status_code == 400
    assert "nearest: Level(mite)" in refused.json()["error"]
    assert not (own / "curation.yaml").exists()
    kept = curator.post("/api/own/curation/decisions/all", json={"decisions": [REJECT, ACCEPT]})
    assert (kept.status_code, [each["target"] for each in kept.json()["decisions"]]) == (201, [COLD, MITES])


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({**ACCEPT, "action": "explode"}, "action: input should be"),
        ({**ACCEPT, "kind": "planet"}, "kind: input should be"),
        ({**ACCEPT, "time": "2020-01-01"}, "time: extra inputs are not permitted"),
        ({**ACCEPT, "value": {"to": "\ud800"}}, "value: half of a surrogate pair is no text"),
        ({**ACCEPT, "reason": "x" * 10_001}, "reason: string should have at most 10000 characters"),
        ({**ACCEPT, "reason": "a\x1b[2Jb"}, "reason: control characters are refused"),
        ({**ACCEPT, "author": "a\u202eb"}, "author: control characters are refused"),
        ({**ACCEPT, "author": "ada\nlovelace"}, "author: expected one line"),
        ({**ACCEPT, "target": "a\0"}, "target: a NUL character is refused"),
        ({"action": "accept", "kind": "edge"}, "target: field required"),
    ],
)
def test_decisions_that_cannot_be(curator, own, body, line):
    sent = {"content": json.dumps(body), "headers": {"content-type": "application/json"}}
    refused = curator.post("/api/own/curation/decisions", **sent)
    assert refused.status_code == 422
    assert refused.json()["error"].startswith(line)
    assert not (own / "curation.yaml").exists()


def test_applying_brings_the_index_up_to_date(curator):
    before = curator.get("/api/own/graph/edges").json()["total"]
    curator.post("/api/own/curation/decisions", json=REJECT)
    assert curator.get("/api/own/graph/edges").json()["total"] == before
    report = curator.post("/api/own/curation/apply", json={})
    assert report.status_code == 200, report.text
    said = report.json()
    assert (said["changed"], said["findings"], said["calls"]) == (True, [], {})
    assert [(each["target"], each["status"], each["pending"]) for each in said["decided"]] == [
        (COLD, "applied", False)
    ]
    assert curator.get("/api/own/graph/edges").json()["total"] == before - 1
    assert (
        curator.get(
            "/api/own/graph/edge", params=dict(zip(("source", "target"), COLD.split(" -> "), strict=True))
        ).status_code
        == 404
    )
    (told,) = rows(curator, "history")
    assert (told["status"], told["pending"]) == ("applied", False)


def test_several_decide_at_once(curator):
    bodies = [{**ACCEPT, "author": f"curator {number}"} for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        sent = list(threads.map(lambda body: curator.post("/api/own/curation/decisions", json=body), bodies))
    assert {each.status_code for each in sent} == {201}
    assert sorted(each["author"] for each in rows(curator, "history")) == [body["author"] for body in bodies]


def test_a_write_waits_for_another_but_not_for_ever(curator, monkeypatch):
    started, go_on = Event(), Event()

    def slow(*given):
        started.set()
        assert go_on.wait(10)
        return decide(*given)

    monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(curate, "decide", slow)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(curator.post, "/api/own/curation/decisions", json=ACCEPT)
        assert started.wait(10)
        refused = curator.post("/api/own/curation/apply", json={})
        assert (refused.status_code, refused.headers["retry-after"]) == (409, "5")
        go_on.set()
        assert first.result().status_code == 201


def test_a_file_that_breaks_its_rules_is_one_line(curator, own):
    (own / "curation.yaml").write_text("- nonsense\n")
    refused = curator.get("/api/own/curation/queue")
    assert refused.status_code == 409
    assert refused.json()["error"].startswith("curation.yaml:1: found 'nonsense'")
