"""How a request is put to one server: the parameters that servers disagree about, and learning them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from aitia.clients.faults import Fault
from aitia.clients.protocols import LLMRequest
from aitia.clients.vectors import encodable

_REFUSING = frozenset({400, 404, 415, 422, 500, 501})
_SCHEMA = re.compile(
    r"response.?format|json.?schema|schema|structured|grammar|guided|json mode", re.IGNORECASE
)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|n't support|unknown|unrecogni[sz]ed|extra|not permitted|not allowed|deprecated",
    re.IGNORECASE,
)
_MOST_REPLY = re.compile(
    r"(?:at most|up to|less than or equal to|<=|\d+ >) (\d+)\D{0,60}(?:completion|output|max_tokens|tokens)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context length is (\d+)\D.*?(\d+) (?:in the messages|input tokens)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server understands.

    ``schema``: structured output; ``limit``: the name of the reply's limit; ``temperature``: that it may be
    set; ``usage``: that a stream can end with its token counts; ``room``: the longest reply that it allows.
    """

    schema: bool = True
    limit: str = "max_tokens"
    temperature: bool = True
    usage: bool = True
    room: int | None = None

    def phrase(self, request: LLMRequest, model: str, *, stream: bool = False) -> dict[str, Any]:
        """The arguments of ``chat.completions.create`` for a request."""
        system = request.system
        limit = request.max_tokens if self.room is None else min(self.room, request.max_tokens)
        phrased: dict[str, Any] = {"model": model, self.limit: limit}
        if self.temperature:
            phrased["temperature"] = request.temperature
        if request.schema and self.schema:
            phrased["response_format"] = _structured(request.prompt, request.schema)
        elif request.schema:
            system = f"{system}\n\nReply with one JSON object that fits this JSON schema:\n{request.schema}"
        if stream:
            phrased["stream"] = True
            if self.usage:
                phrased["stream_options"] = {"include_usage": True}
        roles = (("system", system), ("user", request.user))
        phrased["messages"] = [{"role": role, "content": encodable(text)} for role, text in roles if text]
        return phrased

    def without(self, fault: Fault, phrased: dict[str, Any]) -> Dialect | None:
        """The dialect without the parameter that a server refused; None if it refused something else."""
        room = _room(fault, int(phrased.get(self.limit, 0)))
        if room is not None:
            return replace(self, room=room)
        if fault.kind not in ("refused", "transient") or fault.status not in _REFUSING:
            return None
        words = " ".join([fault.words, *fault.codes])
        unsupported = bool(_UNSUPPORTED.search(words))
        if unsupported and "max_completion_tokens" in words and "max_tokens" in phrased:
            return replace(self, limit="max_completion_tokens")
        if unsupported and "temperature" in words and "temperature" in phrased:
            return replace(self, temperature=False)
        if "stream_options" in words and "stream_options" in phrased:
            return replace(self, usage=False)
        if "response_format" in phrased and _refuses_schema(fault.status, words):
            return replace(self, schema=False)
        return None


def _room(fault: Fault, asked: int) -> int | None:
    """The longest reply that a server allows, where it refused a longer one.

    Where prompt and reply share a context that the prompt alone would fit, a half of it is for the reply.
    """
    if fault.kind not in ("refused", "overflow"):
        return None
    shared = _CONTEXT.search(fault.words)
    if shared:
        context, prompt = int(shared[1]), int(shared[2])
        room = context // 2 if prompt <= context // 2 else 0
    else:
        most = _MOST_REPLY.search(fault.words)
        room = int(most[1]) if most and "max" in fault.words else 0
    return room if 0 < room < asked else None


def _refuses_schema(status: int, words: str) -> bool:
    # A 500 may repeat the request, and with it the word "schema"; llama.cpp's speaks of the grammar.
    if status == 500:
        return "grammar" in words.lower()
    return _SCHEMA.search(words) is not None


def _structured(name: str, schema: str) -> dict[str, Any]:
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "reply"
    return {
        "type": "json_schema",
        "json_schema": {"name": plain, "strict": True, "schema": json.loads(schema)},
    }
