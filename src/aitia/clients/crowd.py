"""Several pieces of work at once, whose results come in the order of the pieces."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Event, Thread
from typing import Generic, TypeVar

from aitia.clients.retries import StoppedError

Result = TypeVar("Result")


class Crowd(Generic[Result]):
    """Threads that take one piece after the other, until all are done or one fails.

    The threads are daemons: an interrupted run leaves at once, and does not wait for a server that stalls.
    """

    def __init__(self, work: Callable[[int, Event], Result], told: Callable[[int, Result], None]) -> None:
        self._work = work
        self._told = told
        self._stop = Event()
        self._changed = Condition()
        self._next = 0
        self._running = 0
        self._left = False
        self._results: dict[int, Result] = {}
        self._error: BaseException | None = None

    def run(self, count: int, threads: int) -> list[Result]:
        """The results of ``work(0) .. work(count - 1)``; each was given to ``told`` in its thread first.

        Raises the first error of a piece, after those that had begun are done; KeyboardInterrupt at once.
        """
        self._running = min(count, threads)
        try:
            for _ in range(self._running):
                Thread(target=self._take_pieces, args=(count,), daemon=True).start()
            with self._changed:
                # Without a time limit, Windows would not hear the interrupt.
                while self._running:
                    self._changed.wait(1.0)
        except BaseException:
            self._stop.set()
            self._left = True
            raise
        if self._error is not None:
            raise self._error
        return [self._results[piece] for piece in range(count)]

    def _take_pieces(self, count: int) -> None:
        try:
            while (piece := self._take(count)) is not None:
                result = self._work(piece, self._stop)
                if self._left:
                    return
                self._told(piece, result)
                self._results[piece] = result
        except StoppedError:
            pass  # another piece has failed, and says why
        except BaseException as error:  # raised again by run, in the caller's thread
            with self._changed:
                self._error = self._error or error
                self._stop.set()
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _take(self, count: int) -> int | None:
        with self._changed:
            if self._stop.is_set() or self._next == count:
                return None
            self._next += 1
            return self._next - 1
