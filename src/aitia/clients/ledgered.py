"""A chat model that remembers: a reply is paid for once, and then read from the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from threading import Lock

from aitia.clients.budget import Budget
from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import COMPLETE, LLM, Ledger, LLMReply, LLMRequest, OnReply
from aitia.errors import ModelError

StepProgress = Callable[[str, int, int], None]
"""Called with (stage, requests answered so far, requests of the step), by one thread at a time."""


@dataclass(frozen=True, slots=True)
class StageTally:
    """What one stage took so far: complete replies asked for now, and replies found in the ledger.

    Tokens, ``seconds`` and ``retries`` (requests sent once more after a transport fault) are of what was
    asked now, calls without a complete reply too; ``reused_...`` are the tokens of what the ledger had.
    """

    calls: int = 0
    reused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retries: int = 0
    seconds: float = 0.0
    reused_prompt_tokens: int = 0
    reused_completion_tokens: int = 0

    def with_reply(self, reply: LLMReply) -> StageTally:
        """The tally and one reply more that came from the model."""
        return replace(
            self,
            calls=self.calls + (reply.finish in COMPLETE),
            prompt_tokens=self.prompt_tokens + reply.prompt_tokens,
            completion_tokens=self.completion_tokens + reply.completion_tokens,
            retries=self.retries + reply.attempts - 1,
            seconds=self.seconds + reply.seconds,
        )

    def with_kept(self, reply: LLMReply) -> StageTally:
        """The tally and one reply more that the ledger had."""
        return replace(
            self,
            reused=self.reused + 1,
            reused_prompt_tokens=self.reused_prompt_tokens + reply.prompt_tokens,
            reused_completion_tokens=self.reused_completion_tokens + reply.completion_tokens,
        )


class LedgerLLM:
    """``llm``, with ``ledger`` asked first: implements ``aitia.clients.protocols.LLM``.

    A complete reply is committed in the thread that received it, before anything uses it. A call that
    ended as ``overflow`` or ``failed`` is returned and not kept. No limit is ever passed: ``max_calls``
    counts complete replies asked for now, ``max_cost`` what they cost at the settings' prices.

    Raises UsageError for ``max_cost`` without prices.
    """

    def __init__(
        self,
        llm: LLM,
        ledger: Ledger,
        *,
        settings: LLMSettings,
        max_calls: int | None = None,
        max_cost: float | None = None,
        progress: StepProgress | None = None,
    ) -> None:
        self._llm = llm
        self._ledger = ledger
        self._budget = Budget(settings, max_calls, max_cost)
        self._progress = progress
        self._tally: dict[str, StageTally] = {}
        self._lock = Lock()
        # Two threads must not both spend what is left; without a limit they need not wait.
        self._turn: AbstractContextManager[object] = Lock() if self._budget.limited else nullcontext()

    @property
    def model(self) -> str:
        """The name of the model behind it."""
        return self._llm.model

    @property
    def tally(self) -> dict[str, StageTally]:
        """What each stage took so far, in the order in which the stages began."""
        with self._lock:
            return dict(self._tally)

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, in their order; equal requests are asked once.

        ``on_reply`` is told of replies from the ledger too.

        Raises:
            LimitReached: some requests were not sent, because they might have passed a limit.
            ModelError: the endpoint cannot be used, or each request of a step failed and none before it,
                of this step or another, ever had a reply: what read nothing at all is no partial build.
            IndexFolderError: the ledger cannot be written.

        """
        step = _Step(requests, [request.key(self.model) for request in requests], on_reply, self._progress)
        with self._turn:
            kept = self._ledger.replies(list(step.requests))
            for key in [key for key in step.requests if key in kept]:
                self._count_reused(step.requests[key], kept[key])
                step.settle(key, kept[key])
            self._ask(step, [key for key in step.requests if key not in kept])
        replies = step.replies()
        self._raise_if_nothing_came(replies)
        return replies

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """One reply, its text given to ``on_text`` as it comes, or at once where the ledger has it.

        Raises:
            LimitReached, ModelError, IndexFolderError: as for ``map``.

        """
        key = request.key(self.model)
        with self._turn:
            kept = self._ledger.replies([key])
            if key not in kept:
                worst = [self._budget.worst(request)]
                if not self._budget.affordable(worst):
                    raise self._budget.exhausted(request.stage, worst)
                return self._keep(key, request, self._llm.stream(request, on_text))
            self._count_reused(request, kept[key])
        on_text(kept[key].text)
        return kept[key]

    def retire(self, requests: Sequence[LLMRequest]) -> None:
        """Forget the replies to requests, because they are of no use: asked again, the model is."""
        self._ledger.retire([request.key(self.model) for request in requests])

    def _raise_if_nothing_came(self, replies: Sequence[LLMReply]) -> None:
        came = any(stage.calls or stage.reused for stage in self.tally.values())
        if replies and not came and all(reply.finish == "failed" for reply in replies):
            first = "the first request" if len(replies) == 1 else f"the first {len(replies)} requests"
            raise ModelError(
                f"{self.model}: {first} got no reply ({replies[0].detail or 'no words'}). "
                "Run again when the server is well"
            )

    def _ask(self, step: _Step, keys: Sequence[str]) -> None:
        # Worst cases seldom come true: each round sends what fits into what the last one left.
        worst = [self._budget.worst(step.requests[key]) for key in keys]
        sent = 0
        while sent < len(keys):
            count = self._budget.affordable(worst[sent:])
            if not count:
                raise self._budget.exhausted(step.requests[keys[sent]].stage, worst[sent:])
            self._send(step, keys[sent : sent + count])
            sent += count

    def _send(self, step: _Step, keys: Sequence[str]) -> None:
        requests = [step.requests[key] for key in keys]

        def commit(position: int, reply: LLMReply) -> None:
            key = keys[position]
            step.settle(key, self._keep(key, requests[position], reply))

        self._llm.map(requests, commit)

    def _keep(self, key: str, request: LLMRequest, reply: LLMReply) -> LLMReply:
        self._budget.spend(request, reply)
        with self._lock:
            before = self._tally.get(request.stage, StageTally())
            self._tally[request.stage] = before.with_reply(reply)
        if reply.finish not in COMPLETE:
            return reply
        self._ledger.add_reply(self.model, key, request, reply)
        # Another process may have been first: what is used now is what a resumed build will read.
        return self._ledger.replies([key]).get(key, reply)

    def _count_reused(self, request: LLMRequest, reply: LLMReply) -> None:
        with self._lock:
            before = self._tally.get(request.stage, StageTally())
            self._tally[request.stage] = before.with_kept(reply)


class _Step:
    """The requests of one call of ``map`` by key, and the replies that have come."""

    def __init__(
        self,
        requests: Sequence[LLMRequest],
        keys: Sequence[str],
        on_reply: OnReply | None,
        progress: StepProgress | None,
    ) -> None:
        self.requests: dict[str, LLMRequest] = {}
        self._keys = keys
        self._on_reply = on_reply
        self._progress = progress
        self._positions: dict[str, list[int]] = {}
        for position, (key, request) in enumerate(zip(keys, requests, strict=True)):
            self.requests.setdefault(key, request)
            self._positions.setdefault(key, []).append(position)
        self._replies: dict[str, LLMReply] = {}
        self._done = 0
        self._lock = Lock()

    def settle(self, key: str, reply: LLMReply) -> None:
        """Keep the reply of a key and tell whoever waits for it."""
        positions = self._positions[key]
        if self._on_reply:
            for position in positions:
                self._on_reply(position, reply)
        with self._lock:
            self._replies[key] = reply
            self._done += len(positions)
            if self._progress:
                self._progress(self.requests[key].stage, self._done, len(self._keys))

    def replies(self) -> list[LLMReply]:
        """The replies, in the order of the requests."""
        return [self._replies[key] for key in self._keys]
