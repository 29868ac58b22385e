"""What the rest of Aitia needs from a model and from the record of what was paid for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from aitia.corpus.document import content_hash

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def id(self) -> str:
        """The spec that opens it again: ``minilm``, ``dir:PATH``, ``openai:MODEL``."""
        ...

    @property
    def hash(self) -> str:
        """Identifies the weights, so that an index can refuse vectors of another model."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, shape (texts, dimensions), float32. A vector depends on its own text only."""
        ...


Finish = Literal["stop", "length", "filtered", "overflow", "failed"]
"""How a call ended. ``stop`` and ``length`` (cut off) and ``filtered`` are complete replies, paid for;
``overflow``: the server refused the prompt as too long; ``failed``: no reply after every attempt."""

COMPLETE: frozenset[Finish] = frozenset({"stop", "length", "filtered"})
"""The ends of a call that are kept in the ledger."""


@dataclass(frozen=True, slots=True)
class LLMRequest:
    """One call of a chat model. ``stage`` and ``prompt`` label it; everything else decides the reply.

    ``schema`` is the JSON schema of the reply as JSON, or None for plain text. ``sample`` tells repeated
    draws of one prompt apart, ``run`` repeated experiments.
    """

    stage: str
    prompt: str
    system: str
    user: str
    schema: str | None = None
    max_tokens: int = 8_192
    temperature: float = 0.0
    sample: int = 0
    run: int = 0

    def key(self, model: str) -> str:
        """Its name in a ledger: the hash of the model and of everything that decides the reply."""
        prompt = content_hash(self.system, self.user)
        parameters = f"{self.temperature} {self.max_tokens}"
        return content_hash(
            model, prompt, self.schema or "", parameters, f"sample {self.sample}", f"run {self.run}"
        )


@dataclass(frozen=True, slots=True)
class LLMReply:
    """What came back: text as the model wrote it, tokens as the server counted them (0: it did not).

    ``attempts`` counts how often the request was sent; ``detail`` says why there is no complete reply.
    """

    text: str
    finish: Finish = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    attempts: int = 1
    detail: str = ""


OnReply = Callable[[int, LLMReply], None]
"""Told (position of the request, its reply) in the thread that received it, before anything uses it."""


class LLM(Protocol):
    """A chat model. The only place where Aitia does things at once is ``map``."""

    @property
    def model(self) -> str:
        """The model's name: part of every ledger key."""
        ...

    def map(self, requests: Sequence[LLMRequest], on_reply: OnReply | None = None) -> list[LLMReply]:
        """A reply for each request, in their order.

        Raises:
            ModelError: the endpoint cannot be used at all; replies that had come were given to ``on_reply``.
            LimitReached: the provider's quota is used up, likewise.

        """
        ...

    def stream(self, request: LLMRequest, on_text: Callable[[str], None]) -> LLMReply:
        """One reply, its text given to ``on_text`` piece by piece as it comes.

        Raises:
            ModelError, LimitReached: as for ``map``.

        """
        ...


@dataclass(frozen=True, slots=True)
class LedgerTotals:
    """What a ledger holds of one stage and model."""

    model: str
    stage: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    attempts: int


class Ledger(Protocol):
    """The append-only record of what was computed at a price: embeddings (and model replies)."""

    def vectors(self, embedder_hash: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
        """The stored float32 rows among those asked for, by text hash."""
        ...

    def add_vectors(self, embedder_hash: str, rows: Mapping[str, bytes]) -> None:
        """Commit rows; one that is already there is left as it was."""
        ...

    def replies(self, keys: Sequence[str]) -> dict[str, LLMReply]:
        """The replies kept under the keys and not retired since."""
        ...

    def add_reply(self, model: str, key: str, request: LLMRequest, reply: LLMReply) -> None:
        """Commit a complete reply before anything uses it; one that is already there is left as it was."""
        ...

    def retire(self, keys: Collection[str]) -> None:
        """Let the next `replies` miss these keys, so that an unusable reply is asked for once more.

        The replies themselves stay, and stay counted.
        """
        ...

    def totals(self) -> list[LedgerTotals]:
        """What all replies took, retired ones too, by model and stage in order of their names."""
        ...
