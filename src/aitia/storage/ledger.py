"""The ledger as one SQLite file, ``ledger.db`` beside ``index.db``: written once, never changed.

A rollback journal, not WAL: the ledger stays one file that can be copied, and can be read from a
folder without write permission or on a network drive, where WAL's shared memory does not work.
Each call opens its own connection and holds no lock after it returns, so that threads and processes
may share a ledger.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from aitia.errors import IndexFolderError

SCHEMA_VERSION = 1

# An ordinary rowid table: rows of 1.5 kB in a WITHOUT ROWID table would each take an overflow page.
_SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS embeddings (
        embedder TEXT NOT NULL,
        text TEXT NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (embedder, text)
    )
    """,
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_LOOKUP = 500  # below SQLite's historic limit of 999 parameters
_LOCK_TIMEOUT_S = 30.0


class SqliteLedger:
    """Implements ``aitia.clients.protocols.Ledger``; creates the file where there is none.

    Every method raises IndexFolderError for a file that is damaged, of a newer version, not
    writable, or locked for longer than 30 seconds.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._connection() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA_VERSION:
                raise IndexFolderError(
                    f"{path}: ledger version {version}, this Aitia knows {SCHEMA_VERSION}. Upgrade Aitia"
                )
            if version < SCHEMA_VERSION:
                with _transaction(connection):
                    for statement in _SCHEMA:
                        connection.execute(statement)

    def vectors(self, embedder_hash: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
        """The stored rows among those asked for, by text hash."""
        found: dict[str, bytes] = {}
        with self._connection() as connection:
            for start in range(0, len(text_hashes), _LOOKUP):
                part = text_hashes[start : start + _LOOKUP]
                marks = ", ".join("?" * len(part))
                found.update(
                    connection.execute(
                        f"SELECT text, vector FROM embeddings WHERE embedder = ? AND text IN ({marks})",
                        (embedder_hash, *part),
                    )
                )
        return found

    def add_vectors(self, embedder_hash: str, rows: Mapping[str, bytes]) -> None:
        """Commit rows in one transaction; one that is already there is left as it was."""
        with self._connection() as connection, _transaction(connection):
            connection.executemany(
                "INSERT INTO embeddings (embedder, text, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(embedder_hash, text, row) for text, row in rows.items()],
            )

    def count(self, embedder_hash: str) -> int:
        """How many rows are stored for an embedder."""
        with self._connection() as connection:
            query = "SELECT count(*) FROM embeddings WHERE embedder = ?"
            return int(connection.execute(query, (embedder_hash,)).fetchone()[0])

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT_S, isolation_level=None)
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise IndexFolderError(f"{self._path}: {_explain(error)}") from error


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.execute("COMMIT")


def _explain(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"locked by another process for {_LOCK_TIMEOUT_S:.0f} seconds. Wait for it, or end it"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return (
            f"not a readable ledger ({error}). Move it away: the next build computes what it held once more"
        )
    return f"the ledger cannot be used ({error}). Check the folder, its permissions and free space"
