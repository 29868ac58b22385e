from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from aitia.testing.tiny_index import write_tiny_index


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Path:
    """An index of two documents; not to be changed."""
    return write_tiny_index(tmp_path_factory.mktemp("tiny") / "index")


@pytest.fixture
def own(tiny, tmp_path) -> Path:
    """A copy of it that may be damaged."""
    return shutil.copytree(tiny, tmp_path / "index")


@pytest.fixture
def sql(own):
    """Runs a statement on the copy's database."""

    def run(statement: str, *values: object) -> None:
        with sqlite3.connect(own / "index.db") as connection:
            assert connection.execute(statement, values).rowcount, statement
        connection.close()

    return run
