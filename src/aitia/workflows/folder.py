"""The index folder: its files, its lock, its settings file, and the rename that commits a build."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Any

from aitia.errors import IndexFolderError
from aitia.storage.contents import IndexContents
from aitia.storage.sqlite import SqliteStore, write_sqlite

SETTINGS, DATABASE, LEDGER = "aitia.toml", "index.db", "ledger.db"
SPEC, OUTCOMES, CURATION = "graph_spec.yaml", "outcomes.yaml", "curation.yaml"
_LOCK = ".aitia.lock"
_NEEDED = {
    ("method",): str,
    ("embedder", "id"): str,
    ("embedder", "hash"): str,
    ("thresholds", "question_chunk"): float,
}
"""What ``aitia.toml`` must have for a question to be answered."""
_TABLES = ("build", "query", "llm")
"""What it may have, each a table."""


def open_store(folder: Path) -> SqliteStore:
    """The index of a folder.

    Raises:
        IndexFolderError: no folder, no index in it, damaged, or of another version.

    """
    if not folder.is_dir():
        raise IndexFolderError(
            f"{folder} is no index folder; make one with: aitia build CORPUS --index {folder}"
        )
    if not (folder / DATABASE).is_file():
        raise IndexFolderError(
            f"{folder} holds no {DATABASE}, so it is no Aitia index; make one with: aitia build CORPUS --index {folder}"
        )
    return SqliteStore(folder / DATABASE)


def prepare(folder: Path) -> None:
    """Make the folder, unless it is a file or holds something that is no index.

    Raises:
        IndexFolderError: the place cannot hold an index.

    """
    if folder.exists() and not folder.is_dir():
        raise IndexFolderError(f"{folder} is a file; expected a folder for the index, choose another --index")
    # What a killed build leaves behind begins with one of these: journals, .new files, the lock's owner.
    ours = (SETTINGS, DATABASE, LEDGER, SPEC, OUTCOMES, CURATION, _LOCK)
    if folder.is_dir():
        others = sorted(path.name for path in folder.iterdir() if not path.name.startswith(ours))
        if others and not (folder / DATABASE).exists():
            raise IndexFolderError(
                f"{folder} holds other files ({others[0]!r}) and no index; choose an empty or new folder as --index"
            )
        if (folder / DATABASE).exists() and not (folder / SETTINGS).exists():
            _check_ours(folder / DATABASE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IndexFolderError(
            f"{folder} cannot be made ({error.strerror}); choose another --index"
        ) from None


def _check_ours(database: Path) -> None:
    """Refuse to replace a database that is not Aitia's."""
    try:
        SqliteStore(database)
    except IndexFolderError:
        raise IndexFolderError(
            f"{database} is not Aitia's, and a build would replace it; choose an empty or new folder as --index"
        ) from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's one write lock; readers need none.

    Raises:
        IndexFolderError: somebody else holds it; the message says who and since when.

    """
    from filelock import FileLock, Timeout

    path = folder / _LOCK
    owner = folder / f"{_LOCK}.owner"
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise IndexFolderError(
            f"{folder} is being written by {_owner(owner)}; wait for it to end, or stop it"
        ) from None
    except OSError as error:
        raise IndexFolderError(
            f"{folder} cannot be written ({error.strerror}); choose another --index"
        ) from None
    try:
        owner.write_text(json.dumps({"pid": os.getpid(), "since": time.time()}), "utf-8")
        _finish_commit(folder)
        yield
    finally:
        owner.unlink(missing_ok=True)
        with suppress(OSError):  # while it is held: afterwards it may be another's
            path.unlink(missing_ok=True)
        lock.release()


def _owner(path: Path) -> str:
    try:
        facts = json.loads(path.read_text("utf-8"))
        return f"process {facts['pid']} for {max(0, int(time.time() - facts['since']))} s"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"


def commit(folder: Path, contents: IndexContents, texts: Mapping[str, str]) -> None:
    """Write the index and the text files beside it. The rename of ``index.db`` is the commit.

    Until then nothing of an earlier index is touched; a failure leaves only what it found.
    """
    fresh = folder / f"{DATABASE}.new"
    try:
        for left in (fresh, folder / f"{fresh.name}-journal"):
            left.unlink(missing_ok=True)
        write_sqlite(fresh, contents)
        with fresh.open("rb+") as file:
            os.fsync(file.fileno())
        for name, text in texts.items():
            (folder / f"{name}.new").write_text(text, "utf-8")
        fresh.replace(folder / DATABASE)
        for name in texts:
            (folder / f"{name}.new").replace(folder / name)
        if SPEC not in texts:  # the earlier index was of a method that has one
            (folder / SPEC).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise IndexFolderError(
            f"{folder} could not be written ({reason}); free some space or choose another --index"
        ) from None
    finally:
        for name in (*texts, DATABASE):  # the database last: without it, the texts are those of a commit
            (folder / f"{name}.new").unlink(missing_ok=True)


def _finish_commit(folder: Path) -> None:
    """Put the text files of a build in place that was killed between its commit and the end."""
    (folder / f"{CURATION}.new").unlink(missing_ok=True)  # an append that was not finished is none
    committed = not (folder / f"{DATABASE}.new").exists()
    for name in (SETTINGS, SPEC, OUTCOMES):
        left = folder / f"{name}.new"
        if left.exists() and committed:
            left.replace(folder / name)
        left.unlink(missing_ok=True)


def read_settings(folder: Path) -> dict[str, Any]:
    """``aitia.toml``, with what a question needs of it.

    Raises:
        IndexFolderError: missing, not TOML, or without a needed entry.

    """
    path = folder / SETTINGS
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise IndexFolderError(f"{path} cannot be read ({reason}); build the index again") from None
    for entry in _unusable(settings):
        raise IndexFolderError(f"{path} has no usable entry {entry}, expected one; build the index again")
    return settings


def _unusable(settings: dict[str, Any]) -> Iterator[str]:
    """Entries that no question can be answered with: missing, of another kind, or numbers that are none."""
    for names, kind in _NEEDED.items():
        value: Any = settings
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, kind):
            yield ".".join(names)
    for name, value in settings["thresholds"].items():
        if not isinstance(value, int | float) or not isfinite(value):
            yield f"thresholds.{name}"
    for name in _TABLES:
        if not isinstance(settings.get(name, {}), dict):
            yield name
