"""Deciding by the command line and through a spreadsheet, on the example corpus."""

from __future__ import annotations

import csv
import io
import shutil

from aitia.spec.curation_file import read_decisions
from aitia.workflows.index import open_index


def edges_of(folder):
    graph = open_index(folder).graph
    keys = [variable.key for variable in graph.variables]
    return {f"{keys[edge.source]} -> {keys[edge.target]}": edge for edge in graph.edges}


def filled(text, decide):
    """The sheet, in semicolons, with what ``decide`` says of each row (a dict of cells)."""
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";"))
    for row in rows:
        row |= decide(row)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=";", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def holds(folder):
    edges = edges_of(folder)
    metrics = {metric.name for metric in open_index(folder).graph.metrics}
    assert "Amount" in metrics and "Level" not in metrics and "Yield" in metrics
    assert not any("(virus)" in key for key in edges)
    assert "Amount(deformed wing virus) -> Amount(mite)" in edges
    assert "Amount(mite) -> Amount(deformed wing virus)" not in edges
    added = edges["Dose(any) -> Amount(mite)"]
    assert (added.mechanism, added.confidence, added.polarity) == ("it kills them", 0.9, "negative")
    return edges


def test_what_is_decided_holds_through_apply_and_a_build_from_scratch(own, bees, run, tmp_path):
    shown = run("curate", "queue", "--index", own, "--limit", "2")
    assert shown.status == 0
    assert shown.out.count("aitia curate accept ") == 2
    listed = run("curate", "queue", "--index", own, "--json").json
    assert [item["risk"] for item in listed] == sorted((item["risk"] for item in listed), reverse=True)
    assert f"1. {listed[0]['key']}\n" in shown.out and listed[0]["quotes"][0]["document"] in shown.out

    index = ("--index", own)
    ran = run(
        "curate", "rename", "metric", "Level", "Amount", *index, "--author", "ada", "--reason", "as we say"
    )
    assert ran.status == 0
    assert ran.out.splitlines()[1].startswith("Will change: metrics 1 renamed; variables 5 renamed; edges ")
    assert ran.err == f"Kept in curation.yaml; aitia apply --index {own} puts it in force.\n"
    assert (
        run("curate", "merge", "entity", "subject/virus", "subject/deformed wing virus", *index).status == 0
    )
    flipped = run("curate", "flip", "Level(mite) -> Level(virus)", *index)
    assert flipped.out.endswith("Will change: edges 1 gone, 1 new\n")
    add = ("curate", "add", "edge", "Dose(any) -> Amount(mite)", "--mechanism", "it kills them")
    assert run(*add, "--confidence", "0,9", "--polarity", "negative", *index).status == 0
    gone = run("curate", "delete", "metric", "Yield", *index, "--json").json
    assert gone["changes"] == {"metrics": {"gone": 1}, "variables": {"gone": 1}, "edges": {"gone": 3}}
    undone = run("curate", "undo", gone["decisions"][0]["id"], *index)
    assert undone.out.endswith("Will change: metrics 1 new; variables 1 new; edges 3 new\n")
    first = read_decisions(own / "curation.yaml")[0]
    assert (first.author, first.reason) == ("ada", "as we say")
    assert run("curate", "history", *index).out.count(", waiting\t") == 6

    assert run("apply", *index).status == 0
    edges = holds(own)
    told = run("curate", "history", *index, "--json").json
    assert [each["status"] for each in told] == ["applied"] * 4 + ["undone", "applied"]
    assert not any(each["pending"] for each in told)

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    shutil.copy(own / "curation.yaml", fresh)
    assert run("build", bees, "--index", fresh, "--quiet").status == 0
    assert holds(fresh) == edges
    assert run("check", "--index", fresh).out == "nothing found\n"


