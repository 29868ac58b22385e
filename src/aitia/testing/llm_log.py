"""What a server was asked and what it answered, kept and written as it happens."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request: ``key`` is the hash of what was asked, ``attempt`` counts the same from 1.

    ``answer`` is ``ok``, or what was wrong with it, and empty before there is one; ``whole``: all of it was
    written to the connection.
    """

    number: int
    path: str
    key: str
    attempt: int
    answer: str
    whole: bool = False


class ServerLog:
    """The exchanges in their order; with a file a line when a request comes, when its answer is made and written.

    The answer's line is in the file before its first byte is sent, so that what a killed client may have
    received is in it.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._exchanges: list[Exchange] = []
        self._attempts: Counter[tuple[str, str]] = Counter()
        self._lock = Lock()
        self._file = file.open("a", encoding="utf-8") if file else None

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All of them so far, in the order in which they were begun."""
        with self._lock:
            return tuple(self._exchanges)

    def attempt(self, path: str, key: str) -> int:
        """The number of this attempt at a request."""
        with self._lock:
            self._attempts[path, key] += 1
            return self._attempts[path, key]

    def begin(self, path: str, key: str, attempt: int) -> int:
        """Note that a request has come; returns the number of the exchange."""
        with self._lock:
            exchange = Exchange(len(self._exchanges), path, key, attempt, "")
            self._exchanges.append(exchange)
            self._write(exchange)
            return exchange.number

    def settle(self, number: int, answer: str) -> None:
        """Note what is going to be answered."""
        self._change(number, answer=answer)

    def end(self, number: int) -> None:
        """Note that all of it was written."""
        self._change(number, whole=True)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file:
                self._file.close()
                self._file = None

    def _change(self, number: int, **changes: Any) -> None:
        with self._lock:
            self._exchanges[number] = replace(self._exchanges[number], **changes)
            self._write(self._exchanges[number])

    def _write(self, exchange: Exchange) -> None:
        if self._file:
            self._file.write(json.dumps(asdict(exchange)) + "\n")
            self._file.flush()


def read_log(file: Path) -> tuple[Exchange, ...]:
    """The exchanges of a log file, each in its last state; a line cut short is left out."""
    found: dict[tuple[int, str, int], Exchange] = {}
    for line in file.read_text("utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            exchange = Exchange(**json.loads(line))
            found[exchange.number, exchange.key, exchange.attempt] = exchange
    return tuple(found.values())
