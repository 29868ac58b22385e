"""A build that is killed, at any moment, leaves the old index or the new one, and no obstacle."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = "Mites raise the mortality of bees. Cold weakens the colony.\n"
LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"
DIE = "import os, signal, sys; die = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
BEFORE_COMMIT = """
from aitia.workflows import folder
write = folder.write_sqlite
folder.write_sqlite = lambda path, contents: (write(path, contents), die())
"""
AFTER_COMMIT = """
from pathlib import Path
replace = Path.replace
def dying(self, target):
    replace(self, target)
    if self.name == 'index.db.new':
        die()
Path.replace = dying
"""
RUN = "from aitia.cli.main import main; sys.exit(main())"


def files_of(digest, folder):
    return {name: value for name, value in digest(folder).items() if not name.startswith((".", "ledger.db"))}


def test_killed_while_it_embeds(own, bees, run, digest):
    (own / "ledger.db").unlink()
    before = files_of(digest, own)
    command = [sys.executable, "-c", LAUNCH, "build", str(bees), "--index", str(own), "--jobs", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("reading 14/14")
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert files_of(digest, own) == before
    assert run("check", "--index", own).out == "nothing found\n"
    assert run("ask", "Why do colonies swarm?", "--index", own).status == 0


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A document, and an index of it by ``plain:hybrid``."""
    monkeypatch.chdir(tmp_path)
    Path("docs.txt").write_text(TEXT)
    return tmp_path


HYBRID = ("build", "docs.txt", "--index", "index", "--method", "plain:hybrid", "--quiet")
WORDS = (
    "build",
    "docs.txt",
    "--index",
    "index",
    "--method",
    "plain:bm25",
    "--splitter",
    "passage:5",
    "--quiet",
)


def kill(code, arguments):
    command = [sys.executable, "-c", DIE + code + RUN, *arguments]
    assert (
        subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == -signal.SIGKILL
    )


def test_killed_before_the_commit(place, run, digest):
    assert run(*HYBRID).status == 0
    before = files_of(digest, Path("index"))
    kill(BEFORE_COMMIT, WORDS)
    assert Path("index/index.db.new").exists()
    after = files_of(digest, Path("index"))
    assert {name: after[name] for name in before} == before
    assert run("check", "--index", "index").out == "nothing found\n"
    assert run(*HYBRID).status == 0
    assert files_of(digest, Path("index")) == before


def test_killed_after_the_commit(place, run):
    assert run(*HYBRID).status == 0
    kill(AFTER_COMMIT, WORDS)
    assert Path("index/aitia.toml.new").exists()
    assert run(*WORDS).status == 0
    assert run("check", "--index", "index").out == "nothing found\n"
    assert run("show", "stats", "--index", "index", "--json").json["method"] == "plain:bm25"
    assert sorted(path.name for path in Path("index").iterdir()) == ["aitia.toml", "index.db", "ledger.db"]


def test_a_first_build_that_was_killed_can_be_repeated(place, run):
    kill(BEFORE_COMMIT, WORDS)
    assert run(*WORDS).status == 0
