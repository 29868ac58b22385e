from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from aitia.corpus.document import Corpus
from aitia.errors import IndexFolderError
from aitia.storage import sqlite
from aitia.storage.contents import IndexContents
from aitia.storage.sqlite import SCHEMA_VERSION, SqliteStore, write_sqlite
from aitia.testing import store_contract

READS = (
    "facts",
    "documents",
    "skipped",
    "chunks",
    "document_names",
    "arrays",
    "dimensions",
    "graph",
    "rejected",
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "index.db"
    write_sqlite(path, store_contract.contents())
    return path


def one_line(caught):
    message = str(caught.value)
    assert "\n" not in message
    assert str(caught.value.args[0]) == message
    return message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(IndexFolderError, match="does not exist; make an index") as caught:
        SqliteStore(tmp_path / "index.db")
    assert str(tmp_path / "index.db") in one_line(caught)


def test_a_file_that_goes_away_is_named(path):
    store = SqliteStore(path)
    path.unlink()
    with pytest.raises(IndexFolderError, match="does not exist") as caught:
        store.facts()
    one_line(caught)


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to be read as one" * 20])
def test_a_foreign_file(tmp_path, content):
    path = tmp_path / "index.db"
    path.write_bytes(content)
    with pytest.raises(IndexFolderError, match="damaged or no Aitia index") as caught:
        SqliteStore(path)
    assert "build the index again" in one_line(caught)


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION])
def test_a_foreign_database(tmp_path, version):
    path = tmp_path / "index.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE facts (value)")
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(
        IndexFolderError, match=r"damaged or no Aitia index \(no such table: arrays\)"
    ) as caught:
        SqliteStore(path)
    one_line(caught)


def test_an_index_of_another_version(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(
        IndexFolderError, match=f"schema 99, this Aitia reads schema {SCHEMA_VERSION}"
    ) as caught:
        SqliteStore(path)
    assert "build the index again" in one_line(caught)


def test_an_array_that_is_not_there(path):
    store = SqliteStore(path)
    with pytest.raises(IndexFolderError, match="no array variable_vectors") as caught:
        store.array("variable_vectors")
    one_line(caught)
    with pytest.raises(KeyError):
        store.arrays()["variable_vectors"]


@pytest.mark.parametrize("row", [3, -1])
def test_a_chunk_that_is_not_there(path, row):
    with pytest.raises(IndexFolderError, match="damaged"):
        SqliteStore(path).chunks([0, row])


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("UPDATE facts SET value = '{'", "facts"),
        ("UPDATE documents SET sections = '[1]'", "documents"),
        ("UPDATE chunks SET heading_path = ''", "chunks"),
        ("UPDATE dimensions SET value = '{}'", "dimensions"),
        ("UPDATE metrics SET value = '[]'", "graph"),
        ("UPDATE variables SET entities = '[1]'", "graph"),
        ("UPDATE rejected SET kind = 'Guess'", "rejected"),
        ('UPDATE rejected SET value = \'{"reason": "empty"}\'', "rejected"),
        ("DROP TABLE edges", "graph"),
    ],
)
def test_a_row_that_makes_no_sense_is_damage(path, statement, read):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    with pytest.raises(IndexFolderError, match="damaged or no Aitia index") as caught:
        getattr(SqliteStore(path), read)()
    one_line(caught)


@pytest.mark.parametrize(
    "column", ["dtype = 'nonsense'", "dtype = '<f3'", "shape = '[5, 5]'", "shape = '\"x\"'"]
)
def test_an_array_that_makes_no_sense_is_damage(path, column):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE arrays SET {column}")
    with pytest.raises(IndexFolderError, match="damaged or no Aitia index") as caught:
        SqliteStore(path).array("float32")
    one_line(caught)


def read_all(path):
    """What each method reads, or IndexFolderError if it refuses; all of them if the file is not opened."""
    try:
        store = SqliteStore(path)
    except IndexFolderError as error:
        assert "\n" not in str(error)
        return dict.fromkeys(READS, IndexFolderError)
    found = {}
    for name in READS:
        try:
            found[name] = getattr(store, name)()
            if name == "arrays":
                found[name] = {key: (value.dtype, value.tolist()) for key, value in found[name].items()}
        except IndexFolderError as error:
            assert "\n" not in str(error)
            found[name] = IndexFolderError
    return found


def test_a_file_cut_off_is_refused_or_read_as_it_was(path):
    whole, expected = path.read_bytes(), read_all(path)
    assert IndexFolderError not in expected.values()
    refusals = 0
    for length in range(0, len(whole), 1_999):
        path.write_bytes(whole[:length])
        found = read_all(path)
        refused = [name for name in READS if found[name] is IndexFolderError]
        refusals += len(refused)
        assert [name for name in READS if name not in refused and found[name] != expected[name]] == []
    assert refusals > 100


def test_a_file_written_over_anywhere_raises_nothing_else(path):
    whole = path.read_bytes()
    chance = random.Random(0)
    for _ in range(40):
        place = chance.randrange(len(whole))
        path.write_bytes(whole[:place] + chance.randbytes(200) + whole[place + 200 :])
        read_all(path)


def test_reading_changes_and_adds_no_file(path):
    path.chmod(0o444)
    path.parent.chmod(0o555)
    before = path.read_bytes()
    try:
        store = SqliteStore(path)
        for name in READS:
            getattr(store, name)()
        store.array("float32")
    finally:
        path.parent.chmod(0o755)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_arrays_are_read_only(path):
    with pytest.raises(ValueError, match="read-only"):
        SqliteStore(path).array("int64")[0] = 1


def test_equal_contents_give_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_sqlite(tmp_path / name, store_contract.contents())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_arrays_are_cut_by_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "PART_BYTES", 24)
    array = np.arange(20, dtype=np.float32).reshape(5, 4)  # 16 bytes a row: one a part
    path = tmp_path / "index.db"
    write_sqlite(path, IndexContents({}, Corpus(()), [], {"pairs": array[:, :2], "rows": array}))
    with closing(sqlite3.connect(path)) as connection:
        parts = connection.execute("SELECT name, part, shape, length(data) FROM arrays ORDER BY name, part")
        assert parts.fetchall() == [
            ("pairs", 0, "[3, 2]", 24),
            ("pairs", 1, "[2, 2]", 16),
            *(("rows", part, "[1, 4]", 16) for part in range(5)),
        ]
    np.testing.assert_array_equal(SqliteStore(path).array("rows"), array)


def test_a_file_that_exists_is_not_written_over(path):
    before = path.read_bytes()
    with pytest.raises(sqlite3.OperationalError):
        write_sqlite(path, store_contract.contents())
    assert path.read_bytes() == before


def test_a_chunk_of_an_unknown_document_is_not_written(tmp_path):
    contents = store_contract.contents()
    with pytest.raises(KeyError):
        write_sqlite(
            tmp_path / "x.db", IndexContents({}, Corpus(contents.corpus.documents[:1]), contents.chunks, {})
        )
