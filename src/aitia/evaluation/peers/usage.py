"""What a peer asked of the models, and how long it waited for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from threading import Lock
from typing import Literal

Kind = Literal["llm", "embedding"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of answered chats and their tokens, of chats that ``failed`` from any cause, and of embedded texts.

    ``llm_seconds`` is the time in which at least one chat was in flight, so calls at once count once;
    ``embedding_seconds`` that in which no chat was, but texts were embedded. What is left of the wall time is
    the peer's own.
    """

    llm_calls: int = 0
    failed: int = 0
    embedded: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    llm_seconds: float = 0.0
    embedding_seconds: float = 0.0

    def __sub__(self, earlier: Usage) -> Usage:
        """What came after an earlier state of the same meter."""
        return Usage(*(now - before for now, before in zip(astuple(self), astuple(earlier), strict=True)))


class Meter:
    """Adds up usage; safe from several threads. ``now`` gives seconds and never goes back."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._lock = Lock()
        self._usage = Usage()
        self._in_flight: dict[Kind, int] = {"llm": 0, "embedding": 0}
        self._since = now()

    def read(self) -> Usage:
        """The usage up to now."""
        with self._lock:
            self._settle()
            return self._usage

    @contextmanager
    def waiting(self, kind: Kind) -> Iterator[None]:
        """A call is in flight while the block lasts."""
        self._change(kind, 1)
        try:
            yield
        finally:
            self._change(kind, -1)

    def chat(self, prompt_tokens: int, reply_tokens: int) -> None:
        """A chat was answered."""
        with self._lock:
            usage = self._usage
            self._usage = replace(
                usage,
                llm_calls=usage.llm_calls + 1,
                prompt_tokens=usage.prompt_tokens + prompt_tokens,
                reply_tokens=usage.reply_tokens + reply_tokens,
            )

    def chat_failed(self) -> None:
        """A chat got no reply."""
        with self._lock:
            self._usage = replace(self._usage, failed=self._usage.failed + 1)

    def embedded(self, texts: int) -> None:
        """So many texts were embedded."""
        with self._lock:
            self._usage = replace(self._usage, embedded=self._usage.embedded + texts)

    def _change(self, kind: Kind, by: int) -> None:
        with self._lock:
            self._settle()
            self._in_flight[kind] += by

    def _settle(self) -> None:
        now = self._now()
        passed, self._since = now - self._since, now
        if self._in_flight["llm"]:
            self._usage = replace(self._usage, llm_seconds=self._usage.llm_seconds + passed)
        elif self._in_flight["embedding"]:
            self._usage = replace(self._usage, embedding_seconds=self._usage.embedding_seconds + passed)
