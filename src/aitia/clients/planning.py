"""A chat model that asks nobody: kept replies from the ledger, an empty one for the rest, which it counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from aitia.clients.protocols import Ledger, LLMReply, LLMRequest, OnReply


class PlanningLLM:
    """Implements ``aitia.clients.protocols.LLM``; ``kept`` and ``missing`` hold the requests made, by key.

    The empty reply is an object of the request's schema whose lists are empty, so that whoever asks goes on
    to its next step, with nothing in hand.
    """

    def __init__(self, model: str, ledger: Ledger | None = None) -> None:
        self.model = model
        self._ledger = ledger
        self.kept: dict[str, LLMRequest] = {}
        self.missing: dict[str, LLMRequest] = {}

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, in their order."""
        keys = [request.key(self.model) for request in requests]
        found = self._ledger.replies(list(dict.fromkeys(keys))) if self._ledger else {}
        replies = []
        for position, (key, request) in enumerate(zip(keys, requests, strict=True)):
            (self.kept if key in found else self.missing)[key] = request
            replies.append(found.get(key) or LLMReply(_empty(request)))
            if on_reply:
                on_reply(position, replies[-1])
        return replies

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """As ``map``."""
        (reply,) = self.map([request])
        on_text(reply.text)
        return reply


def _empty(request: LLMRequest) -> str:
    if request.schema is None:
        return ""
    return json.dumps({name: [] for name in json.loads(request.schema).get("properties", {})})
