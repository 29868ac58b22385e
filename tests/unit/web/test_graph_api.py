"""The vocabulary, the graph, its evidence and passages over REST."""

from __future__ import annotations

import pytest

from aitia.testing.tiny_index import COLD, CONTROL, MITES

MITES_TO_BEES = {
    "source": "Level(mite)",
    "target": "Mortality(bee)",
    "polarity": "positive",
    "confidence": 0.85,
    "mechanism": "raise the mortality",
}
COLD_CHUNK, MITES_CHUNK = "f887da0bbcc9b116", "2a5cdd02b79b1928"


def test_the_vocabulary(client):
    spec = client.get("/api/tiny/spec").json()
    assert [each["name"] for each in spec["dimensions"]] == ["subject"]
    assert [(each["label"], each["variables"], each["out"], each["in"]) for each in spec["metrics"]] == [
        ("Level(subject)", 2, 3, 1),
        ("Mortality(subject)", 1, 0, 2),
    ]
    assert spec["variables"] == 3
    assert client.get("/api/tiny/spec/metrics").json()["rows"] == spec["metrics"]
    assert client.get("/api/tiny/spec/dimensions").json()["rows"] == spec["dimensions"]


def test_variables(client):
    rows = client.get("/api/tiny/spec/variables").json()
    assert (rows["total"], [each["key"] for each in rows["rows"]]) == (
        3,
        ["Level(cold)", "Level(mite)", "Mortality(bee)"],
    )
    assert client.get("/api/tiny/spec/variables?metric=Mortality").json()["rows"] == [
        {"key": "Mortality(bee)", "metric": "Mortality", "entities": ["bee"], "out": 0, "in": 2}
    ]
    assert client.get("/api/tiny/spec/variables?metric=Nothing").json()["total"] == 0
    assert client.get("/api/tiny/spec/variables?text=MITE").json()["total"] == 1


def test_the_text_of_the_specification(client, tiny):
    sent = client.get("/api/tiny/spec/text")
    assert sent.text == (tiny / "graph_spec.yaml").read_text("utf-8")
    assert sent.headers["content-type"] == "text/plain; charset=utf-8"


def test_the_graph_from_afar(client):
    graph = client.get("/api/tiny/graph").json()
    assert [each["name"] for each in graph["metrics"]] == ["Level", "Mortality"]
    inside, across = graph["links"]
    assert (inside["source"], inside["target"], inside["edges"], inside["none"]) == ("Level", "Level", 1, 1)
    assert across == {
        "source": "Level",
        "target": "Mortality",
        "edges": 2,
        "positive": 1,
        "negative": 0,
        "unclear": 1,
        "none": 0,
        "quoted": 1,
        "confidence": 0.85,
        "mean_confidence": 0.675,
        "mechanism": "more of it kills",
        "template_confidence": 0.7,
    }


def test_edges_in_order_and_in_parts(client):
    rows = client.get("/api/tiny/graph/edges").json()
    assert rows["total"] == 3
    assert rows["rows"][0] == {**MITES_TO_BEES, "evidence": 2, "quoted": 1}
    assert [each["confidence"] for each in rows["rows"]] == [0.85, 0.6, 0.5]
    second = client.get("/api/tiny/graph/edges?offset=1&limit=1").json()
    assert (second["total"], second["offset"], second["rows"]) == (3, 1, rows["rows"][1:2])
    assert client.get("/api/tiny/graph/edges?offset=9").json()["rows"] == []


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("source_metric=Level&target_metric=Mortality", 2),
        ("metric=Mortality", 2),
        ("variable=Level(cold)", 2),
        ("polarity=none", 1),
        ("min_confidence=0.6", 2),
        ("max_confidence=0.55", 1),
        ("evidence=quote", 2),
        ("evidence=other", 1),
        ("evidence=none", 0),
        ("text=RAISE", 1),
        ("text=mite&polarity=none", 1),
        ("variable=Level(nothing)", 0),
    ],
)
def test_edges_that_fit(client, query, total):
    assert client.get(f"/api/tiny/graph/edges?{query}").json()["total"] == total


@pytest.mark.parametrize(
    "query", ["polarity=maybe", "limit=1001", "limit=0", "offset=-1", "min_confidence=nan", "nothing=1"]
)
def test_parameters_that_cannot_be(client, query):
    refused = client.get(f"/api/tiny/graph/edges?{query}")
    assert refused.status_code == 422
    assert refused.json()["error"].startswith(query.partition("=")[0])


def test_an_edge_with_its_evidence(client):
    sent = client.get("/api/tiny/graph/edge", params={"source": "Level(mite)", "target": "Mortality(bee)"})
    place = {"place": "mites.md", "document": "mites.md", "chunk": MITES_CHUNK}
    assert sent.json() == {
        **MITES_TO_BEES,
        "evidence": [
            {"found_by": "quote", "quote": MITES[:34], **place, "start": 0, "end": 34},
            {"found_by": "mention", "quote": MITES[35:], **place, "start": 35, "end": len(MITES)},
        ],
    }
    turned = client.get("/api/tiny/graph/edge", params={"source": "Mortality(bee)", "target": "Level(mite)"})
    assert turned.status_code == 404
    assert client.get("/api/tiny/evidence").json()["rows"][0] == sent.json()


def test_a_passage_with_its_edges(client):
    passage = client.get(f"/api/tiny/passages/{COLD_CHUNK}?around=10").json()
    assert (passage["text"], passage["start"], passage["end"]) == (COLD, 0, len(COLD))
    assert (passage["before"], passage["after"], passage["previous"], passage["next"]) == ("", "", None, None)
    assert passage["path"] == f"cold{CONTROL}.md"
    assert [(each["source"], each["target"], each["start"], each["end"]) for each in passage["edges"]] == [
        ("Level(cold)", "Level(mite)", 0, 28),
        ("Level(cold)", "Mortality(bee)", 0, len(COLD)),
    ]


def test_a_passage_that_is_not_there(client):
    missing = client.get("/api/tiny/passages/index.db")
    assert (missing.status_code, missing.json()) == (404, {"error": "no passage 'index.db' in tiny"})


def test_what_else_an_index_holds(client):
    assert client.get("/api/tiny/documents").json()["rows"] == [
        {"path": f"cold{CONTROL}.md", "name": f"cold{CONTROL}", "chunks": 1},
        {"path": "mites.md", "name": "mites", "chunks": 1},
    ]
    assert client.get("/api/tiny/skipped").json()["rows"] == [
        {"path": "photo.png", "reason": "unsupported suffix .png"}
    ]
    assert client.get("/api/tiny/rejected").json()["rows"][0]["reason"] == "unknown_metric"
    assert client.get("/api/tiny/cost").json()["llm_calls"] == 0


def test_what_the_method_does_not_have(client):
    refused = client.get("/api/tiny/records/gates")
    assert (refused.status_code, refused.json()) == (
        400,
        {"error": "tiny was built with hcg, which has no gates; hug has"},
    )
    assert client.get("/api/tiny/records/nothing").status_code == 404
    assert client.get("/api/tiny/questions").status_code == 400
