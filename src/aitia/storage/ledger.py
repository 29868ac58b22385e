"""The ledger as one SQLite file, ``ledger.db`` beside ``index.db``: written once, never changed.

A rollback journal, not WAL: the ledger stays one file that can be copied, and can be read from a
folder without write permission or on a network drive, where WAL's shared memory does not work.
Each call opens its own connection and holds no lock after it returns, so that threads and processes
may share a ledger. What a call has committed is on the disk when it returns.

A reply is kept with what names its request, for a person with ``sqlite3``; the prompt's text is not
kept: it is the corpus over again, several megabytes a build, and follows from corpus and prompt files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from aitia.clients.protocols import LedgerTotals, LLMReply, LLMRequest
from aitia.clients.vectors import encodable
from aitia.corpus.document import content_hash
from aitia.errors import IndexFolderError

SCHEMA_VERSION = 2
"""1 held embeddings alone."""

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
    """
    CREATE TABLE IF NOT EXISTS replies (
        key TEXT NOT NULL,
        draw INTEGER NOT NULL,
        model TEXT NOT NULL,
        stage TEXT NOT NULL,
        prompt TEXT NOT NULL,
        prompt_hash TEXT NOT NULL,
        schema_hash TEXT NOT NULL,
        parameters TEXT NOT NULL,
        sample INTEGER NOT NULL,
        run INTEGER NOT NULL,
        text TEXT NOT NULL,
        finish TEXT NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        completion_tokens INTEGER NOT NULL,
        seconds REAL NOT NULL,
        attempts INTEGER NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (key, draw)
    )
    """,
    "CREATE TABLE IF NOT EXISTS retired (key TEXT NOT NULL, draw INTEGER NOT NULL, PRIMARY KEY (key, draw))",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_REPLY = "text, finish, prompt_tokens, completion_tokens, seconds, attempts, detail"

_COLUMNS = f"key, draw, model, stage, prompt, prompt_hash, schema_hash, parameters, sample, run, {_REPLY}"

_IN_FORCE = (
    "NOT EXISTS (SELECT 1 FROM retired AS old WHERE old.key = replies.key AND old.draw = replies.draw)"
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
        self._writing = Lock()
        with self._connection() as connection:
            if self._version(connection) < SCHEMA_VERSION:
                with self._transaction(connection):
                    # Another process may have migrated it, perhaps further, while this one waited.
                    if self._version(connection) < SCHEMA_VERSION:
                        for statement in _SCHEMA:
                            connection.execute(statement)

    def vectors(self, embedder_hash: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
        """The stored rows among those asked for, by text hash."""
        found: dict[str, bytes] = {}
        with self._connection() as connection:
            for part, marks in _parts(text_hashes):
                found.update(
                    connection.execute(
                        f"SELECT text, vector FROM embeddings WHERE embedder = ? AND text IN ({marks})",
                        (embedder_hash, *part),
                    )
                )
        return found

    def add_vectors(self, embedder_hash: str, rows: Mapping[str, bytes]) -> None:
        """Commit rows in one transaction; one that is already there is left as it was."""
        with self._connection() as connection, self._transaction(connection):
            connection.executemany(
                "INSERT INTO embeddings (embedder, text, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(embedder_hash, text, row) for text, row in rows.items()],
            )

    def count(self, embedder_hash: str) -> int:
        """How many rows are stored for an embedder."""
        with self._connection() as connection:
            query = "SELECT count(*) FROM embeddings WHERE embedder = ?"
            return int(connection.execute(query, (embedder_hash,)).fetchone()[0])

    def replies(self, keys: Sequence[str]) -> dict[str, LLMReply]:
        """The replies kept under the keys and not retired since, as they were committed."""
        found: dict[str, LLMReply] = {}
        with self._connection() as connection:
            for part, marks in _parts(keys):
                query = f"SELECT key, {_REPLY} FROM replies WHERE key IN ({marks}) AND {_IN_FORCE}"
                found.update({key: LLMReply(*row) for key, *row in connection.execute(query, part)})
        return found

    def add_reply(self, model: str, key: str, request: LLMRequest, reply: LLMReply) -> None:
        """Commit a complete reply; one that is already there and not retired is left as it was.

        A lone surrogate in a text becomes a question mark: no file can hold it.
        """
        with self._connection() as connection, self._transaction(connection):
            query = f"SELECT count(*), coalesce(sum({_IN_FORCE}), 0) FROM replies WHERE key = ?"
            draws, in_force = connection.execute(query, (key,)).fetchone()
            if not in_force:
                row = (key, draws, *_request_columns(model, request), *_reply_columns(reply))
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO replies ({_COLUMNS}) VALUES ({marks})", row)

    def retire(self, keys: Collection[str]) -> None:
        """Let the next `replies` miss these keys; their replies stay, and stay counted."""
        with self._connection() as connection, self._transaction(connection):
            connection.executemany(
                f"INSERT INTO retired SELECT key, draw FROM replies WHERE key = ? AND {_IN_FORCE}",
                [(key,) for key in sorted(keys)],
            )

    def totals(self) -> list[LedgerTotals]:
        """What all replies took, retired ones too, by model and stage in order of their names."""
        query = """
            SELECT model, stage, count(*), sum(prompt_tokens), sum(completion_tokens), total(seconds),
                sum(attempts)
            FROM replies GROUP BY model, stage ORDER BY model, stage
        """
        with self._connection() as connection:
            return [LedgerTotals(*row) for row in connection.execute(query)]

    def _version(self, connection: sqlite3.Connection) -> int:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise IndexFolderError(
                f"{self._path}: ledger version {version}, this Aitia knows {SCHEMA_VERSION}. Upgrade Aitia"
            )
        return int(version)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT_S, isolation_level=None)
            try:
                # EXTRA syncs the folder too: without it a power cut may bring a deleted journal back,
                # and with it undo a commit that was already relied on.
                connection.execute("PRAGMA synchronous = EXTRA")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise IndexFolderError(f"{self._path}: {_explain(error)}") from error

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        # SQLite's own wait is a poll that can pass one thread over until its time is up.
        with self._writing:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                connection.rollback()
                raise
            connection.execute("COMMIT")


def _parts(keys: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    for start in range(0, len(keys), _LOOKUP):
        part = keys[start : start + _LOOKUP]
        yield part, ", ".join("?" * len(part))


def _request_columns(model: str, request: LLMRequest) -> tuple[str | int, ...]:
    return (
        encodable(model),
        encodable(request.stage),
        encodable(request.prompt),
        content_hash(request.system, request.user),
        "" if request.schema is None else content_hash(request.schema),
        f"temperature={request.temperature} max_tokens={request.max_tokens}",
        request.sample,
        request.run,
    )


def _reply_columns(reply: LLMReply) -> tuple[str | int | float, ...]:
    return (
        encodable(reply.text),
        reply.finish,
        reply.prompt_tokens,
        reply.completion_tokens,
        reply.seconds,
        reply.attempts,
        encodable(reply.detail),
    )


def _explain(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"locked by another process for {_LOCK_TIMEOUT_S:.0f} seconds. Wait for it, or end it"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return (
            f"not a readable ledger ({error}). Move it away: the next build computes what it held once more"
        )
    return f"the ledger cannot be used ({error}). Check the folder, its permissions and free space"
