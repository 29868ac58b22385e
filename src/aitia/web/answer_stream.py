"""An answer as server-sent events: written in a thread of its own, whose words a queue hands over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from aitia.web.refusals import line_of, status_of

BEAT_SECONDS = 5.0
"""How often a silent stream says that it lives; a client that left is noticed by then."""

Say = Callable[[str], None]


class _ClientLeft(Exception):
    """Nobody listens any more, so that a model need not go on."""


def stream_answer(
    write: Callable[[Say], dict[str, Any]],
    release: Callable[[], None],
    private: Callable[[str], str] = str,
) -> Iterator[bytes]:
    """Events ``text``, then ``answer`` or ``error``. ``release`` is called once, when the writer has ended.

    The writer starts at once, so that what `release` gives back is given back even if nobody reads.
    """
    events: SimpleQueue[tuple[str, dict[str, Any]]] = SimpleQueue()
    left = Event()

    def say(text: str) -> None:
        if left.is_set():
            raise _ClientLeft
        events.put(("text", {"text": text}))

    def run() -> None:
        try:
            events.put(("answer", write(say)))
        except _ClientLeft:
            pass
        except Exception as error:  # the stream has begun: there is no status to send, only an event
            events.put(("error", {"error": private(line_of(error)), "status": status_of(error)}))
        finally:
            release()

    Thread(target=run, daemon=True, name="answer").start()
    return _read(events, left)


def _read(events: SimpleQueue[tuple[str, dict[str, Any]]], left: Event) -> Iterator[bytes]:
    try:
        while True:
            try:
                name, content = events.get(timeout=BEAT_SECONDS)
            except Empty:
                yield b": still writing\n\n"
                continue
            yield f"event: {name}\ndata: {json.dumps(content)}\n\n".encode("ascii")
            if name != "text":
                return
    finally:
        left.set()
