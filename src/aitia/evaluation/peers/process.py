"""An adapter as a process of its own: one JSON line in, one JSON line out, and nothing it does can hang us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from aitia.errors import PeerError

MOST_CHARACTERS = 16_000_000
"""Of one answer."""

_STOP_S = 3.0
_LONGEST = 240


class PeerProcess:
    """A running adapter. What it writes to standard error, and prints, is appended to ``log``.

    It inherits no variable of the environment, so it can find neither a key nor another address; ``home`` is
    where its libraries may keep what they like. It is the first of a process group, all of which ends when it
    fails, when `close` is called, and when its standard input ends because this process did.
    """

    def __init__(self, name: str, command: Sequence[str | Path], log: Path, home: Path) -> None:
        self._name = name
        self._log = log
        for folder in (log.parent, home):
            folder.mkdir(parents=True, exist_ok=True)
        environment = {"HOME": str(home.absolute()), "PATH": os.defpath, "LANG": "C.UTF-8"}
        with log.open("ab") as written:
            try:
                self._process = subprocess.Popen(
                    [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=written,
                    env=environment, cwd=home, start_new_session=True, encoding="utf-8", errors="replace",
                )  # fmt: skip
            except OSError as error:
                raise PeerError(f"peer {name} cannot be started ({error.strerror}): {command[0]}") from error
        assert self._process.stdin is not None and self._process.stdout is not None  # they are pipes
        self._answers: Queue[str] = Queue()
        Thread(target=_read_lines, args=(self._process.stdout, self._answers), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def wait_until_ready(self, timeout_s: float) -> None:
        """Until it has imported what it needs. Raises PeerError as `ask` does."""
        self._receive("start", timeout_s)

    def ask(self, message: Mapping[str, Any], timeout_s: float) -> dict[str, Any]:
        """Its answer to a message.

        Raises:
            PeerError: the adapter's own ``error``; or it ended, was silent for ``timeout_s`` seconds, or
                answered with anything but one line with a JSON object, and was ended for it.

        """
        if self.alive and not self._answers.empty():
            raise self._end_for("spoke without being asked; expected one line for each message")
        with suppress(OSError):  # it ended, as what it answers will tell
            self._stdin.write(f"{json.dumps(message)}\n")
            self._stdin.flush()
        return self._receive(message["do"], timeout_s)

    def _receive(self, task: str, timeout_s: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=timeout_s)
        except Empty:
            raise self._end_for(f"gave no answer to {task!r} in {timeout_s:g} s") from None
        if not line:
            self.close()
            raise self._error(
                f"ended amid {task!r} with exit status {self._process.returncode}{self._last_words()}"
            )
        if len(line) > MOST_CHARACTERS:
            raise self._end_for(f"answered {task!r} with more than {MOST_CHARACTERS:,} characters")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._end_for(f"answered {task!r} with {one_line(line, 60)!r}; expected a JSON object")
        if "error" in answer:
            raise self._error(f"failed at {task!r}: {one_line(str(answer['error']))}")
        return answer

    def close(self, grace_s: float = _STOP_S) -> None:
        """End it and whatever it started: its standard input ends, and who is left after ``grace_s`` is killed."""
        with suppress(OSError):
            self._stdin.close()
        deadline = time.monotonic() + grace_s
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        # The group outlives its first process where that left children behind.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @property
    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None  # it is a pipe
        return self._process.stdin

    def _end_for(self, words: str) -> PeerError:
        self.close(grace_s=0)
        return self._error(words)

    def _last_words(self) -> str:
        with self._log.open("rb") as file:
            file.seek(max(0, self._log.stat().st_size - 4_000))
            lines = file.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f" ({one_line(last)})" if last else ""

    def _error(self, words: str) -> PeerError:
        return PeerError(f"peer {self._name} {words}. Its log: {self._log}")


def one_line(words: str, longest: int = _LONGEST) -> str:
    """Words of a stranger, printable, on one line, shortened."""
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return line if len(line) <= longest else f"{line[:longest]}..."


def _read_lines(stdout: IO[str], answers: Queue[str]) -> None:
    """Put each line into the queue, and an empty one when there are no more."""
    with stdout:
        while line := stdout.readline(MOST_CHARACTERS + 1):
            answers.put(line)
    answers.put("")
