"""A connection that ends where the head of a request does not come in time: uvicorn alone waits for it for ever."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 20.0
"""From the opening of a connection, or the first byte of a later request, to the end of the headers."""


class TimedProtocol(H11Protocol):
    """Uvicorn's protocol with a clock for heads; bodies have the guard's, and pauses between requests uvicorn's."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(HEADER_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Stop it where the head is whole; a head that begins starts it, and its further bytes do not."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._clock is None:
            self._clock = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop it."""
        self._stop()
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
