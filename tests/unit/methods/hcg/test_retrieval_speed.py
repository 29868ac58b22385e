"""The benchmark of the walk runs, on graphs small enough for a test."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from aitia.testing.random_graphs import Size

PATH = Path(__file__).parents[4] / "benchmarks" / "retrieval_speed.py"


@pytest.fixture
def speed(monkeypatch):
    spec = importlib.util.spec_from_file_location("retrieval_speed", PATH)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "retrieval_speed", module)
    spec.loader.exec_module(module)
    sizes = {name: Size(variables=60, edges=400, metrics=8, chunks=20) for name in module.SIZES}
    monkeypatch.setattr(module, "SIZES", sizes)
    return module


def test_figures_of_every_size(speed, capsys):
    speed.main(["--queries", "4", "--no-open", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["size"] for row in rows] == ["paper", "large"]
    assert [row["target_ms"] for row in rows] == [2.0, 50.0]
    for row in rows:
        assert row["total_ms"] >= row["total_best_ms"] > 0
        assert row["ratio"] == pytest.approx(row["total_ms"] / row["bound_ms"], abs=0.02)
        assert row["matched"] > 5  # of at most 15
        assert 0.5 < row["share_reached"] <= 1


def test_opening_is_timed_in_a_process_of_its_own(speed, tmp_path, capsys, monkeypatch):
    kept = []

    def run(command, **options):
        kept.append(Path(command[-1]).read_bytes())
        return speed.subprocess.CompletedProcess(command, 0, b"0.25\n")

    monkeypatch.setattr(speed.subprocess, "run", run)
    speed.main(["--size", "paper", "--queries", "2"])
    assert "open     0.25 s, target 2.0 s" in capsys.readouterr().out
    (tmp_path / "index.db").write_bytes(kept[0])
    speed.main(["--open", str(tmp_path / "index.db")])
    assert float(capsys.readouterr().out) > 0
