from __future__ import annotations

import json

import networkx
import pytest

from aitia.errors import CorpusError
from aitia.workflows.graph_file import EntityRow, RelationRow, read_graph

ONE = {"entities": [{"name": "a"}], "relations": []}
HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


@pytest.fixture
def notes():
    """What the readings of a test said."""
    return []


@pytest.fixture
def read(tmp_path, notes):
    def read(content, name="g.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        graph, said = read_graph(path)
        notes.extend(said)
        return graph

    return read


def test_json_by_field_and_white_space_in_names(read):
    graph = read(
        {
            "entities": [{"name": " the\n pump ", "kind": "part", "weight": 3}, {"name": "leak"}],
            "relations": [{"source": "the pump", "target": "leak", "relation": "CAUSES", "causal": False}],
            "communities": [{"members": ["leak"]}],
        }
    )
    assert graph.entities == (EntityRow(name="the pump", kind="part"), EntityRow(name="leak"))
    assert graph.relations == (
        RelationRow(source="the pump", target="leak", relation="CAUSES", causal=False),
    )
    assert [(each.title, each.members) for each in graph.communities] == [("", ("leak",))]


def test_graphml_of_networkx(read, tmp_path):
    graph = networkx.DiGraph()
    graph.add_node("n1", name="pump", entity_type="part", description="It pumps.")
    graph.add_node("leak")
    graph.add_edge("n1", "leak", label="drips", causal=True)
    graph.add_edge("leak", "n1")
    networkx.write_graphml(graph, tmp_path / "n.graphml")
    found = read((tmp_path / "n.graphml").read_bytes(), "n.graphml")
    assert found.entities == (
        EntityRow(name="pump", kind="part", description="It pumps."),
        EntityRow(name="leak"),
    )
    assert found.relations == (
        RelationRow(source="pump", target="leak", relation="drips", causal=True),
        RelationRow(source="leak", target="pump", relation="is related to"),
    )
    assert read((tmp_path / "n.graphml").read_bytes(), "no-suffix") == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_before_its_entities_are_read(read, tmp_path, encoding):
    (tmp_path / "secret").write_text("password")
    bomb = '<!ENTITY a "ha"><!ENTITY b "&a;&a;">' + f'<!ENTITY c SYSTEM "{tmp_path / "secret"}">'
    text = f"<?xml version='1.0' encoding='{encoding}'?><!DOCTYPE graphml [{bomb}]>{HEAD}&b;&c;</graphml>"
    with pytest.raises(CorpusError, match="has a document type") as refused:
        read(text.encode(encoding), "g.graphml")
    assert "password" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", r"g.json:1: no JSON \(Expecting property name"),
        (b"\xff\xfe\x01", "is not UTF-8"),
        (b"[" * 100_000, "beyond what is read here"),
        ([], "holds a list; expected a JSON object"),
        (
            {"entities": []},
            "relations is missing; expected a list, each an object such as {.source.: .Pump., .target",
        ),
        (None, "holds null; expected a JSON object"),
        (3, "holds a number; expected a JSON object"),
        (
            ONE | {"entities": {"A": {}}},
            r'entities: found {"A": {}}; expected a list, each an object such as',
        ),
        (ONE | {"entities": ["a"]}, r'entities\[0\]: found "a"; expected an object such as {"name": "Pump"}'),
        (ONE | {"communities": [{"members": [7]}]}, r"members\[0\]: found 7; expected a text of 1 to 500"),
        (
            ONE | {"relations": [{"source": "a", "target": "a", "relation": "r", "causal": "perhaps"}]},
            r'relations\[0\].causal: found "perhaps"; expected true or false; see: aitia import --help',
        ),
        (b'{"entities": [{"name": "a", "name": "b"}]}', 'an object has the key "name" twice; expected once'),
        (ONE | {"relationships": 3}, "relationships is no list of objects; expected what graphrag writes"),
        (
            {"aitia_export": 1, "records": {"query_nodes": []}},
            "is an export of Aitia without an entity graph",
        ),
        ({"aitia_export": 1, "records": {"links": [{}]}}, "but not as it was written; export it again"),
        ({"entities": [], "relations": []}, "has no entity"),
        (
            ONE | {"entities": [{"name": " "}]},
            r'entities\[0\].name: found ""; expected a text of 1 to 500 characters',
        ),
        (
            ONE | {"entities": [{"name": "a"}, {"name": "a"}]},
            r"entities\[0\] and \[1\] are both named .a.; expected",
        ),
        (
            ONE | {"relations": [{"source": "a", "target": "b", "relation": "r"}]},
            r"relations\[0\].target: found .b., which is no entity",
        ),
        (
            ONE | {"communities": [{"members": []}]},
            r"communities\[0\].members: found \[\]; expected a list of one or more names of entities",
        ),
        (ONE | {"communities": [{"members": ["b"]}]}, r"communities\[0\].members: found .b., which is no"),
        (ONE | {"communities": [{"members": ["a"]}] * 2}, r".a. is in communities\[0\] and \[1\]; expected"),
        (b"<html></html>", "is XML of <html>; expected GraphML"),
        (b"<graphml>", "is no XML"),
        (
            f'{HEAD}<graph><node id="a"/><edge source="a" target="b"/></graph></graphml>'.encode(),
            "an edge has the target 'b', which is no node",
        ),
        (f"{HEAD}<graph/><graph/></graphml>".encode(), "has 2 <graph> elements; expected one"),
        (
            f'{HEAD}<graph><node id="a"/><node id="a"/></graph></graphml>'.encode(),
            "two nodes have the id 'a'",
        ),
        (
            f'{HEAD}<key id="k" for="node" attr.name="name"/><graph><node id="a"/><node id="b"><data key="k">a'
            "</data></node></graph></graphml>".encode(),
            "the nodes 'a' and 'b' are both named 'a'; expected one",
        ),
    ],
)
def test_bad_files_are_refused_in_one_line(read, content, said):
    with pytest.raises(CorpusError, match=said) as refused:
        read(content)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CorpusError, match=r"none.json cannot be read \(No such file"):
        read_graph(tmp_path / "none.json")


