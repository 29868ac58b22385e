"""The out folder of a benchmark: its places, its lock, and files that are written whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aitia.errors import UsageError
from aitia.evaluation.bench.settings import FILE
from aitia.evaluation.datasets.dataset import PREPARED
from aitia.evaluation.records import AnswerRecord, read_answers, write_records
from aitia.evaluation.systems import System

_LOCK = ".bench.lock"
_PLACES = ("indexes", "answers", "scores")
_LEDGER = "ledger.db"
_BEFORE = (_LOCK, f"{FILE}.new", PREPARED, _LEDGER, *_PLACES)
"""What a benchmark that ended before it wrote its settings may have left; a ledger may be put there by hand."""


@dataclass(frozen=True, slots=True)
class BenchFolder:
    """Where a benchmark keeps what."""

    path: Path

    @property
    def ledger(self) -> Path:
        """Replies of builders, writers and judges, and embeddings of builds."""
        return self.path / _LEDGER

    @property
    def builds(self) -> Path:
        """A record a build."""
        return self.path / "builds.jsonl"

    @property
    def peer_log(self) -> Path:
        """What the commands of peers wrote to their standard error."""
        return self.path / "peers.log"

    def index(self, name: str) -> Path:
        """The folder of an index, by the name that `System.folder` gives it."""
        return self.path / "indexes" / name

    def answers(self, system: System) -> Path:
        """A record a question and run."""
        return self.path / "answers" / f"{system.slug}.jsonl"

    def scores(self, system: System) -> Path:
        """A record a question, run and judge."""
        return self.path / "scores" / f"{system.slug}.jsonl"


@contextmanager
def opened(path: Path) -> Iterator[BenchFolder]:
    """The folder, made where there is none, and held: one benchmark at a time writes into it.

    Raises:
        UsageError: it holds something else, cannot be made, or another process holds it.

    """
    from filelock import FileLock, Timeout

    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file; expected a folder for the benchmark, choose another --out")
    others = sorted(each.name for each in path.iterdir() if each.name not in _BEFORE) if path.exists() else []
    if others and not (path / FILE).exists():
        raise UsageError(
            f"{path} holds other files ({others[0]!r}) and no benchmark; choose an empty or new folder as --out"
        )
    lock = FileLock(path / _LOCK)
    try:
        for name in ("", *_PLACES):
            (path / name).mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"{path} is used by another benchmark; wait for it to end, or stop it") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); choose another --out") from None
    try:
        yield BenchFolder(path)
    finally:
        lock.release()


def resume_answers(path: Path) -> list[AnswerRecord]:
    """The answers that need not be asked for again; the file is left with these alone.

    An answer with an error is asked for once more, and a line that was cut off would spoil the next one.

    Raises:
        CorpusError: a line that is no answer.

    """
    if not path.exists():
        return []
    found = read_answers(path)
    kept = list({(each.id, each.run): each for each in found if each.error is None}.values())
    if len(kept) < len(found) or not _ends_its_line(path):
        write_records(path, kept)
    return kept


def _ends_its_line(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if not size:
            return True
        file.seek(size - 1)
        return file.read(1) == b"\n"
