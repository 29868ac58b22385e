from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest


def test_to_a_file_and_to_standard_output(run, tiny, tmp_path):
    for form in ("json", "graphml", "html"):
        out = tmp_path / f"index.{form}"
        assert run("export", "--index", tiny, "--format", form, "--out", out).status == 0
        assert run("export", "--index", tiny, "--format", form).out == out.read_text("utf-8")
    assert json.loads((tmp_path / "index.json").read_text("utf-8"))["aitia_export"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.graphml", "index.html", "index.json"]


def test_csv_is_a_folder_or_a_zip(run, tiny, tmp_path):
    folder, archive = tmp_path / "tables", tmp_path / "tables.zip"
    for _ in range(2):  # its own tables may be replaced
        assert run("export", "--index", tiny, "--format", "csv", "--out", folder).status == 0
    assert run("export", "--index", tiny, "--format", "csv", "--out", archive).status == 0
    names = ["edges.csv", "evidence.csv", "metrics.csv", "variables.csv"]
    assert sorted(path.name for path in folder.iterdir()) == names
    with zipfile.ZipFile(archive) as opened:
        assert opened.namelist() == names
        assert all(opened.read(name) == (folder / name).read_bytes() for name in names)


@pytest.mark.parametrize("name", ["index.json", "index.graphml", "index.html", "tables.zip", "csv"])
def test_the_folder_of_a_file_is_made(run, tiny, tmp_path, name):
    out = tmp_path / "new" / "er" / name
    form = "csv" if name in ("tables.zip", "csv") else out.suffix[1:]
    assert run("export", "--index", tiny, "--format", form, "--out", out).status == 0
    assert out.exists()
    (tmp_path / "file").write_text("mine")
    ran = run("export", "--index", tiny, "--format", form, "--out", tmp_path / "file" / name)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.endswith("choose another --out\n")


def test_csv_needs_a_place(run, tiny):
    ran = run("export", "--index", tiny, "--format", "csv")
    assert ran.status == 2
    assert "csv is several files" in ran.err


@pytest.mark.parametrize("form", ["json", "csv"])
def test_places_that_cannot_be_written(run, tiny, tmp_path, form):
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").write_text("mine")
    for out in (Path("/proc/aitia/out"), tmp_path / "foreign"):
        ran = run("export", "--index", tiny, "--format", form, "--out", out)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.endswith(
            "as --out\n" if out.name == "foreign" and form == "csv" else "choose another --out\n"
        )
    assert [path.name for path in (tmp_path / "foreign").iterdir()] == ["thesis.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["foreign"]


@pytest.mark.parametrize("out", [".", "/"])
def test_a_folder_is_no_file(run, tiny, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    ran = run("export", "--index", tiny, "--out", out)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"aitia: {out} cannot be written (")
    assert list(tmp_path.iterdir()) == []


def test_json_says_what_was_written(run, tiny, tmp_path):
    out = tmp_path / "graph.xml"
    ran = run("export", "--index", tiny, "--format", "graphml", "--out", out, "--json")
    assert json.loads(ran.out) == {"written": str(out), "format": "graphml", "bytes": out.stat().st_size}
    ran = run("export", "--index", tiny, "--format", "csv", "--out", tmp_path / "tables", "--json")
    size = sum(path.stat().st_size for path in (tmp_path / "tables").iterdir())
    assert json.loads(ran.out)["bytes"] == size
    assert json.loads(run("export", "--index", tiny, "--json").out)["aitia_export"] == 1
    ran = run("export", "--index", tiny, "--format", "graphml", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "expected --out" in ran.err
