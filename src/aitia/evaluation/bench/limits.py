"""What a benchmark may spend on models, over all its builders, writers and judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aitia.clients.protocols import Ledger
from aitia.workflows.analysts import ModelOptions
from aitia.workflows.cost import price_of


class Limits:
    """What is left of ``max_calls`` and ``max_cost``, by what the ledger has that it had not at the beginning.

    Each model's calls are priced as its own options say. Calls of peers are in no ledger, and not limited.
    """

    def __init__(
        self,
        ledger: Ledger,
        max_calls: int | None = None,
        max_cost: float | None = None,
        models: tuple[ModelOptions, ...] = (),
    ) -> None:
        self._ledger = ledger
        self._max_calls = max_calls
        self._max_cost = max_cost
        self._prices: dict[str, Mapping[str, Any]] = {
            each["model"]: each.get("llm", {}) for each in models if each.get("model")
        }
        self._calls, self._cost = self._spent()

    def within(self, options: ModelOptions) -> ModelOptions:
        """The options of a model with what it may spend."""
        calls, cost = self._spent()
        limited: ModelOptions = {**options}
        if self._max_calls is not None:
            limited["max_calls"] = max(0, self._max_calls - (calls - self._calls))
        if self._max_cost is not None:
            limited["max_cost"] = max(0.0, self._max_cost - (cost - self._cost))
        return limited

    def _spent(self) -> tuple[int, float]:
        totals = self._ledger.totals()
        costs = (
            price_of(each.prompt_tokens, each.completion_tokens, self._prices.get(each.model, {}))
            for each in totals
        )
        return sum(each.calls for each in totals), sum(cost or 0.0 for cost in costs)
