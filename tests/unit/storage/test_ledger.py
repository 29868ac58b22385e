from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.corpus.document import content_hash
from aitia.errors import IndexFolderError
from aitia.storage import ledger as module
from aitia.storage.ledger import SqliteLedger

WRITE = """
import sys
from pathlib import Path
from aitia.clients.protocols import LLMReply, LLMRequest
from aitia.storage.ledger import SqliteLedger
ledger = SqliteLedger(Path(sys.argv[1]))
for i in range(int(sys.argv[2]), int(sys.argv[2]) + 20):
    ledger.add_vectors("model", {f"{i}": b"row", "shared": b"row"})
    request = LLMRequest("claims", "claims", "system", f"{i}")
    ledger.add_reply("m", f"{i}", request, LLMReply(f"of {i}"))
    ledger.add_reply("m", f"shared {i % 20}", request, LLMReply("of both"))
"""

VERSION_1 = """
CREATE TABLE embeddings (
    embedder TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
);
INSERT INTO embeddings VALUES ('model', 'a', x'0102');
PRAGMA user_version = 1;
"""
ASKED = LLMRequest("claims", "claims", "system", "user")


def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "ledger.db"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(path), first]) for first in ("0", "20")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    keys = [*(f"{i}" for i in range(40)), "shared"]
    ledger = SqliteLedger(path)
    assert ledger.vectors("model", keys) == dict.fromkeys(keys, b"row")
    assert ledger.replies(keys) == {f"{i}": LLMReply(f"of {i}") for i in range(40)}
    assert len(ledger.replies([f"shared {i}" for i in range(20)])) == 20
    assert [total.calls for total in ledger.totals()] == [60]  # whoever was second added nothing


def test_version_1_gains_replies_and_keeps_its_embeddings(tmp_path):
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1)
    ledger = SqliteLedger(path)
    assert ledger.vectors("model", ["a"]) == {"a": b"\x01\x02"}
    assert (ledger.replies(["a"]), ledger.totals()) == ({}, [])
    ledger.add_reply("m", "a", ASKED, LLMReply("text"))
    assert SqliteLedger(path).replies(["a"]) == {"a": LLMReply("text")}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_version_1_is_migrated_by_many_at_once(tmp_path):
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1)
    with ThreadPoolExecutor(8) as pool:
        ledgers = list(pool.map(lambda _: SqliteLedger(path), range(8)))
    assert [ledger.vectors("model", ["a"]) for ledger in ledgers] == [{"a": b"\x01\x02"}] * 8


def test_a_person_can_query_what_was_asked(tmp_path):
    path = tmp_path / "ledger.db"
    request = LLMRequest("claims", "judge", "sys", "user", '{"type": "object"}', 100, 0.5, sample=2, run=3)
    ledger = SqliteLedger(path)
    ledger.add_reply("m", "a", request, LLMReply("text"))
    ledger.retire(["a"])
    ledger.add_reply("m", "a", ASKED, LLMReply("text"))
    query = """
        SELECT draw, model, stage, prompt, prompt_hash, schema_hash, parameters, sample, run
        FROM replies ORDER BY draw
    """
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(query).fetchall() == [
            (
                *(0, "m", "claims", "judge", content_hash("sys", "user"), content_hash('{"type": "object"}')),
                *("temperature=0.5 max_tokens=100", 2, 3),
            ),
            (
                *(1, "m", "claims", "claims", content_hash("system", "user"), ""),
                *("temperature=0.0 max_tokens=8192", 0, 0),
            ),
        ]
        assert connection.execute("SELECT key, draw FROM retired").fetchall() == [("a", 0)]


def test_commits_are_synced(tmp_path):
    with SqliteLedger(tmp_path / "ledger.db")._connection() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (3,)  # EXTRA
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


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
        with pytest.raises(IndexFolderError, match="locked by another process"):
            ledger.add_reply("m", "a", ASKED, LLMReply("text"))


def test_a_reader_is_not_stopped_by_a_writer_that_has_not_committed(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    ledger.add_vectors("model", {"a": b"row"})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO embeddings VALUES ('model', 'b', x'00')")
        assert ledger.vectors("model", ["a", "b"]) == {"a": b"row"}
        other.execute("ROLLBACK")
