from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from aitia.errors import IndexFolderError
from aitia.storage import ledger as module
from aitia.storage.ledger import SqliteLedger

WRITE = """
import sys
from pathlib import Path
from aitia.storage.ledger import SqliteLedger
ledger = SqliteLedger(Path(sys.argv[1]))
for i in range(int(sys.argv[2]), int(sys.argv[2]) + 20):
    ledger.add_vectors("model", {f"{i}": b"row", "shared": b"row"})
"""


def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "ledger.db"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(path), first]) for first in ("0", "20")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    keys = [*(f"{i}" for i in range(40)), "shared"]
    assert SqliteLedger(path).vectors("model", keys) == dict.fromkeys(keys, b"row")


def test_it_is_one_file(tmp_path):
    SqliteLedger(tmp_path / "ledger.db").add_vectors("model", {"a": b"row"})
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.db"]


def test_a_transaction_that_fails_leaves_nothing(tmp_path):
    ledger = SqliteLedger(tmp_path / "ledger.db")
    with pytest.raises(IndexFolderError):
        ledger.add_vectors("model", {"a": b"row", "b": None})
    assert ledger.vectors("model", ["a", "b"]) == {}


def test_a_file_that_is_no_ledger_is_one_line(tmp_path):
    path = tmp_path / "ledger.db"
    path.write_text("not a database, and long enough to be read as a header" * 20)
    with pytest.raises(IndexFolderError, match="not a readable ledger") as caught:
        SqliteLedger(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_page_is_one_line(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    ledger.add_vectors("model", {f"{i}": bytes(1500) for i in range(200)})
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(IndexFolderError, match="not a readable ledger") as caught:
        ledger.vectors("model", [f"{i}" for i in range(200)])
    assert "\n" not in str(caught.value)


def test_a_ledger_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "ledger.db"
    SqliteLedger(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    with pytest.raises(IndexFolderError, match=r"ledger version 3, this Aitia knows 2\. Upgrade Aitia"):
        SqliteLedger(path)


def test_a_missing_folder_is_one_line(tmp_path):
    with pytest.raises(IndexFolderError, match="the ledger cannot be used") as caught:
        SqliteLedger(tmp_path / "missing" / "ledger.db")
    assert "\n" not in str(caught.value)


def test_a_lock_that_is_not_given_up_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_LOCK_TIMEOUT_S", 0.01)
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(IndexFolderError, match="locked by another process"):
            ledger.add_vectors("model", {"a": b"row"})


def test_a_reader_is_not_stopped_by_a_writer_that_has_not_committed(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    ledger.add_vectors("model", {"a": b"row"})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO embeddings VALUES ('model', 'b', x'00')")
        assert ledger.vectors("model", ["a", "b"]) == {"a": b"row"}
        other.execute("ROLLBACK")
