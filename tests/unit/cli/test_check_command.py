from __future__ import annotations

import json
import shutil


def test_a_whole_index(run, tiny):
    ran = run("check", "--index", tiny)
    assert (ran.status, ran.out, ran.err) == (0, "nothing found\n", "")
    assert json.loads(run("check", "--index", tiny, "--json").out) == {
        "index": str(tiny),
        "findings": [],
        "notes": [],
    }


def test_findings_are_lines_and_a_status(run, tiny, tmp_path):
    index = shutil.copytree(tiny, tmp_path / "index")
    with (index / "graph_spec.yaml").open("a") as file:
        file.write("# a remark\n")
    ran = run("check", "--index", index)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out == "graph_spec.yaml: edited since the build (comments or order only)\n"
    assert json.loads(run("check", "--index", index, "--json").out)["findings"] == [ran.out.strip()]


def test_an_index_that_cannot_be_opened(run, tmp_path):
    ran = run("check", "--index", tmp_path)
    assert (ran.status, ran.out) == (1, "")
    assert "holds no index.db" in ran.err
