"""What an OpenAI-compatible server writes: bodies and events of chat completions, and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_PIECE = 64


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply, how it ended, and its tokens."""

    model: str
    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int

    def body(self) -> dict[str, Any]:
        """The whole answer."""
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self._usage()}

    def events(self, *, usage: bool) -> Iterator[bytes]:
        """The answer as a stream of server-sent events."""
        for start in range(0, len(self.text), _PIECE):
            yield self._event({"content": self.text[start : start + _PIECE]}, None)
        yield self._event({}, self.finish)
        if usage:
            chunk = {**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage()}
            yield _sent(json.dumps(chunk))
        yield _sent("[DONE]")

    def _event(self, delta: dict[str, str], finish: str | None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _sent(json.dumps({**self._head("chat.completion.chunk"), "choices": [choice]}))

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": "chatcmpl-stand-in", "object": kind, "created": 0, "model": self.model}

    def _usage(self) -> dict[str, int]:
        total = self.prompt_tokens + self.completion_tokens
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": total,
        }


def error_body(message: str, code: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    """An error as OpenAI words it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def vectors_body(model: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    """The answer to a request for embeddings."""
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": items, "model": model, "usage": usage}


def _sent(payload: str) -> bytes:
    return f"data: {payload}\n\n".encode()
