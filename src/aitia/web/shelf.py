"""The indexes of a server: opened once, shared by all threads, opened anew when they were written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar

from aitia.clients.protocols import Embedder
from aitia.errors import UsageError
from aitia.methods import METHODS
from aitia.spec.decisions import Decided
from aitia.web.refusals import Refused
from aitia.workflows import curate
from aitia.workflows import folder as files
from aitia.workflows.graph_tables import GraphTables
from aitia.workflows.index import Index, open_index
from aitia.workflows.queue import QueueItem
from aitia.workflows.show import show_stats

PATIENCE_SECONDS = 10.0
"""How long a write waits for another."""

Result = TypeVar("Result")
Stamp = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Opened:
    """An index as it was when it was opened, with what is worth keeping of it between requests."""

    name: str
    index: Index
    stamp: Stamp
    _lock: RLock = field(default_factory=RLock)
    _curated: dict[str, tuple[Stamp, list[Any]]] = field(default_factory=dict)

    def warm(self) -> None:
        """Load what a question needs, once: the threads that come meanwhile wait for it."""
        with self._lock:
            _ = self.index.text, self.index.names, self.index.embedder
            if METHODS[self.index.method].retriever:
                _ = self.index.retriever

    @property
    def embedder(self) -> Embedder:
        """The index's own, loaded once."""
        with self._lock:
            return self.index.embedder

    @property
    def graph(self) -> GraphTables:
        """The causal graph in tables.

        Raises:
            UsageError: the method has none.

        """
        with self._lock:
            return self._graph

    @cached_property
    def _graph(self) -> GraphTables:
        return GraphTables(self.index.graph)

    @property
    def stats(self) -> Mapping[str, Any]:
        """What `show_stats` says."""
        with self._lock:
            return self._stats

    @cached_property
    def _stats(self) -> Mapping[str, Any]:
        return show_stats(self.index)

    def queue(self) -> list[QueueItem]:
        """What is open, riskiest first; found anew once ``curation.yaml`` was written.

        Raises:
            SpecError: that file breaks its rules.

        """
        return self._until_decided("queue", curate.queue)

    def history(self) -> list[Decided]:
        """Every decision with what became of it; found anew likewise.

        Raises:
            SpecError: as `queue`.

        """
        return self._until_decided("history", curate.history)

    def _until_decided(self, what: str, find: Callable[[Index], list[Any]]) -> list[Any]:
        stamp = _stamp(self.index.folder, files.CURATION)
        with self._lock:
            kept = self._curated.get(what)
            if kept is None or kept[0] != stamp:
                kept = self._curated[what] = stamp, find(self.index)
            return kept[1]

    def chunk_row(self, chunk: str) -> int:
        """The row of a chunk's id, which is looked up and never made into a place.

        Raises:
            Refused: there is none.

        """
        with self._lock:
            row = self._chunk_rows.get(chunk)
        if row is None:
            raise Refused(404, f"no passage {chunk[:80]!r} in {self.name}")
        return row

    @property
    def chunk_count(self) -> int:
        """How many passages there are."""
        with self._lock:
            return len(self._chunk_rows)

    @cached_property
    def _chunk_rows(self) -> Mapping[str, int]:
        return {chunk.id: row for row, chunk in enumerate(self.index.store.chunks())}


class Shelf:
    """Indexes by name. A name of a request is a key here and nothing else."""

    def __init__(
        self, folders: Mapping[str, Path], *, base_url: str | None = None, api_key: str | None = None
    ) -> None:
        """Open them all.

        Raises:
            IndexFolderError: one is no index, damaged, or of another version.

        """
        self._folders = dict(folders)
        self._base_url, self._api_key = base_url, api_key
        self._lock = Lock()
        self._writing = {name: Lock() for name in self._folders}
        self._opened = {name: self._open(name) for name in self._folders}

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order they were given."""
        return tuple(self._folders)

    def get(self, name: str) -> Opened:
        """The index of a name, as it is now.

        Raises:
            Refused: no such name.
            IndexFolderError: it was damaged or taken away since.

        """
        if name not in self._folders:
            raise Refused(404, f"no index {name[:80]!r}; expected one of {', '.join(self.names)}")
        with self._lock:
            opened = self._opened[name]
            if opened.stamp != _stamp(self._folders[name]):
                opened = self._opened[name] = self._open(name)
            return opened

    def use(self, name: str, call: Callable[[Opened], Result]) -> Result:
        """What a call makes of an index; once more if the index was replaced meanwhile, and the call mixed two."""
        opened = self.get(name)
        try:
            result = call(opened)
        except Exception:
            if self.get(name) is opened:
                raise
        else:
            if self.get(name) is opened:
                return result
        return call(self.get(name))

    @contextmanager
    def writing(self, name: str) -> Iterator[Opened]:
        """The index, while nobody else of this server writes it; who has to wait long is refused.

        Raises:
            Refused: another write goes on.

        """
        opened = self.get(name)
        lock = self._writing[name]
        if not lock.acquire(timeout=PATIENCE_SECONDS):
            raise Refused(
                409, f"{name} is being written by another request; try again soon", {"retry-after": "5"}
            )
        try:
            yield opened
        finally:
            lock.release()

    def private(self, line: str) -> str:
        """A line without the places of the indexes on this machine."""
        for name, folder in sorted(self._folders.items(), key=lambda item: -len(str(item[1]))):
            line = line.replace(str(folder), name)
        return line

    def _open(self, name: str) -> Opened:
        folder = self._folders[name]
        stamp = _stamp(folder)
        return Opened(name, open_index(folder, base_url=self._base_url, api_key=self._api_key), stamp)


def name_folders(folders: Sequence[Path]) -> dict[str, Path]:
    """Absolute folders by their names.

    Raises:
        UsageError: two have one name, or one has none.

    """
    named: dict[str, Path] = {}
    for folder in folders:
        place = folder.resolve()
        if not place.name:
            raise UsageError(f"{folder} has no name; expected an index folder")
        if place.name in named:
            raise UsageError(
                f"two indexes are called {place.name!r}, and addresses hold their names; rename one"
            )
        named[place.name] = place
    return named


def _stamp(folder: Path, *names: str) -> Stamp:
    """Changes whenever one of the files does; without names, whenever the index does: a build replaces its files."""
    stamps = []
    for name in names or (files.DATABASE, files.SETTINGS):
        try:
            found = (folder / name).stat()
        except OSError:
            stamps.append((0, 0, 0))
        else:
            stamps.append((found.st_ino, found.st_mtime_ns, found.st_size))
    return tuple(stamps)
