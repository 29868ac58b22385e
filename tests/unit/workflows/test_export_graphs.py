from __future__ import annotations

import csv
import io
import json

import networkx
import pytest

from aitia.testing import HashEmbedder
from aitia.workflows import build as module
from aitia.workflows import index as index_module
from aitia.workflows.build import build_index
from aitia.workflows.export import export_csv, export_graphml, export_json
from aitia.workflows.import_graph import import_graph

GRAPH = {
    "entities": [
        {"name": "=pump\x07", "kind": "part"},
        {"name": "valve"},
        {"name": "flood"},
        {"name": "mould"},
    ],
    "relations": [
        {"source": "=pump\x07", "target": "valve", "relation": "feeds"},
        {"source": "=pump\x07", "target": "flood", "relation": "causes"},
        {"source": "valve", "target": "mould", "relation": "causes"},
    ],
    "communities": [
        {"title": "Plant", "summary": "Parts.", "members": ["=pump\x07", "valve"]},
        {"title": "Harm", "summary": "Damage.", "members": ["flood", "mould"]},
    ],
}


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    for user in (module, index_module):
        monkeypatch.setattr(user, "open_embedder", lambda name, **options: HashEmbedder())


@pytest.fixture
def hug(tmp_path):
    (tmp_path / "g.json").write_text(json.dumps(GRAPH))
    return import_graph(tmp_path / "g.json", tmp_path / "hug", settings={"gate_hops": 0})


@pytest.fixture
def qcg(tmp_path):
    (tmp_path / "mites.txt").write_text("A mite is a parasite of bees. Mites weaken colonies.")
    return build_index(
        tmp_path / "mites.txt", tmp_path / "qcg", method="qcg", settings={"neighbours": 1, "keep": 1}
    )


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_graphml_of_hug_has_links_members_and_gates(hug):
    graph = networkx.parse_graphml(export_graphml(hug))
    nodes = {key: values["name"] for key, values in graph.nodes(data=True)}
    assert nodes == {"e0": "=pump", "e1": "flood", "e2": "mould", "e3": "valve", "m0": "Plant", "m1": "Harm"}
    assert graph.nodes["m0"] == {"type": "module", "name": "Plant", "level": 1, "description": "Parts."}
    edges = {(source, target): values for source, target, values in graph.edges(data=True)}
    assert {ends: values["type"] for ends, values in edges.items()} == {
        ("e0", "e3"): "link", ("e0", "e1"): "link", ("e3", "e2"): "link",
        ("e0", "m0"): "member", ("e3", "m0"): "member", ("e1", "m1"): "member", ("e2", "m1"): "member",
        ("m0", "m1"): "gate",
    }  # fmt: skip
    assert edges["e3", "e2"] == {
        "id": "r2", "type": "link", "relation": "causes", "causal": True, "negated": False, "confidence": 1.0,
        "description": "valve causes mould.",
    }  # fmt: skip
    assert edges["m0", "m1"]["confidence"] == 0.75


def test_tables_of_hug(hug):
    tables = {name: rows(text) for name, text in export_csv(hug).items()}
    assert sorted(tables) == [
        "entities.csv", "gates.csv", "links.csv", "merges.csv", "modules.csv", "quotes.csv"
    ]  # fmt: skip
    plant, harm = (record["key"] for record in hug.store.records("modules"))
    assert tables["entities.csv"][:2] == [
        ["name", "kind", "names", "chunks", "module"],
        ["'=pump", "part", "'=pump", "2", plant],
    ]
    assert tables["links.csv"][3] == ["valve", "mould", "causes", "true", "false", "1.0"]
    assert tables["modules.csv"][2] == [harm, "1", "", "Harm", "Damage.", "flood; mould"]
    assert tables["gates.csv"][1][:7] == [plant, harm, "Plant", "Harm", "0.75", "0.0", "true"]
    assert tables["merges.csv"] == [["kept", "merged", "cosine", "by", "suggested"]]
    assert [(row[2], row[3], row[5]) for row in tables["quotes.csv"]][3] == (
        "causes",
        "relations/valve \u2192 mould",
        "valve causes mould.",
    )


def test_query_nodes_of_qcg_with_their_neighbours(qcg):
    records = json.loads(export_json(qcg))["records"]["query_nodes"]
    assert len(records) == 2
    assert [record["neighbours"] for record in records] == [[1], [0]]
    graph = networkx.parse_graphml(export_graphml(qcg))
    assert dict(graph.edges) == {("q0", "q1"): {"rank": 1}, ("q1", "q0"): {"rank": 1}}
    assert [graph.nodes[f"q{row}"]["answer"] for row in (0, 1)] == [record["answer"] for record in records]
    assert graph.nodes["q0"]["document"] == "mites.txt"
    tables = {name: rows(text) for name, text in export_csv(qcg).items()}
    assert tables["neighbours.csv"] == [["node", "rank", "neighbour"], ["0", "1", "1"], ["1", "1", "0"]]
    assert [row[4] for row in tables["query_nodes.csv"][1:]] == [record["answer"] for record in records]
