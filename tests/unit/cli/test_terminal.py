"""What a terminal is sent: colours and lines of our own, and nothing that a document wrote."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress

from aitia.testing.tiny_index import CONTROL

LAUNCH = "import sys; from aitia.cli.main import main; sys.exit(main())"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*arguments):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    command = [sys.executable, "-c", LAUNCH, *map(str, arguments)]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=theirs, env=environment) as process:
        os.close(theirs)
        seen = b""
        with suppress(OSError):  # Linux ends a terminal with an error
            while data := os.read(ours, 65536):
                seen += data
    os.close(ours)
    return process.returncode, seen.decode()


def test_tables_have_lines_and_safe_cells(tiny):
    status, seen = on_terminal("show", "evidence", "--index", tiny)
    assert status == 0
    assert "───" in seen
    assert COLOUR.search(seen)
    plain = COLOUR.sub("", seen)
    assert "\x1b" not in plain
    assert "\x07" not in plain
    assert CONTROL.replace("\x1b", "\\x1b").replace("\x07", "\\x07") in plain


def test_exports_are_safe_to_look_at(tiny):
    status, seen = on_terminal("export", "--format", "json", "--index", tiny)
    assert (status, "\x1b" in seen) == (0, False)
