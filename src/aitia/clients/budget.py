"""What the user lets a run spend, in calls and in money, and what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile
from threading import Lock

from aitia.clients.llm_settings import LLMSettings
from aitia.clients.protocols import COMPLETE, LLMReply, LLMRequest
from aitia.corpus.tokens import count_tokens
from aitia.errors import LimitReached, UsageError

MORE_TOKENS = 1.2
"""A model's own tokenizer may count this much more in ASCII text than the bundled one."""

_MILLION = 1_000_000


def worst_cost(request: LLMRequest, price_in: float, price_out: float) -> float:
    """The most a call may cost at prices per million tokens: its prompt and schema, and the longest reply."""
    return (_most_prompt_tokens(request) * price_in + request.max_tokens * price_out) / _MILLION


def _most_prompt_tokens(request: LLMRequest) -> float:
    return _most_tokens(request.system + request.user) + _most_tokens(request.schema or "")


def _most_tokens(text: str) -> float:
    # A tokenizer that does not know a script takes up to a token a byte: the one of SmolLM2 took 1.9 times
    # the bundled one's count for Chinese, and 4.4 times for emoji.
    more_bytes = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return MORE_TOKENS * count_tokens(text) + more_bytes


class Budget:
    """Counts complete replies and their cost; threads may share it.

    A call that got no complete reply, and a repeat after a transport fault, count for no call. Cost is
    of the tokens the server reported; of prompt and reply each, where it reported none, of the worst case.

    Raises UsageError for ``max_cost`` without both prices.
    """

    def __init__(self, settings: LLMSettings, max_calls: int | None, max_cost: float | None) -> None:
        if max_cost is not None and (settings.price_in is None or settings.price_out is None):
            raise UsageError(
                "--max-cost needs the prices per million tokens: "
                "give --llm price_in=PRICE and --llm price_out=PRICE"
            )
        self.max_calls = max_calls
        self.max_cost = max_cost
        self.calls = 0
        self.spent = 0.0
        self._price_in = settings.price_in or 0.0
        self._price_out = settings.price_out or 0.0
        self._lock = Lock()

    @property
    def limited(self) -> bool:
        """Whether there is a limit at all."""
        return self.max_calls is not None or self.max_cost is not None

    def worst(self, request: LLMRequest) -> float:
        """The most a call may cost; 0 where only calls, or nothing, are limited."""
        return 0.0 if self.max_cost is None else worst_cost(request, self._price_in, self._price_out)

    def affordable(self, worst: Sequence[float]) -> int:
        """How many of the calls with these worst costs, from the first on, pass no limit whatever comes."""
        count = len(worst)
        if self.max_calls is not None:
            count = max(0, min(count, self.max_calls - self.calls))
        if self.max_cost is not None:
            left = self.max_cost - self.spent
            count = min(count, sum(1 for _ in takewhile(lambda cost: cost <= left, accumulate(worst))))
        return count

    def spend(self, request: LLMRequest, reply: LLMReply) -> None:
        """Count a reply that came from the model."""
        prompt: float = max(0, reply.prompt_tokens)
        written = max(0, reply.completion_tokens)
        complete = reply.finish in COMPLETE
        if complete and self.max_cost is not None:
            prompt = prompt or _most_prompt_tokens(request)
            written = written or request.max_tokens
        with self._lock:
            self.calls += complete
            self.spent += (prompt * self._price_in + written * self._price_out) / _MILLION

    def exhausted(self, stage: str, worst: Sequence[float]) -> LimitReached:
        """The error that stops a step before the calls with these worst costs."""
        left = f"requests of the step {stage} not yet made: {len(worst)}; every reply is kept"
        if self.max_calls is not None and self.calls >= self.max_calls:
            return LimitReached(
                f"--max-calls {self.max_calls} reached: calls made {self.calls}, {left}. "
                "Raise --max-calls to go on"
            )
        return LimitReached(
            f"--max-cost {self.max_cost:g} reached: calls made {self.calls} for {self.spent:.4g}, "
            f"the next may cost {worst[0]:.4g}, {left}. Raise --max-cost to go on"
        )