def test_a_relation_of_an_entity_with_itself_is_said(read, notes):
    read(ONE | {"relations": [{"source": "a", "target": "a", "relation": "feeds"}]})
    assert notes == ["1 relation of an entity with itself: text, but no link"]


def test_edges_without_direction_state_no_cause_and_that_is_said(read, notes, tmp_path):
    graph = networkx.Graph()
    graph.add_edge("a", "b", relation="causes")
    graph.add_edge("a", "c", relation="causes", causal=True)
    networkx.write_graphml(graph, tmp_path / "u.graphml")
    found = read((tmp_path / "u.graphml").read_bytes(), "u.graphml")
    assert [(each.target, each.causal) for each in found.relations] == [("b", False), ("c", True)]
    assert notes == ["edges without direction: 2, told from source to target, no cause without causal=true"]


GRAPHRAG = {
    "entities": [
        {"id": "1", "title": "PUMP", "type": "PART", "description": "It pumps.", "human_readable_id": 0},
        {"id": "2", "title": "LEAK", "type": None, "description": "A leak."},
        {"id": "3", "title": "ROOF"},
    ],
    "relationships": [
        {"source": "PUMP", "target": "LEAK", "description": "The PUMP causes the LEAK.", "weight": 2.0},
        {"source": "LEAK", "target": "ROOF", "label": "DAMAGES"},
    ],
    "communities": [
        {"community": 0, "level": 0, "title": "Community 0", "entity_ids": ["1", "2", "3"]},
        {"community": 1, "level": 1, "title": "Community 1", "entity_ids": ["1", "2"]},
        {"community": 2, "level": 1, "title": "Community 2", "entity_ids": []},
    ],
    "community_reports": [{"community": 1, "title": "Water", "summary": "Of water."}],
}


def test_a_graph_of_graphrag(read, notes):
    graph = read(GRAPHRAG)
    assert graph.entities == (
        EntityRow(name="PUMP", kind="PART", description="It pumps."),
        EntityRow(name="LEAK", description="A leak."),
        EntityRow(name="ROOF"),
    )
    assert [(each.source, each.relation, each.target) for each in graph.relations] == [
        ("PUMP", "is related to", "LEAK"),
        ("LEAK", "DAMAGES", "ROOF"),
    ]
    assert [(each.title, each.summary, each.members) for each in graph.communities] == [
        ("Water", "Of water.", ("PUMP", "LEAK")),
        ("Community 0", "", ("ROOF",)),
    ]
    assert notes == [
        "read as a graph of graphrag: title is the name, type the kind",
        '1 relation without words: "is related to", no cause',
        "left out, without an entity of its own: 1 community",
    ]
