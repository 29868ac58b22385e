"""Whether a database file is whole: what can be said of it before any of its content is trusted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from aitia.corpus.document import content_hash
from aitia.spec.keys import format_key

MOST = 5
"""Findings of SQLite about one file; the first say all there is to do."""


def find_damage(path: Path) -> list[str]:
    """What SQLite finds wrong with a file: damaged pages, and rows that point to rows that are not there."""
    try:
        with closing(_open(path)) as connection:
            damaged = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({MOST})")]
            if damaged != ["ok"]:
                return [f"{path.name}: {' '.join(line.split())}" for line in damaged]
            orphans = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST)
    except sqlite3.DatabaseError as error:
        return [f"{path.name}: {error}"]
    return [
        f"{path.name}: row {row} of {table} points to no row of {parent}" for table, row, parent, _ in orphans
    ]


def find_contradictions(path: Path) -> Iterator[str]:
    """Ids and keys that are not those of the content, and counts that are not those of the rows."""
    with closing(_open(path)) as connection:
        for name, stored, text in connection.execute(
            "SELECT path, id, text FROM documents ORDER BY position"
        ):
            if stored != content_hash(text):
                yield f"document {name}: its id {stored} is not the hash of its text"
        query = (
            'SELECT c.id, d.id, c.start, c."end" FROM chunks c '
            "JOIN documents d ON d.position = c.document ORDER BY c.position"
        )
        for stored, document, start, end in connection.execute(query):
            if stored != content_hash(document, str(start), str(end)):
                yield f"chunk {stored}: its id is not the hash of its document and span"
        for key, metric, entities in connection.execute("SELECT key, metric, entities FROM variables"):
            if key != format_key(metric, json.loads(entities)):
                yield f"variable {key}: its key is not that of its metric and entities"
        recorded = connection.execute("SELECT metrics, variables, edges FROM graph").fetchone() or ()
        for table, expected in zip(("metrics", "variables", "edges"), recorded, strict=False):
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            if count != expected:
                yield f"{table}: {count} rows, expected {expected}"


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
