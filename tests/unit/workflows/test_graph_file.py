from __future__ import annotations

import json

import networkx
import pytest

from aitia.errors import CorpusError
from aitia.workflows.graph_file import EntityRow, RelationRow, read_graph

ONE = {"entities": [{"name": "a"}], "relations": []}
HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


@pytest.fixture
def read(tmp_path):
    def read(content, name="g.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return read_graph(path)

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
        ([], "holds one list; expected a JSON object"),
        ({"entities": []}, "relations: field required"),
        ({"entities": [], "relations": []}, "has no entity"),
        (
            ONE | {"entities": [{"name": " "}]},
            r"entities\[0\].name: found ''; string should have at least",
        ),
        (
            ONE | {"entities": [{"name": "a"}, {"name": "a"}]},
            r"entities\[0\] and \[1\] are both named 'a'; expected",
        ),
        (
            ONE | {"relations": [{"source": "a", "target": "b", "relation": "r"}]},
            r"relations\[0\].target: found 'b', which is no entity",
        ),
        (ONE | {"communities": [{"members": []}]}, r"communities\[0\].members: found \[\]"),
        (ONE | {"communities": [{"members": ["b"]}]}, r"communities\[0\].members: found 'b', which is no"),
        (ONE | {"communities": [{"members": ["a"]}] * 2}, r"'a' is in communities\[0\] and \[1\]; expected"),
        (b"<html></html>", "is XML of <html>; expected GraphML"),
        (b"<graphml>", "is no XML"),
        (
            f'{HEAD}<graph><node id="a"/><edge source="a" target="b"/></graph></graphml>'.encode(),
            "an edge has the target 'b', which is no node",
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
