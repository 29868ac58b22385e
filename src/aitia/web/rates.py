"""How often a client may call: one bucket of tokens a client, which fills at a rate up to a burst."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_CLIENTS = 4096
"""Buckets kept; the one that was used longest ago is forgotten first."""


class TokenBuckets:
    """Used by one thread. ``rate`` is in calls a second; 0 means no limit."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until the client may call; 0 for now. Takes nothing."""
        if not self._rate:
            return 0.0
        return max(0.0, 1.0 - self._filled(client)) / self._rate

    def take(self, client: str) -> float:
        """As `wait`, and takes a token if there is one."""
        seconds = self.wait(client)
        if self._rate and not seconds:
            self._left[client] = (self._filled(client) - 1.0, self._clock())
            self._left.move_to_end(client)
            if len(self._left) > MOST_CLIENTS:
                self._left.popitem(last=False)
        return seconds

    def _filled(self, client: str) -> float:
        left, then = self._left.get(client, (self._burst, self._clock()))
        return min(self._burst, left + (self._clock() - then) * self._rate)
