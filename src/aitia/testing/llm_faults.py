"""Which fault meets which request: drawn from its content and attempt, so that every run draws the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

CONTENT = (
    "cut_json",  # half a reply, said to be whole
    "cut_off",  # half a reply, said to be cut off
    "fences",
    "think",
    "bare_list",
    "wrapped",
    "schema_echo",
    "wrong_types",
    "strange_labels",  # passages, quotes, sources, pairs that were not shown
    "made_up_quotes",
    "strange_names",  # out of the vocabulary
    "lone_surrogate",
    "nul",
)
"""Faults of a reply's content: of a request's hash only, so that asking again changes nothing."""

TRANSPORT = ("rate_limit", "error_500", "error_503", "stall", "reset", "broken_stream")
"""Faults of the way: of a request's hash and attempt. Without a stream the last one is a reset."""

VECTORS = ("one_too_few", "nan")
"""Faults of embeddings, of the request's hash only. No build survives them, so `Faults.all` has none."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a server fails, and in which ways.

    ``rates`` are shares in [0, 1] by the names above; those of content, of transport and of vectors must
    each add up to 1 at most. After ``most_in_a_row`` transport faults a request gets through.
    ``context_tokens``: a longer prompt is refused. ``quota_after``: so many requests are answered, and
    no more. ``refuse_schema``: structured output is unknown. ``stall_s``: how long a stall lasts;
    ``latency_ms``: how long an answer takes at most, drawn by hash and attempt.
    """

    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    most_in_a_row: int = 3
    context_tokens: int | None = None
    quota_after: int | None = None
    refuse_schema: bool = False
    stall_s: float = 30.0
    latency_ms: float = 0.0

    def __post_init__(self) -> None:
        unknown = sorted(set(self.rates) - {*CONTENT, *TRANSPORT, *VECTORS})
        if unknown:
            raise ValueError(
                f"unknown fault {unknown[0]!r}; expected one of {(*CONTENT, *TRANSPORT, *VECTORS)}"
            )
        for kinds in (CONTENT, TRANSPORT, VECTORS):
            if sum(self.rates.get(kind, 0.0) for kind in kinds) > 1 + 1e-9:
                raise ValueError(f"the rates of {', '.join(kinds)} add up to more than 1")

    @classmethod
    def none(cls) -> Self:
        """A server that works."""
        return cls()

    @classmethod
    def all(cls, content: float = 0.3, transport: float = 0.2, **others: Any) -> Self:
        """Every fault of content and transport, equally often: in all, shares of the requests and attempts."""
        rates = {kind: content / len(CONTENT) for kind in CONTENT}
        rates.update({kind: transport / len(TRANSPORT) for kind in TRANSPORT})
        return cls(rates, **others)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote; a part of its fields will do."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """On one line, for a command line."""
        return json.dumps({**asdict(self), "rates": dict(self.rates)})

    def of_content(self, key: str) -> str | None:
        """The fault of the reply to a request."""
        return self._pick(CONTENT, _draw(self.seed, "content", key))

    def of_vectors(self, key: str) -> str | None:
        """The fault of the vectors for a request."""
        return self._pick(VECTORS, _draw(self.seed, "vectors", key))

    def of_transport(self, key: str, attempt: int) -> str | None:
        """The fault of the way at an attempt, counted from 1."""
        in_a_row, fault = 0, None
        for each in range(1, attempt + 1):
            drawn = self._pick(TRANSPORT, _draw(self.seed, "transport", key, each))
            fault = drawn if in_a_row < self.most_in_a_row else None
            in_a_row = in_a_row + 1 if fault else 0
        return fault

    def latency_s(self, key: str, attempt: int) -> float:
        """How long the answer to an attempt takes."""
        return self.latency_ms / 1000 * _draw(self.seed, "latency", key, attempt)

    def retry_after(self, key: str, attempt: int) -> int:
        """Seconds, 0 or 1, that a rate limit asks to wait."""
        return int(_draw(self.seed, "wait", key, attempt) < 0.2)

    def _pick(self, kinds: Iterable[str], draw: float) -> str | None:
        for kind in kinds:
            draw -= self.rates.get(kind, 0.0)
            if draw < 0:
                return kind
        return None


def _draw(*parts: object) -> float:
    """A number in [0, 1) that depends on the parts only."""
    digest = hashlib.blake2b("\n".join(map(str, parts)).encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48
