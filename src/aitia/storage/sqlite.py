"""An index in one SQLite file, written whole to a new file whose rename is the commit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from aitia.corpus.chunk import Chunk
from aitia.corpus.document import Document, Section, Skipped
from aitia.errors import IndexFolderError
from aitia.graph.causal import CausalEdge, CausalGraph, EdgeEvidence, Template
from aitia.spec import claims
from aitia.spec.model import Dimension, Metric, Variable
from aitia.storage.contents import Array, IndexContents

SCHEMA_VERSION = 1
PART_BYTES = 256 * 2**20
"""Arrays are stored in parts, because SQLite holds at most about 1 GB in a value."""


def write_sqlite(path: Path, contents: IndexContents) -> None:
    """Write an index to ``path``, which must not exist. The caller renames it into place."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(files("aitia.storage").joinpath("schema.sql").read_text("utf-8"))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        _write_text(connection, contents)
        if contents.graph is not None:
            _write_graph(connection, contents.graph)
        for table, name, value in _json_rows(contents):
            connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (name, value))
        connection.executemany(
            "INSERT INTO rejected VALUES (?, ?, ?)",
            (
                (position, type(rejection.claim).__name__, rejection.model_dump_json())
                for position, rejection in enumerate(contents.rejected)
            ),
        )
        for name, array in sorted(contents.arrays.items()):
            connection.executemany("INSERT INTO arrays VALUES (?, ?, ?, ?, ?)", _parts(name, array))


def _json_rows(contents: IndexContents) -> Iterator[tuple[str, str | int, str]]:
    for name, value in sorted(contents.facts.items()):
        yield "facts", name, json.dumps(value, ensure_ascii=False, sort_keys=True)
    for position, dimension in enumerate(contents.dimensions):
        yield "dimensions", position, dimension.model_dump_json()
    for position, metric in enumerate(contents.graph.metrics if contents.graph else ()):
        yield "metrics", position, metric.model_dump_json()


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


def _write_graph(connection: sqlite3.Connection, graph: CausalGraph) -> None:
    connection.executemany(
        "INSERT INTO variables VALUES (?, ?, ?, ?)",
        (
            (row, each.key, each.metric, json.dumps(each.entities, ensure_ascii=False))
            for row, each in enumerate(graph.variables)
        ),
    )
    connection.executemany(
        "INSERT INTO templates VALUES (?, ?, ?, ?, ?)",
        (
            (row, each.source, each.target, each.mechanism, each.confidence)
            for row, each in enumerate(graph.templates)
        ),
    )
    connection.executemany(
        "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)",
        (
            (row, each.source, each.target, each.mechanism, each.confidence, each.polarity)
            for row, each in enumerate(graph.edges)
        ),
    )
    connection.executemany(
        "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?)",
        (
            (row, item.chunk, item.start, item.end, item.quote, item.found_by)
            for row, edge in enumerate(graph.edges)
            for item in edge.evidence
        ),
    )


