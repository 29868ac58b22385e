from __future__ import annotations

import csv
import dataclasses
import io
import json

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aitia.errors import UsageError
from aitia.testing.tiny_index import COLD, CONTROL, MITES
from aitia.workflows.export import export_csv, export_graphml, export_json
from aitia.workflows.export_formats import neutralise, original, zip_tables
from aitia.workflows.index import Index, open_index


@pytest.fixture(scope="module")
def index(tiny):
    return open_index(tiny)


def test_json_holds_everything_by_key(index):
    content = json.loads(export_json(index))
    assert [(each["path"], each["text"]) for each in content["documents"]] == [
        (f"cold{CONTROL}.md", COLD),
        ("mites.md", MITES),
    ]
    assert [(each["document"], each["start"], each["end"]) for each in content["chunks"]] == [
        (f"cold{CONTROL}.md", 0, 66),
        ("mites.md", 0, 70),
    ]
    assert [each["key"] for each in content["variables"]] == ["Level(cold)", "Level(mite)", "Mortality(bee)"]
    assert [each["name"] for each in content["dimensions"]] == ["subject"]
    assert content["templates"] == [
        {"source": "Level", "target": "Mortality", "mechanism": "more of it kills", "confidence": 0.7}
    ]
    edge = content["edges"][2]
    assert (edge["source"], edge["target"], edge["polarity"]) == ("Level(mite)", "Mortality(bee)", "positive")
    assert [(item["document"], item["quote"], item["found_by"]) for item in edge["evidence"]] == [
        ("mites.md", MITES[:34], "quote"),
        ("mites.md", MITES[35:], "mention"),
    ]


def test_json_says_nothing_of_settings(index, own, sql):
    sql("UPDATE facts SET value = '[]' WHERE name = 'effort'")
    text = (own / "aitia.toml").read_text("utf-8")
    (own / "aitia.toml").write_text(text.replace('analyst = "rules"', 'analyst = "other"'), "utf-8")
    assert export_json(open_index(own)) == export_json(index)


def test_graphml_reads_back_equal(index):
    graph = networkx.parse_graphml(export_graphml(index))
    expected = index.graph.to_networkx()
    assert set(graph.nodes) == set(expected.nodes)
    assert set(graph.edges) == set(expected.edges)
    for key, fields in expected.nodes(data=True):
        found = graph.nodes[key]
        assert (found["metric"], json.loads(found["entities"]), found["graph_role"]) == (
            fields["metric"],
            fields["entities"],
            fields["graph_role"],
        )
    for source, target, fields in expected.edges(data=True):
        found = graph.edges[source, target]
        assert found["mechanism"] == fields["mechanism"].replace("\x1b", "").replace("\x07", "")
        assert (found["confidence"], found["polarity"]) == (fields["confidence"], fields["polarity"])
        quotes = [item["quote"] for item in json.loads(found["evidence"]) if item["quote"]]
        assert quotes == fields["quotes"]


def test_csv_reads_back_equal_and_runs_nothing(index):
    tables = {
        name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in export_csv(index).items()
    }
    assert tables["edges.csv"][1] == {
        "source": "Level(cold)",
        "target": "Mortality(bee)",
        "polarity": "unclear",
        "confidence": "0.5",
        "evidence": "1",
        "mechanism": "'-weakens",
    }
    assert tables["metrics.csv"][1]["description"] == "'=1+1 is how a formula begins."
    cells = [cell for rows in tables.values() for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    assert [original(row["mechanism"]) for row in tables["edges.csv"]] == [
        edge.mechanism for edge in index.graph.edges
    ]
    quotes = [original(row["quote"]) for row in tables["evidence.csv"]]
    assert quotes == [item.quote for edge in index.graph.edges for item in edge.evidence]
    assert [row["variable"] for row in tables["variables.csv"]] == [
        each.key for each in index.graph.variables
    ]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM", "\tx", "\rx", "'=1", "''=1"])
def test_formulas_are_neutralised(cell):
    assert neutralise(cell) == f"'{cell}"


@given(st.text(st.sampled_from("'=+-@\t\rab"), max_size=6))
def test_neutralising_is_reversible(cell):
    safe = neutralise(cell)
    assert safe[:1] not in tuple("=+-@\t\r")
    assert original(safe) == cell


def test_zip_files_are_the_same_bytes(index):
    tables = export_csv(index)
    assert zip_tables(tables) == zip_tables(dict(reversed(tables.items())))


def test_without_a_graph(index, own, sql):
    for table in ("metrics", "evidence", "edges", "variables", "templates", "dimensions", "graph"):
        sql(f"DELETE FROM {table}")
    store = open_index(own).store
    settings = (own / "aitia.toml").read_text("utf-8").replace('method = "hcg"', 'method = "plain:hybrid"')
    (own / "aitia.toml").write_text(settings, "utf-8")
    plain = Index(own, store)
    content = json.loads(export_json(plain))
    assert content["edges"] == content["metrics"] == []
    assert len(content["chunks"]) == 2
    for export in (export_graphml, export_csv):
        with pytest.raises(
            UsageError,
            match="was built with plain:hybrid, which has no causal graph; see aitia export --format json, or build",
        ):
            export(plain)
    assert dataclasses.is_dataclass(plain)
