from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from aitia.cli.main import main
from aitia.testing.tiny_index import write_tiny_index


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


@pytest.fixture
def run(capfd, monkeypatch):
    """Runs the command line in this process: ``run("show", "stats", ...)``."""
    for name in [
        name for name in os.environ if name.startswith(("AITIA_", "OPENAI_")) and name != "AITIA_DATA"
    ]:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path) -> Ran:
        status = main([str(argument) for argument in arguments])
        return Ran(status, *capfd.readouterr())

    return run


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    """An index of two documents; not to be changed."""
    return write_tiny_index(tmp_path_factory.mktemp("tiny") / "index")