def _parts(name: str, array: Array) -> Iterator[tuple[str, int, str, str, bytes]]:
    array = np.ascontiguousarray(array)
    rows = max(1, PART_BYTES // max(1, array[:1].nbytes))
    for part, first in enumerate(range(0, max(1, len(array)), rows)):
        piece = array[first : first + rows]
        yield name, part, array.dtype.str, json.dumps(piece.shape), piece.tobytes()


class SqliteStore:
    """Reads an index file; opened read-only, so any number of readers may work beside a build."""

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raises:
            IndexFolderError: no such file, not an index, damaged, or of another schema version.

        """
        self.path = path
        with self._reading() as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != SCHEMA_VERSION:
                raise IndexFolderError(
                    f"{path} has index schema {version}, this Aitia reads schema {SCHEMA_VERSION}; "
                    "build the index again with this version"
                )
            connection.execute("SELECT 1 FROM arrays LIMIT 1")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():
            raise IndexFolderError(
                f"{self.path} does not exist; make an index with: aitia build CORPUS --index DIR"
            )
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                yield connection
        except sqlite3.DatabaseError as error:
            raise IndexFolderError(
                f"{self.path} is damaged or no Aitia index ({error}); build the index again, "
                "embeddings kept in ledger.db are not computed twice"
            ) from None

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._reading() as connection:
            return connection.execute(query, values).fetchall()

    def facts(self) -> dict[str, Any]:
        """The plain values by name."""
        return {
            name: json.loads(value)
            for name, value in self._rows("SELECT name, value FROM facts ORDER BY name")
        }

    def documents(self) -> list[Document]:
        """All documents, in path order."""
        rows = self._rows("SELECT path, name, text, sections FROM documents ORDER BY position")
        return [
            Document(path, name, text, tuple(Section(a, tuple(b), c) for a, b, c in json.loads(sections)))
            for path, name, text, sections in rows
        ]

    def document_names(self) -> dict[str, str]:
        """The name users know, by document id."""
        return dict(self._rows("SELECT id, name FROM documents"))

    def skipped(self) -> list[Skipped]:
        """What was found and not read."""
        return [Skipped(*row) for row in self._rows("SELECT path, reason FROM skipped ORDER BY rowid")]

    def chunks(self, rows: Sequence[int] | None = None) -> list[Chunk]:
        """Chunks by row, in the order asked for; all of them without ``rows``."""
        query = (
            'SELECT c.position, d.id, d.path, c.ordinal, c.start, c."end", c.text, c.heading_path, c.page '
            "FROM chunks c JOIN documents d ON d.position = c.document"
        )
        if rows is None:
            found = self._rows(f"{query} ORDER BY c.position")
        else:
            wanted = json.dumps([int(row) for row in rows])
            found = self._rows(f"{query} WHERE c.position IN (SELECT value FROM json_each(?))", (wanted,))
        by_row = {
            row: Chunk(doc, path, ordinal, start, end, text, tuple(json.loads(headings)), page)
            for row, doc, path, ordinal, start, end, text, headings, page in found
        }
        return list(by_row.values()) if rows is None else [by_row[int(row)] for row in rows]

    def array(self, name: str) -> Array:
        """One array."""
        return self._arrays("WHERE name = ?", (name,))[name]

    def arrays(self) -> dict[str, Array]:
        """All arrays."""
        return self._arrays("", ())

    def _arrays(self, where: str, values: Sequence[str]) -> dict[str, Array]:
        rows = self._rows(f"SELECT name, dtype, shape, data FROM arrays {where} ORDER BY name, part", values)
        return {
            name: np.concatenate(
                [np.frombuffer(data, dtype).reshape(json.loads(shape)) for _, dtype, shape, data in parts]
            )
            for name, parts in groupby(rows, key=lambda row: row[0])
        }

    def dimensions(self) -> list[Dimension]:
        """The dimensions of the specification."""
        rows = self._rows("SELECT value FROM dimensions ORDER BY position")
        return [Dimension.model_validate_json(value) for (value,) in rows]

    def rejected(self) -> list[claims.Rejection]:
        """Claims that were not accepted."""
        kinds = {each.__name__: each for each in claims.Claim.__args__}
        result = []
        for kind, value in self._rows("SELECT kind, value FROM rejected ORDER BY position"):
            fields = json.loads(value)
            claim = kinds[kind].model_validate(fields.pop("claim"))
            result.append(claims.Rejection.model_validate({**fields, "claim": claim}))
        return result

    def graph(self) -> CausalGraph | None:
        """The causal graph, or None if the method has none."""
        metrics = self._rows("SELECT value FROM metrics ORDER BY position")
        if not metrics:
            return None
        variables = self._rows("SELECT metric, entities FROM variables ORDER BY position")
        templates = self._rows(
            "SELECT source, target, mechanism, confidence FROM templates ORDER BY position"
        )
        evidence: dict[int, list[EdgeEvidence]] = {}
        for edge, *item in self._rows(
            'SELECT edge, chunk, start, "end", quote, found_by FROM evidence ORDER BY rowid'
        ):
            evidence.setdefault(edge, []).append(EdgeEvidence(*item))
        edges = self._rows(
            "SELECT position, source, target, mechanism, confidence, polarity FROM edges ORDER BY position"
        )
        return CausalGraph(
            tuple(Metric.model_validate_json(value) for (value,) in metrics),
            tuple(Variable(metric=metric, entities=tuple(json.loads(names))) for metric, names in variables),
            tuple(Template(*row) for row in templates),
            tuple(CausalEdge(s, t, m, c, p, tuple(evidence.get(row, ()))) for row, s, t, m, c, p in edges),
        )
