"""A report in processes of its own: the same records give the same bytes, whatever the seed of the hashes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from aitia.testing.tiny_bench import write_tiny_bench


@pytest.mark.slow
def test_the_same_records_give_the_same_bytes(tmp_path):
    pytest.importorskip("matplotlib")
    bench = write_tiny_bench(tmp_path / "bench")
    found = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, "-m", "aitia.cli.main", "report", bench, "--out", out, "--baseline", "hcg:S"],
            **{"env": {**os.environ, "PYTHONHASHSEED": seed}, "capture_output": True, "timeout": 120},
            check=True,
        )
        found.append({path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.*")})
    assert len(found[0]) == 4 + 3 * 7
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []
