"""What one question takes of the models: calls and tokens, counted in the thread that asks it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from aitia.clients.ledgered import LedgerLLM
from aitia.clients.protocols import COMPLETE, Embedder, LLMReply, LLMRequest, OnReply, Vectors


class Meter(threading.local):
    """Counts of the thread that looks. A reply that the ledger had counts as if it had been asked for now."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, with a question."""
        self.llm_calls = self.prompt_tokens = self.reply_tokens = self.embedding_calls = 0

    def count(self, replies: Sequence[LLMReply]) -> None:
        """Replies came: complete ones are calls."""
        self.llm_calls += sum(reply.finish in COMPLETE for reply in replies)
        self.prompt_tokens += sum(reply.prompt_tokens for reply in replies)
        self.reply_tokens += sum(reply.completion_tokens for reply in replies)

    def usage(self) -> dict[str, float]:
        """As `aitia.evaluation.records.AnswerRecord` has it."""
        return {
            "llm_calls": self.llm_calls,
            "prompt_tokens": self.prompt_tokens,
            "reply_tokens": self.reply_tokens,
            "embedding_calls": self.embedding_calls,
        }


class MeteredLLM:
    """A model with its ledger, whose replies are counted: implements ``aitia.clients.protocols.LLM``."""

    def __init__(self, llm: LedgerLLM, meter: Meter) -> None:
        self._llm = llm
        self._meter = meter

    @property
    def model(self) -> str:
        """The model's name."""
        return self._llm.model

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, counted."""
        replies = self._llm.map(requests, on_reply)
        self._meter.count(replies)
        return replies

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """One reply as it comes, counted."""
        reply = self._llm.stream(request, on_text)
        self._meter.count([reply])
        return reply

    def retire(self, requests: Sequence[LLMRequest]) -> None:
        """Forget the replies to requests."""
        self._llm.retire(requests)


class MeteredEmbedder:
    """An embedder whose calls are counted: implements ``aitia.clients.protocols.Embedder``."""

    def __init__(self, embedder: Embedder, meter: Meter) -> None:
        self._embedder = embedder
        self._meter = meter

    @property
    def id(self) -> str:
        """The id of the embedder."""
        return self._embedder.id

    @property
    def hash(self) -> str:
        """The hash of the embedder."""
        return self._embedder.hash

    @property
    def dimensions(self) -> int:
        """The dimensions of the embedder."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows; one call, unless there is nothing to embed."""
        self._meter.embedding_calls += bool(texts)
        return self._embedder.embed(texts)
