"""An HTTP client that follows no redirect, and reads no answer without end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from openai import DefaultHttpxClient

from aitia.clients.faults import Fault, FaultError

STREAMED = 16
"""How many times the bytes a piece of text takes that comes as an event, with all that is around it."""

STREAMING = 10
"""How many times the wait for a whole answer one may take that comes piece by piece."""

Pieces = Callable[..., Iterator[bytes]]


class BoundedClient(DefaultHttpxClient):
    """Gives an answer ``timeout_s`` from the request to its last byte, and at most ``max_bytes``.

    One that comes piece by piece may have ten times the time and 16 times the bytes. The time counts
    whenever bytes arrive: a server that falls silent just before the end of it is left after twice as long.
    A redirect is an answer like any other: whoever followed it would hand documents and key to a stranger.
    """

    def __init__(self, timeout_s: float, max_bytes: int) -> None:
        super().__init__(timeout=timeout_s, follow_redirects=False)
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes

    def __del__(self) -> None:
        # A model is not closed by everybody who opens one, and the package closes only clients of its own.
        with suppress(Exception):
            self.close()

    def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
        """The answer, whole unless it is to ``stream``; FaultError where it passes a bound."""
        started = time.monotonic()
        response = super().send(request, stream=True, **options)
        deadline = started + self._timeout_s * (STREAMING if stream else 1)
        most = self._max_bytes * (STREAMED if stream else 1)
        for name in ("iter_raw", "iter_bytes"):  # as it comes, and decompressed
            setattr(response, name, _bounded(getattr(response, name), deadline, most))
        if not stream:
            try:
                response.read()
            finally:
                response.close()
        return response


def _bounded(pieces: Pieces, deadline: float, most: int) -> Pieces:
    def read(*args: Any, **options: Any) -> Iterator[bytes]:
        size = 0
        for piece in pieces(*args, **options):
            size += len(piece)
            if size > most:
                raise FaultError(Fault("transient", f"an answer of more than {most:,} bytes"))
            if time.monotonic() > deadline:
                raise FaultError(Fault("busy", "no whole answer in time"))
            yield piece

    return read
