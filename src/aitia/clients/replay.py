"""A chat model that only remembers: every reply comes from the ledger, none is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aitia.clients.protocols import Ledger, LLMReply, LLMRequest, OnReply
from aitia.errors import ModelError


class Unrecorded(ModelError):
    """No reply is kept for some requests; ``missing`` has each of them once, in the order asked."""

    def __init__(self, model: str, missing: Sequence[LLMRequest]) -> None:
        self.missing = tuple(missing)
        first = self.missing[0]
        super().__init__(
            f"replies not recorded for {model}: {len(self.missing)}, the first of step {first.stage} "
            f"(key {first.key(model)}). Ask the model for them, or give the ledger that holds them"
        )


class ReplayLLM:
    """Implements ``aitia.clients.protocols.LLM`` with what ``ledger`` keeps of ``model``."""

    def __init__(self, model: str, ledger: Ledger) -> None:
        self.model = model
        self._ledger = ledger

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """The kept reply of each request, in their order.

        Raises Unrecorded, before ``on_reply`` is told anything, where one is missing.
        """
        keys = [request.key(self.model) for request in requests]
        kept = self._ledger.replies(list(dict.fromkeys(keys)))
        missing = {key: request for key, request in zip(keys, requests, strict=True) if key not in kept}
        if missing:
            raise Unrecorded(self.model, list(missing.values()))
        replies = [kept[key] for key in keys]
        if on_reply:
            for position, reply in enumerate(replies):
                on_reply(position, reply)
        return replies

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """The kept reply, its whole text given to ``on_text`` at once.

        Raises Unrecorded where there is none.
        """
        (reply,) = self.map([request])
        on_text(reply.text)
        return reply
