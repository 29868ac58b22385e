from __future__ import annotations

import json

import pytest

from aitia.errors import UsageError
from aitia.workflows.graph_file import EntityRow, GraphFile, RelationRow
from aitia.workflows.import_graph import _documents, _read_cause, _statement, import_graph


def relation(words, description=""):
    return RelationRow(source="pump", target="leak", relation=words, description=description)


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("causes", (True, False)),
        ("leads to", (True, False)),
        ("does not cause", (False, True)),
        ("is caused by", (False, False)),
        ("depends on", (False, False)),
        ("contains", (False, False)),
    ],
)
def test_causes_by_the_words_of_a_relation(words, read):
    assert _read_cause(words) == read


def test_a_statement_names_both_ends():
    assert _statement(relation("DRIPS_INTO")) == "pump drips into leak."
    assert _statement(relation("drips", "It is old.")) == "pump drips leak. It is old."
    assert _statement(relation("drips", "The Pump has a leak.")) == "The Pump has a leak."


def test_documents_in_path_order_and_equal_texts_once():
    graph = GraphFile(
        entities=(EntityRow(name="pump", text="Pumps."), EntityRow(name="leak"), EntityRow(name="alone")),
        relations=(relation("drips"), relation("drips"), relation("feeds")),
    )
    texts = ["pump: Pumps.", "leak", "alone"]
    statements = [_statement(each) for each in graph.relations]
    assert [(each.path, each.text) for each in _documents(graph, texts, statements)] == [
        ("entities/alone", "alone"),
        ("entities/pump", "pump: Pumps."),
        ("relations/pump \u2192 leak", "pump drips leak."),
        ("relations/pump \u2192 leak (2)", "pump feeds leak."),
    ]


def test_options_of_documents_are_refused(tmp_path):
    (tmp_path / "g.json").write_text(json.dumps({"entities": [{"name": "a"}], "relations": []}))
    with pytest.raises(UsageError, match="tier is no option of an import"):
        import_graph(tmp_path / "g.json", tmp_path / "index", tier="S")
