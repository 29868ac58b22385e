from __future__ import annotations

from pathlib import Path

import pytest

from aitia.evaluation.report.bench_folder import Bench, read_bench
from aitia.testing.tiny_bench import write_tiny_bench

HOSTILE = '=1+1 <script>alert("x")</script> | $\\alpha_1$ `&amp;` *a*--b ,, [x](y) \u202eשלום 100% #{}~^ é 日'


@pytest.fixture(scope="session")
def tiny_bench(tmp_path_factory) -> Path:
    """The bench folder of two runs; not to be changed."""
    return write_tiny_bench(tmp_path_factory.mktemp("bench") / "tiny")


@pytest.fixture(scope="session")
def bench(tiny_bench) -> Bench:
    return read_bench(tiny_bench)


@pytest.fixture(scope="session")
def hostile_bench(tmp_path_factory) -> Path:
    """The same, where a system that was run and one that failed have names that no format takes as they are."""
    folder = tmp_path_factory.mktemp("bench") / "hostile"
    return write_tiny_bench(folder, names={"plain:hybrid": HOSTILE, "peer:lightrag": f"@{HOSTILE}"})


@pytest.fixture
def hostile() -> str:
    return HOSTILE
