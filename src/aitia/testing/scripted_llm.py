"""A chat model whose replies a test writes, in the process and without a network."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from aitia.clients.protocols import LLMReply, LLMRequest, OnReply
from aitia.clients.replay import Unrecorded

Answer = str | LLMReply | Exception
"""A text (its tokens are counted in words), a whole reply, or what is raised."""

_WORD = re.compile(r"\S+\s*|\s+")


class ScriptedLLM:
    """Implements ``aitia.clients.protocols.LLM``; ``requests`` holds what was asked, in the order given.

    ``answer`` is a function of the request, a mapping from its key, or a file that `record` wrote for a
    model of the same name. With more than one of ``jobs``, ``map`` answers in that many threads and in an
    order that ``seed`` shuffles. An exception stops ``map``: what was begun is ended, the rest not asked.

    Raises Unrecorded for a request that a mapping or file does not know.
    """

    def __init__(
        self,
        answer: Callable[[LLMRequest], Answer] | Mapping[str, Answer] | Path,
        model: str = "scripted",
        *,
        jobs: int = 1,
        seed: int = 0,
    ) -> None:
        self.model = model
        self.requests: list[LLMRequest] = []
        self._answer = _read(answer) if isinstance(answer, Path) else answer
        self._jobs = jobs
        self._order = random.Random(seed)
        self._replies: dict[str, tuple[LLMRequest, LLMReply]] = {}
        self._lock = Lock()

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, in their order; raises whatever ``answer`` does."""
        asked: set[int] = set()
        replies: dict[int, LLMReply] = {}

        def reply_to(position: int) -> None:
            asked.add(position)
            replies[position] = self._reply(requests[position])
            if on_reply:
                on_reply(position, replies[position])

        try:
            self._run(reply_to, len(requests))
        finally:
            with self._lock:
                self.requests += [requests[position] for position in sorted(asked)]
        return [replies[position] for position in range(len(requests))]

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """One reply, its text given to ``on_text`` word by word."""
        (reply,) = self.map([request])
        for match in _WORD.finditer(reply.text):
            on_text(match.group())
        return reply

    def record(self, path: Path) -> None:
        """Write what was answered so far as JSON lines, each key once with its first reply."""
        with self._lock:
            lines = [
                {"key": key, "stage": request.stage, "prompt": request.prompt, "reply": asdict(reply)}
                for key, (request, reply) in sorted(self._replies.items())
            ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    def _run(self, reply_to: Callable[[int], None], count: int) -> None:
        if self._jobs == 1:
            for position in range(count):
                reply_to(position)
            return
        order = self._order.sample(range(count), count)
        with ThreadPoolExecutor(self._jobs) as pool:
            calls = [pool.submit(reply_to, position) for position in order]
            try:
                for call in calls:
                    call.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _reply(self, request: LLMRequest) -> LLMReply:
        key = request.key(self.model)
        if callable(self._answer):
            answer = self._answer(request)
        elif key in self._answer:
            answer = self._answer[key]
        else:
            raise Unrecorded(self.model, [request])
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            prompt_tokens = len(request.system.split()) + len(request.user.split())
            answer = LLMReply(answer, prompt_tokens=prompt_tokens, completion_tokens=len(answer.split()))
        with self._lock:
            self._replies.setdefault(key, (request, answer))
        return answer


def _read(path: Path) -> dict[str, Answer]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {line["key"]: LLMReply(**line["reply"]) for line in lines}
