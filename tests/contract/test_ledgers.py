"""Every ledger against the one contract."""

from __future__ import annotations

import pytest

from aitia.storage.ledger import SqliteLedger
from aitia.testing import LedgerContract, MemoryLedger


class TestMemory(LedgerContract):
    @pytest.fixture
    def open_ledger(self):
        ledger = MemoryLedger()
        return lambda: ledger


class TestSqlite(LedgerContract):
    @pytest.fixture
    def open_ledger(self, tmp_path):
        return lambda: SqliteLedger(tmp_path / "ledger.db")
