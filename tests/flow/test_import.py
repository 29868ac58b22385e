"""``aitia import``: a graph that someone already has, with gates and search on top."""

from __future__ import annotations

import json
import re
from pathlib import Path

import networkx
import pytest

from aitia.testing.llm_server import LLMServer

STORAGE = ["Payment Database", "Connection Pool", "Index Rebuild"]
PAGES = ["Cart", "Checkout", "Order Button"]
GRAPH = {
    "entities": [{"name": name, "kind": "component"} for name in STORAGE]
    + [{"name": name, "description": f"The {name} is what a customer sees."} for name in PAGES],
    "relations": [
        {"source": "Index Rebuild", "target": "Payment Database", "relation": "SLOWS", "causal": True},
        {
            "source": "Payment Database",
            "target": "Connection Pool",
            "relation": "exhausts",
            "causal": True,
            "description": "Slow queries hold every connection.",
        },
        {"source": "Connection Pool", "target": "Checkout", "relation": "stalls", "causal": True},
        {"source": "Payment Database", "target": "Cart", "relation": "causes"},
        {"source": "Order Button", "target": "Checkout", "relation": "depends_on"},
        {"source": "Checkout", "target": "Cart", "relation": "reads"},
    ],
    "communities": [
        {"title": "Storage", "summary": "Where payments are kept.", "members": STORAGE},
        {"title": "Shop pages", "members": PAGES},
    ],
}
PAGE = Path(__file__).parents[2] / "docs" / "methods" / "hug.md"
WHY = "Why does the checkout stall?"
APART = ("--set", "gate_hops=0")
"""In so small a graph all modules are near."""


