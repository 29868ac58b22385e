"""The command line as a user runs it, on the example corpus, with the real embedder."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from aitia.cli.main import main

LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"
BEES = Path(str(files("aitia.testing") / "corpora" / "honeybees"))


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="session")
def bees() -> Path:
    """The example corpus."""
    return BEES


@pytest.fixture(scope="session")
def launch() -> Callable[..., Ran]:
    """Runs the command line in a process of its own."""

    def launch(*arguments: str | Path, stdin: bytes = b"", **options: Any) -> Ran:
        command = [sys.executable, "-c", LAUNCH, *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False, **options)
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return launch


@pytest.fixture
def run(capfd, monkeypatch) -> Callable[..., Ran]:
    """Runs the command line in this process."""
    for name in [
        name for name in os.environ if name.startswith(("AITIA_", "OPENAI_")) and name != "AITIA_DATA"
    ]:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path) -> Ran:
        status = main([str(argument) for argument in arguments])
        return Ran(status, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def index(tmp_path_factory, worker_id, launch) -> Path:
    """The example's index, built once for all workers; not to be changed."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    with FileLock(shared / "bees.lock"):
        if not (shared / "bees" / "index.db").exists():
            built = launch("build", BEES, "--index", shared / "bees", "--jobs", "2", "--quiet")
            assert (built.status, built.err) == (0, "")
    return shared / "bees"


@pytest.fixture
def own(index, tmp_path) -> Path:
    """A copy of the index that may be changed."""
    return shutil.copytree(index, tmp_path / "own")


def digest(folder: Path) -> dict[str, str]:
    """The hash of every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="session", name="digest")
def digest_fixture() -> Callable[[Path], dict[str, str]]:
    """The hash of every file of a folder."""
    return digest
