"""Every mistake is one line and an exit status; an index that was there stays as it was."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from pathlib import Path

import pytest

from aitia.testing.tiny_index import write_tiny_index

ONE = "Mites raise the mortality of bees. Cold weakens the colony.\n"


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with a document, an index, and much that is neither."""
    monkeypatch.chdir(tmp_path)
    for name in ("docs", "empty", "foreign", "other-db"):
        Path(name).mkdir()
    Path("docs/one.txt").write_text(ONE)
    Path("blank.txt").write_text(" \n\t\n")
    Path("image.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    Path("foreign/thesis.txt").write_text("mine")
    with sqlite3.connect("other-db/index.db") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    Path("outcomes.yaml").write_text("terminal:\n  - Mortality\noutcome: 7\n")
    Path("q.json").write_text('["Why?", "  "]')
    write_tiny_index(Path("index"))
    return tmp_path


BUILD = ("build", "docs", "--index")
TO_INDEX = ("--index", "index")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("build", "missing", *TO_INDEX), 1, "source 'missing' does not exist"),
        (("build", "empty", *TO_INDEX), 1, "nothing to read in empty: no file"),
        (("build", "blank.txt", *TO_INDEX), 1, "blank.txt: only white space"),
        (("build", "image.txt", *TO_INDEX), 1, "image.txt: binary"),
        ((*BUILD, "index", "--tier", "XXL"), 2, "unknown tier 'XXL'"),
        ((*BUILD, "index", "--method", "magic"), 2, "unknown method 'magic'"),
        ((*BUILD, "index", "--analyst", "oracle"), 2, "unknown analyst 'oracle'"),
        ((*BUILD, "index", "--splitter", "halves"), 2, "splitter 'halves' is unknown"),
        ((*BUILD, "index", "--splitter", "words:10/10"), 2, "splitter 'words:10/10' is unknown"),
        ((*BUILD, "index", "--embedder", "word2vec"), 2, "embedder 'word2vec' is unknown"),
        ((*BUILD, "index", "--embedder", "dir:empty"), 1, "model.onnx not found"),
        ((*BUILD, "index", "--embedder", "openai:text-embedding-3-small"), 1, "no API key given"),
        ((*BUILD, "index", "--jobs", "0"), 2, "0 jobs; expected at least 1"),
        ((*BUILD, "index", "--set", "speed=9"), 2, "unknown build setting 'speed'"),
        ((*BUILD, "index", "--set", "pairs_per_call=many"), 2, "setting pairs_per_call: found 'many'"),
        ((*BUILD, "index", "--set", "pairs_per_call=0"), 2, "setting pairs_per_call: found 0"),
        ((*BUILD, "index", "--set", "pairs_per_call"), 2, "for example: --set seed=1"),
        ((*BUILD, "index", "--outcomes", "missing.yaml"), 1, "missing.yaml: cannot be read"),
        ((*BUILD, "index", "--outcomes", "outcomes.yaml"), 1, "outcomes.yaml:3: found"),
        ((*BUILD, "blank.txt"), 1, "blank.txt is a file; expected a folder"),
        ((*BUILD, "foreign"), 1, "foreign holds other files ('thesis.txt') and no index"),
        ((*BUILD, "other-db"), 1, "is not Aitia's, and a build would replace it"),
        ((*BUILD, "/proc/aitia"), 1, "/proc/aitia cannot be made"),
        (("ask", "  \t ", *TO_INDEX), 2, "the question is empty"),
        (("ask", "?!", *TO_INDEX), 2, "the question has no words"),
        (
            ("ask", "why " * 25_000, *TO_INDEX),
            2,
            "the question has 99,999 characters; expected at most 20,000",
        ),
        (("ask", "Why?", "--index", "missing"), 1, "missing is no index folder"),
        (("ask", "Why?", "--index", "foreign"), 1, "foreign holds no index.db"),
        (("ask", "Why?", "--index", "other-db"), 1, "other-db/index.db is damaged or no Aitia index"),
        (("ask", "Why?", "--index", "blank.txt"), 1, "blank.txt is no index folder"),
        (("ask", "Why?", *TO_INDEX, "--budget-words", "0"), 2, "budget of 0 words; expected at least 1"),
        (("ask", "Why?", *TO_INDEX, "--retrieval", "magic"), 2, "retrieval 'magic' is not one of this index"),
        (("ask", "Why?", *TO_INDEX, "--documents", "nothing*"), 2, "no document fits 'nothing*'"),
        (
            ("ask", "Why?", *TO_INDEX, "--retrieval", "plain:rrf", "--set", "max_hops=1"),
            2,
            "plain:rrf has no settings",
        ),
        (("retrieve", *TO_INDEX), 2, "retrieve takes a question, or --questions FILE"),
        (("retrieve", "Why?", "--questions", "q.json", *TO_INDEX), 2, "give one of the two"),
        (("retrieve", "--questions", "q.json", *TO_INDEX), 2, "--questions and --out go together"),
        (
            ("retrieve", "--questions", "q.json", "--out", "r.jsonl", *TO_INDEX),
            1,
            "q.json: question 2 (id '2')",
        ),
        (
            ("retrieve", "--questions", "docs", "--out", "r.jsonl", *TO_INDEX),
            1,
            "docs cannot be read (Is a directory)",
        ),
        (("show", "stats", "--index", "foreign"), 1, "foreign holds no index.db"),
        (("check", "--index", "empty"), 1, "empty holds no index.db"),
        (("export", "--index", "empty"), 1, "empty holds no index.db"),
        (("demo", *TO_INDEX), 2, "index is an index of other documents"),
        (("demo", "--index", "foreign"), 1, "foreign holds other files"),
    ],
    ids=lambda value: " ".join(map(str, value))[:60] if isinstance(value, tuple) else "",
)
def test_one_line_and_nothing_changed(place, run, digest, arguments, status, message):
    before = digest(place)
    ran = run(*arguments, *(("--quiet",) if arguments[0] in ("build", "demo") else ()))
    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith("aitia: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert digest(place) == before


def test_a_damaged_index_is_named(place, run):
    data = Path("index/index.db").read_bytes()
    for length in (0, 1000, 4096, len(data) // 2):
        Path("index/index.db").write_bytes(data[:length])
        for arguments in (("ask", "Why?"), ("show", "stats"), ("check",), ("export",)):
            ran = run(*arguments, *TO_INDEX)
            assert (ran.status, ran.out) == (1, "")
            assert "build the index again" in ran.err
            assert ran.err.count("\n") == 1
    Path("index/index.db").write_bytes(data)
    for damage in ("method = [", "method = 'hcg'", ""):
        Path("index/aitia.toml").write_text(damage)
        ran = run("show", "stats", *TO_INDEX)
        assert (ran.status, ran.err.count("\n")) == (1, 1)
        assert "index/aitia.toml" in ran.err


def test_an_unknown_embedder_of_an_index_is_named(place, run):
    ran = run("retrieve", "Why do mites matter?", *TO_INDEX)
    assert (ran.status, ran.out) == (2, "")
    assert "embedder 'hash:64' is unknown" in ran.err


def test_an_embedder_that_changed_is_refused(own, run):
    text = (own / "aitia.toml").read_text("utf-8")
    hash_line = next(line for line in text.splitlines() if line.startswith("hash"))
    (own / "aitia.toml").write_text(text.replace(hash_line, 'hash = "0123456789abcdef"'))
    ran = run("ask", "Why?", "--index", own)
    assert ran.status == 1
    assert "was built with minilm of hash 0123456789abcdef, found " in ran.err


def test_a_broken_specification_is_not_overwritten(own, bees, run):
    path = own / "graph_spec.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("metrics:", "metrics: [", 1), "utf-8")
    ran = run("build", bees, "--index", own, "--quiet")
    assert ran.status == 1
    assert ran.err.startswith("aitia: graph_spec.yaml:")
    assert ran.err.count("\n") == 1


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything"
)
def test_places_without_permission(place, run):
    Path("index").chmod(0o555)
    assert run("show", "stats", *TO_INDEX).status == 0
    ran = run(*BUILD, "index")
    assert (ran.status, ran.err.count("\n")) == (1, 1)


def test_dirty_files_are_skipped_and_the_rest_is_built(place, run):
    folder = Path("docs")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "blank.md").write_text(" \n")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 10)
    (folder / "copy.txt").write_text(ONE)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    (folder / "evil\x1b[31m\nname.txt").write_text("Cold \x1b[31m kills weak colonies in winter.")
    (folder / "latin.txt").write_bytes(
        "Caf\xe9 au lait, th\xe9 et \xe9clairs d\xe9j\xe0 servis.".encode("latin-1")
    )
    ran = run("build", "docs", "--index", "new", "--method", "plain:hybrid", "--json")
    assert ran.status == 0
    assert ran.json["documents"] == 3
    skipped = {item["path"]: item["reason"] for item in ran.json["skipped"]}
    assert list(skipped) == ["binary.txt", "blank.md", "broken.pdf", "empty.txt", "one.txt"]
    assert skipped["one.txt"] == "duplicate of copy.txt"
    assert [note["path"] for note in ran.json["notes"]] == ["latin.txt"]
    assert run("check", "--index", "new").out == "nothing found\n"
    for arguments in (("ask", "What does cold kill?"), ("retrieve", "cold"), ("show", "stats"), ("export",)):
        out = run(*arguments, "--index", "new").out
        assert "\x1b" not in out
    assert "evil\\x1b[31m name.txt" in run("retrieve", "What does cold kill?", "--index", "new").out


def test_standard_input(place, run, monkeypatch):
    def piped(data, *arguments):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run("build", "-", "--index", *arguments)

    ran = piped("Der K\xf6nigin geht es gut.".encode("utf-16"), "new", "--method", "plain:bm25", "--json")
    assert (ran.status, ran.json["documents"], ran.json["method"]) == (0, 1, "plain:bm25")
    assert run("export", "--index", "new").json["documents"][0]["text"] == "Der K\xf6nigin geht es gut."
    ran = piped(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "newer")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "aitia: standard input is unreadable (binary, not text); expected text\n"
    ran = piped(b"", "newer")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert not Path("newer").exists()


def test_batches_are_written_whole_or_not_at_all(index, run, tmp_path):
    (tmp_path / "q.json").write_text(json.dumps(["Why do colonies swarm?"]))
    for out in ("/proc/r.jsonl", tmp_path / "none" / "r.jsonl", tmp_path):
        ran = run("retrieve", "--questions", tmp_path / "q.json", "--out", out, "--index", index, "--quiet")
        assert (ran.status, ran.out) == (1, "")
        assert f"aitia: {out} cannot be written (" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["q.json"]
