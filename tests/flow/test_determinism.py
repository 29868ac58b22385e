"""Equal documents give equal bytes, whatever the order, the threads, or the cache."""

from __future__ import annotations

import shutil


def test_order_threads_and_cache_change_nothing(index, bees, run, tmp_path):
    files = sorted(bees.iterdir(), reverse=True)
    ran = run("build", *files, "--index", tmp_path / "cold", "--jobs", "1", "--json")
    assert ran.status == 0
    (tmp_path / "warm").mkdir()
    shutil.copy(index / "ledger.db", tmp_path / "warm")
    ran = run("build", *files[5:], *files[:5], "--index", tmp_path / "warm", "--quiet")
    assert (ran.status, ran.err) == (0, "")
    expected = run("export", "--index", index).out
    for name in ("cold", "warm"):
        built = tmp_path / name
        assert (built / "graph_spec.yaml").read_bytes() == (index / "graph_spec.yaml").read_bytes()
        assert (built / "outcomes.yaml").read_bytes() == (index / "outcomes.yaml").read_bytes()
        assert (built / "index.db").read_bytes() == (index / "index.db").read_bytes()
        assert run("export", "--index", built).out == expected


def test_a_second_build_computes_nothing_again(own, bees, run, digest):
    before = digest(own)
    ran = run("build", bees, "--index", own)
    assert ran.status == 0
    assert "embedding" not in ran.err
    assert digest(own) == before
