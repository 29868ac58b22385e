"""``aitia curate`` on the tiny index: what is printed, what is refused, and what is kept."""

from __future__ import annotations

import csv
import getpass
import io
import json
import shutil

import pytest

from aitia.cli import curate_edges
from aitia.spec.curation_file import read_decisions
from aitia.testing.tiny_index import COLD
from aitia.workflows.index import open_index

EDGE = "Level(cold) -> Mortality(bee)"
HEAD = "key,kind,why,risk,mechanism,quotes,decision,to,reason,author\n"


@pytest.fixture
def own(tiny, tmp_path):
    """A copy of the tiny index."""
    return shutil.copytree(tiny, tmp_path / "index")


def kept(folder):
    return read_decisions(folder / "curation.yaml")


def test_the_queue_says_why_and_what_to_type(run, tiny):
    ran = run("curate", "queue", "--index", tiny, "--limit", "1")
    assert ran.out == (
        f"1. {EDGE}\n"
        "   edge, risk 0.50: no verbatim evidence\n"
        "   says: -weakens (unclear, 0.5)\n"
        f'   "{COLD}"  cold\\x1b]0;title\\x07\n'
        f"   aitia curate accept '{EDGE}' --index {tiny}\n"
        f"   aitia curate reject '{EDGE}' --index {tiny}\n"
    )
    items = json.loads(run("curate", "queue", "--index", tiny, "--json").out)
    assert (items[0]["key"], items[0]["topic"], items[0]["value"]["polarity"]) == (EDGE, "edge", "unclear")
    ran = run("curate", "queue", "--index", tiny, "--topic", "gate")
    assert (ran.status, ran.out, ran.err) == (0, "", "Nothing of the kind gate is open.\n")


def test_a_group_without_a_command_prints_its_help(run):
    ran = run("curate")
    assert ran.status == 0
    assert all(name in ran.out for name in ("queue", "accept", "undo", "history", "export", "import"))


def test_a_decision_is_kept_with_who_and_why(run, own, monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "bob")
    ran = run("curate", "rename", "metric", "Level", "Amount", "--index", own, "--reason", "clearer")
    made = kept(own)[0]
    assert (made.author, made.reason, made.value) == ("bob", "clearer", {"to": "Amount"})
    assert ran.out == (
        f"{made.id} rename metric Level: Amount\n"
        "Will change: metrics 1 renamed; variables 2 renamed; edges 3 renamed\n"
    )
    assert ran.err == f"Kept in curation.yaml; aitia apply --index {own} puts it in force.\n"
    ran = run(
        "curate",
        "edit",
        "metric",
        "Amount",
        "description",
        "So much",
        "--index",
        own,
        "--author",
        "eva",
        "-q",
    )
    assert (ran.err, kept(own)[1].author) == ("", "eva")
    assert ran.out.endswith("Will change: metrics 1 changed; judged again: Amount\n")
    monkeypatch.setenv("AITIA_AUTHOR", "env")
    assert run("curate", "undo", made.id, "--index", own).status == 0
    assert kept(own)[2].author == "env"
    rows = json.loads(run("curate", "history", "--index", own, "--json").out)
    assert [(each["status"], each["pending"]) for each in rows] == [
        ("undone", True), ("applied", True), ("applied", True),
    ]  # fmt: skip
    assert rows[1]["detail"] == "Amount is now Level"


