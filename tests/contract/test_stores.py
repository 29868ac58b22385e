"""Every store against the one contract."""

from __future__ import annotations

from itertools import count

import pytest

from aitia.storage import sqlite
from aitia.storage.sqlite import SqliteStore, write_sqlite
from aitia.testing.store_contract import StoreContract


@pytest.fixture
def keep(tmp_path):
    numbers = count()

    def keep(contents):
        path = tmp_path / f"{next(numbers)}.db"
        write_sqlite(path, contents)
        return SqliteStore(path)

    return keep


class TestSqlite(StoreContract):
    pass


class TestSqliteInParts(StoreContract):
    """Arrays cut into parts of one or two rows, as a large one is at 256 MB."""

    @pytest.fixture(autouse=True)
    def small_parts(self, monkeypatch):
        monkeypatch.setattr(sqlite, "PART_BYTES", 16)
