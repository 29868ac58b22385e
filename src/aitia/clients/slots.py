"""How many requests may be in flight: more while a server keeps up, fewer when it says that it is busy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Event


class Slots:
    """At most ``most`` requests at once, by additive increase and multiplicative decrease.

    A success adds 1/limit, so that the limit grows by about one per round; a busy server halves it.
    Requests sent before a halving do not halve again: they met the same crowd.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._taken = 0
        self._round = 0
        self._changed = Condition()

    @property
    def limit(self) -> int:
        """How many may be in flight now, from 1 to ``most``."""
        return int(self._limit)

    @contextmanager
    def slot(self, stop: Event) -> Iterator[Slot]:
        """One slot, waited for; given back at the end. Once ``stop`` is set there is no wait."""
        slot = Slot(self, stop)
        slot.take()
        try:
            yield slot
        finally:
            slot.give_back()

    def _take(self, stop: Event) -> int:
        with self._changed:
            self._changed.wait_for(lambda: stop.is_set() or self._taken < self.limit)
            self._taken += 1
            return self._round

    def _give_back(self) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()

    def _grow(self) -> None:
        with self._changed:
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self._changed.notify_all()

    def _halve(self, since: int) -> None:
        with self._changed:
            if since == self._round:
                self._limit = max(1.0, self._limit / 2)
                self._round += 1


class Slot:
    """One request's right to be in flight."""

    def __init__(self, slots: Slots, stop: Event) -> None:
        self._slots = slots
        self._stop = stop
        self._round = 0

    def take(self) -> None:
        """Wait for room."""
        self._round = self._slots._take(self._stop)

    def give_back(self) -> None:
        """Let another have it."""
        self._slots._give_back()

    def renew(self) -> None:
        """Queue again, before a second attempt: the limit may have fallen meanwhile."""
        self.give_back()
        self.take()

    def succeeded(self) -> None:
        """The server kept up."""
        self._slots._grow()

    def was_busy(self) -> None:
        """The server asked for fewer requests."""
        self._slots._halve(self._round)
