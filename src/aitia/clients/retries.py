"""Asking again: what is retried, how long to wait, and when to give up."""

from __future__ import annotations

import random
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_when_event_set

from aitia.clients.faults import LONGEST_WAIT_S, RETRIED, FaultError

Result = TypeVar("Result")
Sleep = Callable[[float], object]
_FIRST_WAIT_S, _LONGEST_BACKOFF_S = 1.0, 60.0


class StoppedError(Exception):
    """An attempt that was not made, because the work had been stopped."""


def persist(attempt: Callable[[], Result], *, attempts: int, sleep: Sleep | None, stop: Event) -> Result:
    """What ``attempt`` returns, tried up to ``attempts`` times while its faults are of a kind that passes.

    Between two attempts it waits as the server asked, or else a random time below 1, 2, 4, ... 60 seconds.
    Without a ``sleep`` of its own, waiting ends early when ``stop`` is set.

    Raises FaultError of the last attempt, StoppedError once ``stop`` is set.
    """

    def unless_stopped() -> Result:
        if stop.is_set():
            raise StoppedError
        return attempt()

    def wait(seconds: float) -> None:
        (sleep or stop.wait)(seconds)

    retrying = Retrying(
        retry=retry_if_exception(lambda error: isinstance(error, FaultError) and error.fault.kind in RETRIED),
        stop=stop_after_attempt(attempts) | stop_when_event_set(stop),
        wait=_pause,
        sleep=wait,
        reraise=True,
    )
    return retrying(unless_stopped)


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.fault.wait_s if isinstance(error, FaultError) else None
    # Jitter keeps requests that failed together from coming back together; it changes no result.
    if asked is not None:
        return min(asked + random.uniform(0.0, _FIRST_WAIT_S), LONGEST_WAIT_S)
    backoff = min(_FIRST_WAIT_S * 2.0 ** (state.attempt_number - 1), _LONGEST_BACKOFF_S)
    return random.uniform(backoff / 4, backoff)