def test_apply_at_once_and_a_claim_that_was_rejected(own, run):
    item = next(
        item for item in run("curate", "queue", "--index", own, "--topic", "rejected", "--json").json
        if item["why"] == ["rejected claim: not judged causal"]
    )  # fmt: skip
    ran = run("curate", "accept", item["key"], "--index", own, "--apply", "--quiet")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("Changed: edges 1 new\n")
    assert edges_of(own)[item["key"]].mechanism == item["value"]["mechanism"]
    ran = run("curate", "reject", item["key"], "--index", own, "--apply", "--json")
    assert (ran.status, ran.json["applied"]["changed"], ran.json["changes"]) == (
        0,
        True,
        {"edges": {"gone": 1}},
    )
    assert item["key"] not in edges_of(own)
    keys = [each["key"] for each in run("curate", "queue", "--index", own, "--json").json]
    assert item["key"] not in keys


def test_a_sheet_goes_out_and_comes_back_once(own, run, tmp_path):
    out, back = tmp_path / "queue.csv", tmp_path / "back.csv"
    assert run("curate", "export", "--out", out, "--separator", "semicolon", "--index", own).status == 0
    text = out.read_bytes().decode("utf-8")

    def decide(row):
        if "terminal" in row["why"]:
            return {}
        if "not judged" in row["why"]:
            return {"decision": "Accept", "reason": "'=true"}
        doubt = (
            {"decision": "edit confidence", "to": "0,8"} if "comb" in row["key"] else {"decision": "reject"}
        )
        return {**doubt, "author": "eva"}

    back.write_bytes(filled(text, decide).encode("utf-8"))
    ran = run("curate", "import", back, "--index", own, "--author", "ada")
    assert ran.status == 0
    made = read_decisions(own / "curation.yaml")
    assert {(each.action, each.author) for each in made} == {
        ("add", "ada"),
        ("edit", "eva"),
        ("reject", "eva"),
    }
    assert {each.reason for each in made if each.action == "add"} == {"=true"}
    assert {each.value["to"] for each in made if each.action == "edit"} == {0.8}

    def import_again():
        before = (own / "curation.yaml").read_bytes()
        again = run("curate", "import", back, "--index", own, "--author", "bob", "--json").json
        assert (again["decisions"], again["known"]) == ([], len(made))
        assert (own / "curation.yaml").read_bytes() == before

    import_again()
    assert run("apply", "--index", own).status == 0
    import_again()
    assert run("curate", "undo", made[0].id, "--index", own).status == 0
    import_again()


def test_what_a_terminal_metric_would_bring_about_is_queued_with_the_role_that_it_needs(own, run, tmp_path):
    index = ("--index", own)
    items = run("curate", "queue", *index, "--topic", "rejected", "--json").json
    item = next(each for each in items if each["needs"])
    assert item["why"] == ["rejected claim: terminal source"]
    assert item["key"].startswith(f"{item['needs']}(")
    shown = run("curate", "queue", *index, "--topic", "rejected", "--limit", "0").out
    first = f"aitia curate role {item['needs']} intermediate"
    assert (
        f"   first: {first} --index {own}\n   aitia curate accept '{item['key']}' --index {own}\n"
        f"   aitia curate reject '{item['key']}' --index {own}\n"
    ) in shown
    assert run("curate", "export", "--out", tmp_path / "queue.csv", *index).status == 0
    assert f"first: role of {item['needs']} to intermediate" in (tmp_path / "queue.csv").read_text("utf-8")
    ran = run("curate", "accept", item["key"], *index)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"aitia: accept {item['key']}: {item['needs']} is terminal and has no effects; first: {first}\n"
    )
    ran = run("curate", "add", "edge", item["key"], *index)
    assert ran.err.startswith(
        f"aitia: add edge {item['key']}: {item['needs']} is terminal and has no effects;"
    )
    assert run(*first.split()[1:], *index).status == 0
    assert run("curate", "accept", item["key"], *index).status == 0
    assert run("apply", *index).status == 0
    assert item["key"] in edges_of(own)
