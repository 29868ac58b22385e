from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import filelock
import pytest

from aitia.errors import IndexFolderError
from aitia.testing import store_contract
from aitia.workflows import folder as files
from aitia.workflows.folder import commit, locked, open_store, prepare


def contents_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def another_process(folder, last=""):
    """Holds the lock of a folder, and at the end does what the last line says."""
    program = f"""
import os, sys
from pathlib import Path
from aitia.workflows.folder import locked
with locked(Path(sys.argv[1])):
    print(os.getpid(), flush=True)
    sys.stdin.read()
    {last or "pass"}
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process, int(process.stdout.readline())
        process.stdin.close()


def test_a_folder_that_another_process_writes(tmp_path):
    with another_process(tmp_path) as (_, owner):
        with pytest.raises(IndexFolderError) as caught, locked(tmp_path):
            pass
        said = rf"{re.escape(str(tmp_path))} is being written by process {owner} for \d+ s; wait for it .*"
        assert re.fullmatch(said, str(caught.value))
    with locked(tmp_path):
        pass


def test_a_lock_dies_with_its_owner(tmp_path):
    with another_process(tmp_path, "os._exit(9)"):
        pass
    assert (tmp_path / ".aitia.lock.owner").exists()
    prepare(tmp_path)
    with locked(tmp_path):
        assert json.loads((tmp_path / ".aitia.lock.owner").read_text())["pid"] == os.getpid()
    assert contents_of(tmp_path) == {}


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"pid": 1, "since": "now"}', "null", "\udcff"])
def test_an_owner_that_cannot_be_read(tmp_path, content):
    with locked(tmp_path):
        (tmp_path / ".aitia.lock.owner").write_bytes(content.encode("utf-8", "surrogateescape"))
        with pytest.raises(IndexFolderError, match="is being written by another process; "), locked(tmp_path):
            pass


def test_a_writer_that_leaves_takes_no_other_lock_away(tmp_path, monkeypatch):
    """Another writer may come between the release of a lock and the removal of its file."""
    real = filelock.FileLock

    class Late:
        """Lets another writer in as soon as it is released."""

        def __init__(self, path):
            self.mine, self.other = real(path), real(path)
            self.acquire = self.mine.acquire

        def release(self):
            self.mine.release()
            self.other.acquire(timeout=0)
            others.append(self.other)

    others = []
    with monkeypatch.context() as patch:
        patch.setattr(filelock, "FileLock", Late)
        with locked(tmp_path):
            pass
    with pytest.raises(IndexFolderError, match="is being written"), locked(tmp_path):
        pass
    others[0].release()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(IndexFolderError, match=r"cannot be written .*; choose another --index") as caught,
        locked(tmp_path / "file"),
    ):
        pass
    assert "\n" not in str(caught.value)


TEXTS = {
    "aitia.toml": "method = 'hcg'\n",
    "graph_spec.yaml": "metrics: []\n",
    "outcomes.yaml": "outcome: []\n",
}


@pytest.fixture
def index(tmp_path):
    folder = tmp_path / "index"
    prepare(folder)
    commit(folder, store_contract.contents(), TEXTS)
    return folder


def test_a_commit_leaves_its_files_and_no_others(index):
    assert sorted(contents_of(index)) == ["aitia.toml", "graph_spec.yaml", "index.db", "outcomes.yaml"]
    assert {name: (index / name).read_text() for name in TEXTS} == TEXTS
    assert open_store(index).chunks() == store_contract.chunks()


def test_the_same_commit_again_gives_the_same_bytes(index):
    before = contents_of(index)
    commit(index, store_contract.contents(), TEXTS)
    assert contents_of(index) == before


@pytest.mark.parametrize("failing", ["write_sqlite", "write_text", "fsync", "rename"])
def test_a_commit_that_fails_leaves_the_old_index_byte_for_byte(index, monkeypatch, failing):
    before = contents_of(index)
    full = OSError(28, "No space left on device")

    def fail(*arguments, **options):
        raise full

    if failing == "write_sqlite":

        def half(path, contents):
            path.write_bytes(b"half")
            raise full

        monkeypatch.setattr(files, "write_sqlite", half)
    elif failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "write_text" if failing == "write_text" else "replace", fail)
    with pytest.raises(IndexFolderError) as caught:
        commit(index, store_contract.contents(), {**TEXTS, "aitia.toml": "method = 'plain:bm25'\n"})
    assert str(caught.value) == (
        f"{index} could not be written (No space left on device); free some space or choose another --index"
    )
    assert contents_of(index) == before


def test_a_full_disk_as_sqlite_reports_it(index, monkeypatch):
    import sqlite3

    def fail(path, contents):
        raise sqlite3.OperationalError("database or disk is full")

    before = contents_of(index)
    monkeypatch.setattr(files, "write_sqlite", fail)
    with pytest.raises(IndexFolderError, match=r"could not be written \(database or disk is full\)"):
        commit(index, store_contract.contents(), TEXTS)
    assert contents_of(index) == before


def test_contents_that_cannot_be_written_leave_the_old_index_byte_for_byte(index):
    before = contents_of(index)
    with pytest.raises(UnicodeEncodeError):
        commit(index, store_contract.contents(), {"aitia.toml": "\ud800"})
    assert contents_of(index) == before


def test_readers_need_no_lock_and_survive_a_commit(index):
    store = open_store(index)
    with another_process(index):
        assert store.chunks() == open_store(index).chunks()
    commit(index, store_contract.contents(), TEXTS)
    assert store.graph() == store_contract.graph()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "is no index folder; make one with: aitia build CORPUS --index"),
        (lambda path: path.write_text("x"), "is no index folder"),
        (lambda path: path.mkdir(), "holds no index.db, so it is no Aitia index"),
    ],
)
def test_what_is_no_index(tmp_path, make, message):
    path = tmp_path / "here"
    make(path)
    with pytest.raises(IndexFolderError, match=message) as caught:
        open_store(path)
    assert "\n" not in str(caught.value)


def test_foreign_files_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(IndexFolderError, match=r"holds other files \('thesis.tex'\) and no index") as caught:
        prepare(tmp_path)
    assert "\n" not in str(caught.value)
    assert contents_of(tmp_path) == {"thesis.tex": b"mine"}