@pytest.fixture
def imported(run, tmp_path):
    file, index = tmp_path / "graph.json", tmp_path / "index"
    file.write_text(json.dumps(GRAPH))
    ran = run("import", file, "--index", index, *APART, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    return index


def test_entities_modules_and_gates_are_there(imported, run):
    def shown(what):
        return run("show", what, "--index", imported, "--json").json

    assert run("check", "--index", imported).out == "nothing found\n"
    assert [entity["name"] for entity in shown("entities")] == sorted(STORAGE + PAGES)
    assert ("Order Button", "depends on", "Checkout", False) in [
        (link["source"], link["relation"], link["target"], link["causal"]) for link in shown("links")
    ]
    modules = shown("modules")
    assert [module["title"] for module in modules] == ["Storage", "Shop pages"]
    assert modules[0]["summary"] == "Where payments are kept."
    assert modules[1]["summary"]
    (gate,) = shown("gates")
    assert (gate["source"], gate["target"]) == (modules[0]["key"], modules[1]["key"])
    assert (gate["confidence"], gate["reverse"], gate["accepted"]) == (0.75, 0.0, True)


def test_answers_quote_descriptions_and_name_chains(imported, run):
    answer = run("ask", WHY, "--index", imported, "--json").json
    assert "Connection Pool stalls Checkout." in answer["answer"]
    chains = {tuple(path["path"]) for path in answer["retrieval"]["trace"]["causal_paths"]}
    assert ("Index Rebuild", "Payment Database", "Connection Pool", "Checkout") in chains
    found = run("retrieve", WHY, "--index", imported, "--documents", "relations/*", "--json").json
    assert found["documents"]
    assert all("\u2192" in name for name in found["documents"])


def test_a_second_import_is_the_same_and_an_update_is_refused(imported, run, tmp_path):
    def exported():
        return run("export", "--index", imported).out

    before = exported()
    assert run("import", tmp_path / "graph.json", "--index", imported, *APART, "--quiet").status == 0
    assert exported() == before
    ran = run("update", tmp_path / "graph.json", "--index", imported)
    assert (ran.status, ran.err) == (
        2,
        f"aitia: {imported} was made from a graph, not from documents; run aitia import again\n",
    )


def test_graphml_without_communities_gets_modules(run, tmp_path):
    graph = networkx.DiGraph()
    for relation in GRAPH["relations"]:
        graph.add_edge(relation["source"], relation["target"], label=relation["relation"])
    networkx.write_graphml(graph, tmp_path / "g.graphml")
    index = tmp_path / "index"
    stats = run("import", tmp_path / "g.graphml", "--index", index, "--json", "--quiet").json
    assert (stats["entities"], stats["links"], stats["method"]) == (6, 6, "hug")
    assert stats["modules"] >= 1
    assert run("check", "--index", index).status == 0


def test_a_model_judges_gates_and_summarises_what_has_no_summary(run, tmp_path):
    (tmp_path / "graph.json").write_text(json.dumps(GRAPH))
    with LLMServer() as server:
        model = (
            "--analyst",
            "llm",
            "--model",
            "stand-in",
            "--base-url",
            server.base_url,
            "--quiet",
            "--json",
        )
        ran = run("import", tmp_path / "graph.json", "--index", tmp_path / "index", *APART, *model)
    assert (ran.status, ran.err) == (0, "")
    assert {stage: asked["calls"] for stage, asked in ran.json["llm_calls"].items()} == {
        "modules": 1,
        "gates": 1,
    }


def test_a_bad_file_leaves_nothing_behind(run, tmp_path):
    (tmp_path / "bad.json").write_text('{"entities": [{"name": "a"}], "relations": [{"source": "a"}]}')
    ran = run("import", tmp_path / "bad.json", "--index", tmp_path / "index")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.endswith(
        "bad.json: relations[0].target is missing; expected a text of 1 to 500 characters; see: aitia import --help\n"
    )
    assert not (tmp_path / "index").exists()


ODD = {
    "entities": [
        {"name": "Pump", "description": "It pumps."},
        {"name": "Leak"},
        {"name": "Lid", "text": "Odd."},
    ],
    "relations": [
        {"source": "Pump", "target": "Leak", "relation": "feeds"},
        {"source": "Pump", "target": "Leak", "relation": "is near", "description": "Both stand in the hall."},
        {"source": "Pump", "target": "Leak", "relation": "causes", "causal": False},
        {"source": "Pump", "target": "Lid", "relation": "causes", "confidence": 0.6},
        {"source": "Lid", "target": "Leak", "relation": "does not cause"},
        {"source": "Lid", "target": "Lid", "relation": "holds"},
    ],
    "communities": [{"title": "Storage", "summary": "All.", "members": ["Pump", "Leak"]}],
}


def test_relations_with_other_words_are_other_links_and_what_is_no_link_is_said(run, tmp_path):
    (tmp_path / "g.json").write_text(json.dumps(ODD))
    ran = run("import", tmp_path / "g.json", "--index", tmp_path / "index")
    assert "Note on g.json: 1 relation of an entity with itself: text, but no link" in ran.err
    links = run("show", "links", "--index", tmp_path / "index", "--json").json
    told = [
        (each["source"], each["relation"], each["target"], each["causal"], each["negated"]) for each in links
    ]
    assert told == [
        ("Lid", "does not cause", "Leak", False, True),
        ("Pump", "causes", "Leak", False, False),
        ("Pump", "feeds", "Leak", False, False),
        ("Pump", "is near", "Leak", False, False),
        ("Pump", "causes", "Lid", True, False),
    ]
    assert links[2]["quotes"][0][1] == "Pump feeds Leak."


@pytest.mark.parametrize("form", ["json", "graphml"])
def test_an_export_is_imported_as_what_it_was_made_from(form, run, tmp_path):
    def held(index):
        export = run("export", "--index", index, "--format", "json").json
        records = export["records"]
        modules = [(each["title"], each["summary"], each["entities"]) for each in records["modules"]]
        links = [{**link, "quotes": [text for _, text in link["quotes"]]} for link in records["links"]]
        kinds = [(each["name"], each["kind"]) for each in records["entities"]]
        return sorted(each["text"] for each in export["documents"]), kinds, links, modules

    (tmp_path / "g.json").write_text(json.dumps(ODD | {"relations": ODD["relations"][:-1]}))
    assert run("import", tmp_path / "g.json", "--index", tmp_path / "one", "--quiet").status == 0
    out = tmp_path / f"again.{form}"
    assert run("export", "--index", tmp_path / "one", "--format", form, "--out", out).status == 0
    ran = run("import", out, "--index", tmp_path / "two")
    assert ran.status == 0
    assert "an export of Aitia: its gates are not read but judged anew" in ran.err
    assert held(tmp_path / "two") == held(tmp_path / "one")


def test_the_example_of_the_page_answers_as_the_page_says(run, tmp_path):
    page = PAGE.read_text("utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    question, said = re.findall(r'`aitia ask "([^"]+)" --index my-index` answers "([^"]+)"', page)[0]
    (tmp_path / "graph.json").write_text(example)
    ran = run("import", tmp_path / "graph.json", "--index", tmp_path / "index")
    assert ran.status == 0
    assert "summar" not in ran.err
    answer = run("ask", question, "--index", tmp_path / "index", "--json").json
    assert answer["answer"] == f"{said} [1]"
    paths = [path["path"] for path in answer["retrieval"]["trace"]["causal_paths"]]
    assert ["Index Rebuild", "Database", "Connection Pool", "Checkout"] in paths
