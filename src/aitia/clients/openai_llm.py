"""A chat model behind any endpoint that speaks OpenAI's ``/v1/chat/completions``."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from threading import Event, Lock
from typing import Any

from aitia.clients.bodies import read_body
from aitia.clients.chat_reply import read_completion, read_stream
from aitia.clients.crowd import Crowd
from aitia.clients.dialect import Dialect
from aitia.clients.endpoint import Endpoint
from aitia.clients.faults import ENDS_THE_WORK, Fault, FaultError, read_fault
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import LLMReply, LLMRequest, OnReply
from aitia.clients.retries import Sleep, StoppedError, persist
from aitia.clients.slots import Slots
from aitia.errors import LimitReached, ModelError

FAILURES_IN_A_ROW = 3
"""So many requests that failed after every attempt, with none between that succeeded, end the work."""

_SPARE_BYTES, _BYTES_PER_TOKEN = 1_000_000, 128
"""What is read of an answer: twice 64 bytes a token, as a useless reply is asked for with twice the tokens."""

Receive = Callable[[dict[str, Any]], LLMReply]


class OpenAILLM:
    """Sends requests, each as often as it takes, and learns on the way what the server understands.

    What it learns (structured output, names of parameters, how many requests at once) lasts as long as the
    object. Until a request with a schema, or one without, has succeeded, one at a time is sent, so that a
    server refuses each parameter once and not ``jobs`` times.

    ``sleep`` waits between attempts; None waits by the clock and wakes up when the work ends early.
    """

    def __init__(self, settings: LLMSettings, api_key: str | None, *, sleep: Sleep | None = None) -> None:
        self._settings = settings
        self._endpoint = Endpoint(
            settings.base_url,
            api_key,
            api_version=settings.api_version,
            timeout_s=settings.timeout_s,
            max_bytes=_SPARE_BYTES + _BYTES_PER_TOKEN * settings.max_output_tokens,
        )
        if not api_key and not settings.base_url:
            raise ModelError(
                f"{settings.model}: no API key given; expected one in AITIA_API_KEY or OPENAI_API_KEY, or the "
                "base URL of a local server, with --base-url or AITIA_BASE_URL (api_key or base_url in Python)"
            )
        self._sleep = sleep
        self._slots = Slots(settings.jobs)
        self._dialect = Dialect(schema=settings.json_schema != "off")
        self._understood: set[bool] = set()
        self._probing = Lock()
        self._learning = Lock()
        self._failures = 0

    @property
    def model(self) -> str:
        """The model's name, as the server knows it."""
        return self._settings.model

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, in their order, at most ``jobs`` at once.

        Once an error ends the work nothing more is sent; what was in flight is awaited and given to
        ``on_reply``. KeyboardInterrupt does not wait.

        Raises:
            ModelError: the endpoint cannot be reached, refuses, or failed three times in a row.
            LimitReached: the provider's quota is used up.

        """

        def ask(position: int, stop: Event) -> LLMReply:
            return self._ask(requests[position], self._receive_whole, stop)

        crowd = Crowd(ask, on_reply or (lambda position, reply: None))
        return crowd.run(len(requests), self._settings.jobs)

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """One reply, its text given to ``on_text`` as it comes.

        Raises:
            ModelError: as for ``map``, and when a stream breaks off after its first piece of text.
            LimitReached: the provider's quota is used up.

        """
        given = 0

        def pass_on(piece: str) -> None:
            nonlocal given
            on_text(piece)
            given += len(piece)

        def receive(phrased: dict[str, Any]) -> LLMReply:
            try:
                with closing(self._chunks(phrased)) as chunks:
                    return read_stream(chunks, pass_on)
            except FaultError as error:
                if not given:
                    raise
                why = self._endpoint.explain(error.fault, self.model)
            raise ModelError(
                f"{self.model}: the answer broke off after {given} characters ({why}); "
                "expected it whole, and what was shown cannot be continued. Ask again"
            )

        return self._ask(request, receive, Event(), stream=True)

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._endpoint.close()

    def _ask(self, request: LLMRequest, receive: Receive, stop: Event, *, stream: bool = False) -> LLMReply:
        seconds, sent, tries = 0.0, 0, 0

        def receive_and_count(phrased: dict[str, Any]) -> LLMReply:
            nonlocal seconds, sent
            sent, started = sent + 1, time.monotonic()
            try:
                return receive(phrased)
            finally:
                seconds += time.monotonic() - started

        def attempt() -> LLMReply:
            nonlocal tries
            tries += 1
            if tries > 1:
                slot.renew()
            try:
                reply = self._converse(request, receive_and_count, stop, stream)
            except FaultError as error:
                if error.fault.kind == "busy":
                    slot.was_busy()
                raise
            slot.succeeded()
            return reply

        with self._slots.slot(stop) as slot:
            fault = None
            try:
                reply = persist(attempt, attempts=self._settings.attempts, sleep=self._sleep, stop=stop)
                self._failures = 0
            except FaultError as error:
                fault = error.fault
        if fault is not None:
            # Outside of the handler: a traceback would show the handled error, and the key with it.
            reply = self._without_reply(fault, stop)
        return replace(reply, seconds=seconds, attempts=sent)

    def _converse(self, request: LLMRequest, receive: Receive, stop: Event, stream: bool) -> LLMReply:
        """One attempt: sent again only as long as the server refuses a parameter that can be left out."""
        with self._alone_at_first(request):
            while not stop.is_set():
                dialect = self._dialect
                phrased = dialect.phrase(request, self.model, stream=stream)
                try:
                    reply = receive(phrased)
                except FaultError as error:
                    if not self._learn(error.fault, dialect, phrased):
                        if error.fault.kind in ENDS_THE_WORK:
                            stop.set()  # before the next one that waits to be alone is let in
                        raise
                else:
                    self._understood.add(request.schema is not None)
                    return reply
            raise StoppedError

    def _alone_at_first(self, request: LLMRequest) -> AbstractContextManager[Any]:
        return nullcontext() if (request.schema is not None) in self._understood else self._probing

    def _learn(self, fault: Fault, used: Dialect, phrased: dict[str, Any]) -> bool:
        """Whether the fault is of the dialect that was used, and there is another by now."""
        spoken = used.without(fault, phrased)
        if spoken is None or (used.schema and not spoken.schema and self._settings.json_schema == "on"):
            return False
        with self._learning:
            # Another thread may have learned something else since.
            self._dialect = self._dialect.without(fault, phrased) or self._dialect
        return True

    def _without_reply(self, fault: Fault, stop: Event) -> LLMReply:
        why = self._endpoint.explain(fault, self.model)
        if fault.kind in ("overflow", "filtered"):
            self._failures = 0
            return LLMReply("", fault.kind, detail=why)
        if fault.kind == "quota":
            raise LimitReached(f"{self.model}: {why}")
        if fault.kind in ENDS_THE_WORK:
            raise ModelError(f"{self.model}: {why}")
        if stop.is_set():
            raise StoppedError
        with self._learning:
            self._failures += 1
            failures = self._failures
        if failures >= FAILURES_IN_A_ROW:
            raise ModelError(
                f"{self.model}: {failures} requests in a row failed after {self._settings.attempts} "
                f"attempts each ({why}); every reply so far is kept. Run again when the server is well"
            )
        return LLMReply("", "failed", detail=why)

    def _receive_whole(self, phrased: dict[str, Any]) -> LLMReply:
        response = self._create(phrased, raw=True).http_response
        content_type = response.headers.get("content-type", "")
        return read_completion(read_body(response.content, content_type, "chat completion"))

    def _chunks(self, phrased: dict[str, Any]) -> Generator[Any]:
        chunks = self._create(phrased)
        try:
            iterator = iter(chunks)
            while True:
                try:
                    chunk = next(iterator)
                except StopIteration:
                    return
                except (TypeError, ValueError, AttributeError, RecursionError):
                    # Of the package, over JSON of a shape that it does not know.
                    raise FaultError(Fault("transient", "a piece of a stream that cannot be read")) from None
                except Exception as error:
                    raise FaultError(read_fault(error)) from None
                yield chunk
        finally:
            close = getattr(chunks, "close", None)
            if close:
                close()

    def _create(self, phrased: dict[str, Any], *, raw: bool = False) -> Any:
        try:
            chat: Any = self._endpoint.client().chat.completions
            return (chat.with_raw_response if raw else chat).create(**phrased)
        except Exception as error:
            raise FaultError(read_fault(error)) from None
