"""An index in one SQLite file, written whole to a new file whose rename is the commit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document, Section, Skipped
from aitia.errors import IndexFolderError
from aitia.graph.causal import CausalGraph
from aitia.graph.domain import DomainGraph
from aitia.spec import claims
from aitia.spec.model import Dimension
from aitia.storage.contents import Array, IndexContents
from aitia.storage.graph_rows import (
    read_dimensions,
    read_graph,
    read_machine,
    write_graph,
    write_machine,
)

SCHEMA_VERSION = 2
"""1 did not keep what the machine made apart from what is in force."""
PART_BYTES = 256 * 2**20
"""Arrays are stored in parts, because SQLite holds at most about 1 GB in a value."""


def write_sqlite(path: Path, contents: IndexContents) -> None:
    """Write an index to ``path``, which must not exist. The caller renames it into place.

    Nothing guards against a crash while writing: a file that was not finished is of no use, and the
    caller has the finished one written to the disk before it is renamed.
    """
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(files("aitia.storage").joinpath("schema.sql").read_text("utf-8"))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        _write_text(connection, contents)
        if contents.graph is not None:
            counts = (len(contents.graph.metrics), len(contents.graph.variables), len(contents.graph.edges))
            connection.execute("INSERT INTO graph VALUES (?, ?, ?)", counts)
            write_graph(connection, contents.dimensions, contents.graph)
            write_machine(connection, contents)
        for table, name, value in _json_rows(contents):
            connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (name, value))
        connection.executemany(
            "INSERT INTO rejected VALUES (?, ?, ?)",
            (
                (position, type(rejection.claim).__name__, rejection.model_dump_json())
                for position, rejection in enumerate(contents.rejected)
            ),
        )
        connection.executemany(
            "INSERT INTO verdicts VALUES (?, ?, ?)",
            ((each.source, each.target, each.model_dump_json()) for each in contents.verdicts),
        )
        connection.executemany(
            "INSERT INTO records VALUES (?, ?, ?)",
            (
                (kind, position, json.dumps(record, ensure_ascii=False))
                for kind, records in sorted(contents.records.items())
                for position, record in enumerate(records)
            ),
        )
        for name, array in sorted(contents.arrays.items()):
            connection.executemany("INSERT INTO arrays VALUES (?, ?, ?, ?, ?)", _parts(name, array))


def _json_rows(contents: IndexContents) -> Iterator[tuple[str, str | int, str]]:
    for name, value in sorted(contents.facts.items()):
        yield "facts", name, json.dumps(value, ensure_ascii=False, sort_keys=True)
    for position, dimension in enumerate(contents.dimensions if contents.graph is None else ()):
        yield "dimensions", position, dimension.model_dump_json()


def _write_text(connection: sqlite3.Connection, contents: IndexContents) -> None:
    documents = contents.corpus.documents
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
        (
            (row, each.id, each.path, each.name, each.text,
             json.dumps([[s.start, list(s.heading_path), s.page] for s in each.sections], ensure_ascii=False))
            for row, each in enumerate(documents)
        ),
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO skipped VALUES (?, ?)", ((each.path, each.reason) for each in contents.corpus.skipped)
    )
    row_of = {document.id: row for row, document in enumerate(documents)}
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (row, c.id, row_of[c.document_id], c.ordinal, c.start, c.end, c.page,
             json.dumps(c.heading_path, ensure_ascii=False), c.text)
            for row, c in enumerate(contents.chunks)
        ),
    )  # fmt: skip


def _parts(name: str, array: Array) -> Iterator[tuple[str, int, str, str, bytes]]:
    array = np.ascontiguousarray(array)
    rows = max(1, PART_BYTES // max(1, array[:1].nbytes))
    for part, first in enumerate(range(0, max(1, len(array)), rows)):
        piece = array[first : first + rows]
        yield name, part, array.dtype.str, json.dumps(piece.shape), piece.tobytes()


class SqliteStore:
    """Reads an index file; opened read-only, so any number of readers may work beside a build.

    Every method raises IndexFolderError for a file that is gone or damaged.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raises:
            IndexFolderError: no such file, not an index, damaged, or of another schema version.

        """
        self.path = path
        with self._reading() as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA_VERSION):
                raise IndexFolderError(
                    f"{path} has index schema {version}, this Aitia reads schema {SCHEMA_VERSION}; "
                    "build the index again with this version"
                )
            connection.execute("SELECT 1 FROM arrays LIMIT 1")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection; what cannot be read, or is read and makes no sense, is damage."""
        if not self.path.is_file():
            raise IndexFolderError(
                f"{self.path} does not exist; make an index with: aitia build CORPUS --index DIR"
            )
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                yield connection
        except (sqlite3.Error, ValueError, TypeError, LookupError) as error:
            reason = " ".join(str(error).split())[:200]
            raise IndexFolderError(
                f"{self.path} is damaged or no Aitia index ({reason}); build the index again, "
                "embeddings kept in ledger.db are not computed twice"
            ) from None

    def facts(self) -> dict[str, Any]:
        """The plain values by name."""
        with self._reading() as connection:
            rows = connection.execute("SELECT name, value FROM facts ORDER BY name")
            return {name: json.loads(value) for name, value in rows}

    def documents(self) -> list[Document]:
        """All documents, in path order."""
        with self._reading() as connection:
            return [
                Document(path, name, text, tuple(Section(a, tuple(b), c) for a, b, c in json.loads(sections)))
                for path, name, text, sections in connection.execute(
                    "SELECT path, name, text, sections FROM documents ORDER BY position"
                )
            ]

    def document_text(self, document_id: str) -> str:
        """The text of a document."""
        with self._reading() as connection:
            rows = connection.execute("SELECT text FROM documents WHERE id = ?", (document_id,)).fetchall()
            return str(rows[0][0])

    def document_names(self) -> dict[str, str]:
        """The name users know, by document id."""
        with self._reading() as connection:
            return dict(connection.execute("SELECT id, name FROM documents ORDER BY position"))

    def skipped(self) -> list[Skipped]:
        """What was found and not read."""
        with self._reading() as connection:
            rows = connection.execute("SELECT path, reason FROM skipped ORDER BY rowid")
            return [Skipped(*row) for row in rows]

    def chunks(self, rows: Sequence[int] | None = None) -> list[Chunk]:
        """Chunks by row, in the order asked for; all of them without ``rows``."""
        query = (
            'SELECT c.position, d.id, d.path, c.ordinal, c.start, c."end", c.text, c.heading_path, c.page '
            "FROM chunks c JOIN documents d ON d.position = c.document"
        )
        with self._reading() as connection:
            if rows is None:
                found = connection.execute(f"{query} ORDER BY c.position")
            else:
                wanted = json.dumps([int(row) for row in rows])
                found = connection.execute(
                    f"{query} WHERE c.position IN (SELECT value FROM json_each(?))", (wanted,)
                )
            by_row = {
                row: Chunk(doc, path, ordinal, start, end, text, tuple(json.loads(headings)), page)
                for row, doc, path, ordinal, start, end, text, headings, page in found
            }
            return list(by_row.values()) if rows is None else [by_row[int(row)] for row in rows]

    def array(self, name: str) -> Array:
        """One array, read-only."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT rowid, dtype, shape FROM arrays WHERE name = ? ORDER BY part", (name,)
            ).fetchall()
            if not rows:
                raise LookupError(f"no array {name}")
            parts = [_read_part(connection, *row) for row in rows]
            return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def arrays(self) -> Mapping[str, Array]:
        """All arrays, each read whenever it is asked for."""
        with self._reading() as connection:
            names = connection.execute("SELECT DISTINCT name FROM arrays ORDER BY name").fetchall()
        return _StoredArrays(self, tuple(name for (name,) in names))

    def dimensions(self) -> list[Dimension]:
        """The dimensions of the specification."""
        with self._reading() as connection:
            return list(read_dimensions(connection))

    def rejected(self) -> list[claims.Rejection]:
        """Claims that were not accepted."""
        kinds = {each.__name__: each for each in claims.Claim.__args__}
        result = []
        with self._reading() as connection:
            for kind, value in connection.execute("SELECT kind, value FROM rejected ORDER BY position"):
                fields = json.loads(value)
                claim = kinds[kind].model_validate(fields.pop("claim"))
                result.append(claims.Rejection.model_validate({**fields, "claim": claim}))
        return result

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, in their order."""
        with self._reading() as connection:
            rows = connection.execute("SELECT value FROM records WHERE kind = ? ORDER BY position", (kind,))
            return [json.loads(value) for (value,) in rows]

    def verdicts(self) -> list[claims.Verdict]:
        """What the judge said of the pairs it was asked about, by source and target."""
        with self._reading() as connection:
            rows = connection.execute("SELECT value FROM verdicts ORDER BY source, target")
            return [claims.Verdict.model_validate_json(value) for (value,) in rows]

    def graph(self) -> CausalGraph | None:
        """The causal graph, or None if the method has none."""
        with self._reading() as connection:
            if connection.execute("SELECT 1 FROM graph").fetchone() is None:
                return None
            return read_graph(connection)

    def machine(self) -> DomainGraph | None:
        """What the machine made of the corpus, before any decision; None if the method has no graph."""
        with self._reading() as connection:
            return read_machine(connection)


class _StoredArrays(Mapping[str, Array]):
    def __init__(self, store: SqliteStore, names: tuple[str, ...]) -> None:
        self._store = store
        self._names = names

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise KeyError(name)
        return self._store.array(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _read_part(connection: sqlite3.Connection, row: int, dtype: str, shape: str) -> Array:
    """A part of an array, whose bytes are read once and never copied."""
    with connection.blobopen("arrays", "data", row, readonly=True) as blob:
        return np.frombuffer(blob.read(), dtype).reshape(json.loads(shape))