def test_who_has_no_name_has_none(run, own, monkeypatch):
    def nobody():
        raise OSError("no user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert run("curate", "accept", EDGE, "--index", own).status == 0
    assert kept(own)[0].author == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("accept", "Level(mit) -> Mortality(bee)"), "accept edge Level(mit) -> Mortality(bee): "),
        (("accept", EDGE, "Level"), "expected a key with -> in it"),
        (("rename", "metric", "Levels", "Amount"), "there is no metric 'Levels'; nearest: Level"),
        (
            ("rename", "metric", "Level", "Mortality"),
            "there is a metric 'Mortality' already; merge them instead",
        ),
        (("edit", "edge", EDGE, "colour", "red"), "expected one of mechanism, polarity"),
        (
            ("edit", "edge", EDGE, "confidence", "much"),
            "confidence: found 'much'; expected a number from 0 to 1",
        ),
        (("role", "Level", "boss"), "found the role 'boss'"),
        (
            ("add", "edge", "Level(bee) -> Level(mite)", "--category", "x"),
            "found --category; expected --mechanism",
        ),
        (("add", "metric", "Cost(planet)"), "there is no dimension 'planet'"),
        (("add", "metric", "Cost(planet"), "expected Name(dimension, dimension)"),
        (("undo", "12345678"), "found '12345678', which is no decision"),
        (("delete", "planet", "Mars"), "'planet' is not one of"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line_and_nothing_is_kept(run, own, arguments, message):
    ran = run("curate", *arguments, "--index", own)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err
    assert not kept(own)


def test_an_export_that_is_imported_says_nothing(run, own, tmp_path):
    out = tmp_path / "queue.csv"
    assert run("curate", "export", "--out", out, "--index", own).err == f"1 row written to {out}\n"
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8-sig"), newline="")))
    assert (rows[0]["key"], rows[0]["mechanism"], rows[0]["decision"]) == (EDGE, "'-weakens", "")
    ran = run("curate", "import", out, "--index", own)
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "queue.csv: no row has a decision; nothing is kept.\n"
    assert not kept(own)
    told = json.loads(run("curate", "export", "--out", out, "--index", own, "--json").out)
    assert told == {"written": str(out), "rows": 1, "bytes": out.stat().st_size}


def test_rows_are_decided_once(run, own, tmp_path):
    path = tmp_path / "queue.csv"
    rows = (
        f"{EDGE},edge,,,,,edit mechanism,'-harms,'=sure,eva\r\n"
        f'{EDGE},edge,,,,,Edit Confidence,"0,7",,\r\n'
        "Level,metric,,,,,rename,Amount,,\r\n"
        "Level(mite) -> Level(bee),edge,,,they crowd it,,add,,,\r\n"
    )
    path.write_bytes((HEAD + rows).encode("utf-8-sig"))
    ran = run("curate", "import", path, "--index", own, "--author", "ada")
    assert ran.status == 2  # there is no variable Level(bee) yet
    assert ran.err.startswith("aitia: queue.csv row 5: add edge Level(mite) -> Level(bee): ")
    assert not kept(own)
    path.write_bytes((HEAD + "Level(bee),variable,,,,,add,,,\r\n" + rows).encode("utf-8-sig"))
    assert run("curate", "import", path, "--index", own, "--author", "ada").status == 0
    made = kept(own)
    assert [(each.action, each.value.get("to"), each.reason, each.author) for each in made] == [
        ("add", None, "", "ada"),
        ("edit", "-harms", "=sure", "eva"),
        ("edit", 0.7, "", "ada"),
        ("rename", "Amount", "", "ada"),
        ("add", None, "", "ada"),
    ]
    assert made[4].value == {"mechanism": "they crowd it"}
    ran = run("curate", "import", path, "--index", own, "--author", "bob")
    assert (ran.status, ran.out, ran.err) == (0, "", "5 decisions were there already.\n")
    assert kept(own) == made


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (f"{EDGE},edge,,,,,acept,,,", "decision: found 'acept'; expected one of flip, edit"),
        (f"{EDGE},egde,,,,,accept,,,", "kind: found 'egde'; expected one of dimension"),
        (f"{EDGE},edge,,,,,accept,yes,,", "accept edge: found 'yes' beside it; expected nothing"),
        (f"{EDGE},edge,,,,,edit,#NAME?,,", "to: found #NAME?, a formula that failed; expected text"),
        ("Levels,metric,,,,,delete,,,", "delete metric Levels: there is no metric 'Levels'"),
        ("Mortality,metric,,,,,rename,Amount,,", "there is a metric 'Amount' already; merge them instead"),
        ("Mortality,metric,,,,,rename,,,", "found no word what it becomes; expected one"),
        (",metric,,,,,delete,,,", "delete metric: found no key; expected one"),
        ("Mortality,metric,rename,Amount", "found 4 cells; expected 10"),
        (
            "Level,metric,,,,,rename,Size,,",
            "found 'rename Size' of Level, and 'rename Amount' in row 2; expected one",
        ),
    ],
)
def test_one_bad_row_keeps_all_out(run, own, tmp_path, row, message):
    path = tmp_path / "queue.csv"
    path.write_text(f"{HEAD}Level,metric,,,,,rename,Amount,,\n\n{row}\n", "utf-8")
    ran = run("curate", "import", path, "--index", own)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("aitia: queue.csv row 4: ")
    assert message in ran.err
    assert not kept(own)


@pytest.mark.parametrize("other", ["reject", "delete"])
def test_rows_that_contradict_are_refused(run, own, tmp_path, other):
    path = tmp_path / "queue.csv"
    path.write_text(f"{HEAD}{EDGE},edge,,,,,accept,,,\n{EDGE},edge,,,,,{other},,,eva\n", "utf-8")
    ran = run("curate", "import", path, "--index", own)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"aitia: queue.csv row 3: found 'reject' of {EDGE}, and 'accept' in row 2; expected one of them\n"
    )
    assert not kept(own)
    path.write_text(f"{HEAD}{EDGE},edge,,,,,accept,,,\n{EDGE},edge,,,,,accept,,,\n", "utf-8")
    assert run("curate", "import", path, "--index", own).status == 0
    assert len(kept(own)) == 1


def test_a_sheet_that_is_not_there(run, own, tmp_path):
    ran = run("curate", "import", tmp_path / "none.csv", "--index", own)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.endswith("expected a CSV file\n")


def test_of_hug_a_key_that_is_not_open_needs_its_kind(run, own, monkeypatch):
    index = open_index(own)
    monkeypatch.setitem(index.settings, "method", "hug")
    monkeypatch.setattr(curate_edges, "opened", lambda folder: index)
    ran = run("curate", "reject", "a -> b", "--index", own)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "aitia: reject: 'a -> b' is not in the queue; expected --kind merge or --kind gate\n"
